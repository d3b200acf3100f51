#!/bin/sh
# A Hub engine with a fault, for tests of the match runner: engine.sh FAULT MARKER PROGRAM [ARGUMENTS]
#
# Until the file MARKER is there it answers the handshake, and makes its fault when it is to think for the first time (which makes
# the file). When the file is there it is PROGRAM.
fault=$1
marker=$2
shift 2
if [ -e "$marker" ]; then exec "$@"; fi
while read -r line; do
    case $line in
    hub)
        echo 'id name=faulty version=1'
        echo 'param name=hash value=1 type=int min=1 max=64'
        echo wait
        ;;
    init) echo ready ;;
    quit) exit 0 ;;
    go*)
        : >"$marker"
        case $fault in
        illegal-move) echo 'done move=1-32' ;;
        garbage) echo 'done move=xyzzy' ;;
        no-move) echo 'done' ;;
        killed) kill -9 $$ ;;
        leaves) exit 3 ;;
        orphan)
            sleep 1000 &
            exit 4
            ;;
        silent) sleep 1000 ;;
        flood) yes 'info depth=1 score=0.00' ;;
        endless-line) yes 'x' | tr -d '\n' ;;
        chatter) echo 'what is this?' && sleep 1000 ;;
        closes) exec >&- && sleep 1000 ;;
        esac
        ;;
    esac
done

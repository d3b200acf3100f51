#!/usr/bin/env bash
# Drives an engine by the real Python clients: run.sh ENGINE_PATH WORK_DIR [GAMES]
#
# First clients that need nothing but Python: draughtsnet's and py-draughts' ways of speaking. Then lidraughts-bot's, and the
# example of the README. Then both versions of pydraughts, Russian and Brazilian, with one process for both sides and with one for
# each; pydraughts 0.6.7 also plays over DXP and reads the games of a match.
# Exit code: 0 all went through, 1 something failed, 2 bad arguments, 77 the clients cannot be installed here.
set -euo pipefail

if [ $# -lt 2 ] || [ $# -gt 3 ]; then
    echo "usage: run.sh ENGINE_PATH WORK_DIR [GAMES]" >&2
    exit 2
fi
games=${3:-2}
if ! [[ $games =~ ^[1-9][0-9]*$ ]]; then
    echo "run.sh: GAMES must be a number from 1: $games" >&2
    exit 2
fi
if [ ! -f "$1" ] || [ ! -x "$1" ]; then
    echo "run.sh: not an executable file: $1" >&2
    exit 2
fi
engine=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
work=$(cd "$2" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

passed=0
failed=0
run() {
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
}

# Not a silent pass: whoever reads the output must see that no library of a client ran.
skip() {
    [ "$failed" -eq 0 ] || exit 1
    echo "SKIPPED: $1; NO CLIENT LIBRARY HAS RUN"
    exit 77
}

# One environment a version. The list of what is in it is written last, so a half-made one is made again.
install() {
    local version=$1 env=$work/pydraughts-$1 log=$work/pydraughts-$1.log
    if [ "$(cat "$env/complete" 2>/dev/null)" = "$*" ] && "$env/bin/python" -c "import draughts.engine" 2>/dev/null; then
        return
    fi
    rm -rf "$env"
    python3 -m venv "$env" >"$log" 2>&1 || skip "python3 -m venv fails, see $log"
    # Both versions import msl-loadlib for their CheckerBoard engines, also where only Hub is used.
    "$env/bin/python" -m pip install --disable-pip-version-check --no-input "pydraughts==$version" "${@:2}" \
        >>"$log" 2>&1 || skip "pip cannot install pydraughts $version, see $log"
    "$env/bin/python" -c "import draughts.engine" >>"$log" 2>&1 || skip "pydraughts $version cannot be imported, see $log"
    echo "$*" >"$env/complete"
}

command -v python3 >/dev/null || skip "python3 is missing"
python3 -c "import sys; sys.exit(sys.version_info < (3, 8))" || skip "python3 is older than 3.8"
for variant in russian brazilian; do
    run python3 -B "$here/play_draughtsnet.py" "$engine" --variant "$variant"
done
run python3 -B "$here/play_py_draughts.py" "$engine"

python3 -c "import venv, ensurepip" 2>/dev/null || skip "python3 has no venv or no pip"
install 0.6.7 msl-loadlib==0.10.0
# lidraughts-bot reads its settings with PyYAML.
install 0.5.7 msl-loadlib==0.9.0 PyYAML==6.0.3

for variant in russian brazilian; do
    run "$work/pydraughts-0.5.7/bin/python" -B "$here/play_lidraughts_bot.py" "$engine" --variant "$variant"
done
run "$work/pydraughts-0.6.7/bin/python" -B "$here/run_readme.py" "$engine"

play() {
    run "$work/pydraughts-$1/bin/python" -B "$here/play_pydraughts.py" "$engine" --games "$games" \
        --timeout $((240 + 60 * games)) "${@:2}"
}

# 0.6.7 reads moves in PDN numbers, hence squares=pdn; 0.5.7 needs no setting.
for variant in russian brazilian; do
    for mode in "" --two-processes; do
        play 0.6.7 --variant "$variant" --squares pdn ${mode:+"$mode"}
        play 0.5.7 --variant "$variant" --squares default ${mode:+"$mode"}
    done
done
# Over DXP the client is the initiator; it is the same in both versions.
for variant in russian brazilian; do
    run "$work/pydraughts-0.6.7/bin/python" -B "$here/play_dxp.py" "$engine" --games "$games" --variant "$variant" \
        --timeout $((240 + 60 * games))
done
# The games of a match as PDN, read by pydraughts: it must find every move legal, and the results of lost positions right.
for variant in russian brazilian; do
    pdn=$work/$variant.pdn
    if "$engine" match --engine self:hash=1 --engine self:hash=1,net=material --variant "$variant" --openings fmjd-64 \
        --time-control nodes=300 --games $((2 * games)) --journal none --pdn "$pdn" >"$work/$variant.txt" 2>&1 &&
        "$work/pydraughts-0.6.7/bin/python" -B "$here/check_games.py" "$pdn"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done
echo "clients: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

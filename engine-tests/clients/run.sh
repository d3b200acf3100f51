#!/usr/bin/env bash
# Drives an engine by the real Python clients: run.sh ENGINE_PATH WORK_DIR [GAMES]
#
# Both versions of pydraughts, Russian and Brazilian, with one process for both sides and with one for each; then
# pydraughts 0.6.7 plays over DXP and reads the games of a match.
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

# Not a silent pass: whoever reads the output must see that no client ran.
skip() {
    echo "SKIPPED: $1; NO CLIENT HAS RUN"
    exit 77
}

# One environment a version. The mark is written last, so a half-made one is made again.
install() {
    local version=$1 helper=$2 env=$work/pydraughts-$1 log=$work/pydraughts-$1.log
    if [ -f "$env/complete" ] && "$env/bin/python" -c "import draughts.engine" 2>/dev/null; then
        return
    fi
    rm -rf "$env"
    python3 -m venv "$env" >"$log" 2>&1 || skip "python3 -m venv fails, see $log"
    # Both versions import msl-loadlib for their CheckerBoard engines, also where only Hub is used.
    "$env/bin/python" -m pip install --disable-pip-version-check --no-input "pydraughts==$version" "msl-loadlib==$helper" \
        >>"$log" 2>&1 || skip "pip cannot install pydraughts $version, see $log"
    "$env/bin/python" -c "import draughts.engine" >>"$log" 2>&1 || skip "pydraughts $version cannot be imported, see $log"
    touch "$env/complete"
}

command -v python3 >/dev/null || skip "python3 is missing"
python3 -c "import sys; sys.exit(sys.version_info < (3, 8))" || skip "python3 is older than 3.8"
python3 -c "import venv, ensurepip" 2>/dev/null || skip "python3 has no venv or no pip"
install 0.6.7 0.10.0
install 0.5.7 0.9.0

passed=0
failed=0
play() {
    local version=$1
    shift
    if "$work/pydraughts-$version/bin/python" -B "$here/play_pydraughts.py" "$engine" --games "$games" \
        --timeout $((240 + 60 * games)) "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
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
    if "$work/pydraughts-0.6.7/bin/python" -B "$here/play_dxp.py" "$engine" --games "$games" --variant "$variant" \
        --timeout $((240 + 60 * games)); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
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

#!/usr/bin/env python3
"""Counts leaves with Mainroad and with other implementations, in turns, and prints the ratios of their speeds.

    cargo build --release
    python3 benches/compare/compare.py /tmp/mainroad-compare

The argument is a folder for the other implementations: each is installed there once, from PyPI, in an environment of its own and
in the version named below. Each round runs both sides once; the best round of each counts, since other processes can only
slow a run down. Both sides use one thread and no hash table, and count the moves of the last ply without making them.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Other:
    """An implementation that can be installed with pip, and how it is asked to count."""

    def __init__(self, package, version, command, answer):
        self.package = package
        self.version = version
        self.command = command
        self.answer = re.compile(answer)

    def install(self, folder):
        """Makes an environment with the package, unless it is there, and returns its folder of programs."""
        home = folder / f"{self.package}-{self.version}"
        if not (home / "installed").exists():
            print(f"installing {self.package} {self.version}", file=sys.stderr)
            subprocess.run([sys.executable, "-m", "venv", home], check=True)
            pip = [home / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, f"{self.package}=={self.version}"], check=True)
            (home / "installed").touch()
        return home / "bin"

    def count(self, programs, game, depth):
        """Returns the number of leaves and the seconds that it took."""
        program, *arguments = self.command(game, depth)
        leaves, seconds = run([programs / program, *arguments], self.answer)
        return int(leaves), float(seconds)


# Pure Python; the first is the fastest of them by its own account, and the only one that merges captures as Mainroad does.
PY_DRAUGHTS = Other(
    "py-draughts",
    "1.10.1",
    lambda game, depth: ["python", HERE / "with_py_draughts.py", game, str(depth)],
    r"(\d+) leaves (\S+) s",
)
PYDRAUGHTS = Other(
    "pydraughts",
    "0.6.7",
    lambda game, depth: ["python", HERE / "with_pydraughts.py", game, str(depth)],
    r"(\d+) leaves (\S+) s",
)
# Compiled from Rust. It knows only the game on 100 squares, whose rules are the Brazilian ones on the larger board.
DAME = Other(
    "dame-rs",
    "0.2.0",
    lambda game, depth: ["dame", "perft", str(depth)],
    r"= (\d+) in (\S+)s",
)

# The other implementation, the game and its depth; Mainroad's game and its depth; whether the leaves must be the same. Where the
# boards differ, the depths are such that the trees are of like size. All ways to count captures agree to depth 7 from the start.
COMPARISONS = [
    (PY_DRAUGHTS, "russian", 7, "russian", 7, True),
    (PY_DRAUGHTS, "brazilian", 7, "brazilian", 7, True),
    (PYDRAUGHTS, "russian", 5, "russian", 5, True),
    (PYDRAUGHTS, "brazilian", 5, "brazilian", 5, True),
    (DAME, "10x10", 9, "brazilian", 11, False),
]


def run(command, answer):
    """Runs a program and returns the groups of the last match of a pattern in what it prints."""
    done = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
    found = list(answer.finditer(done.stdout))
    if not found:
        sys.exit(f"{command[0]} answered {done.stdout!r}")
    return found[-1].groups()


def count_with_mainroad(program, game, depth):
    """Returns the number of leaves and the leaves in a second, by the best of some runs, since a run is short."""
    command = [program, "perft", str(depth), "--variant", game]
    answer = re.compile(r"(\d+) nodes (\d+) nps")
    runs = [run(command, answer) for _ in range(5)]
    return int(runs[0][0]), max(int(nps) for _, nps in runs)


def compare(options, other, game, depth, own_game, own_depth, is_same):
    """Runs one comparison and prints its line."""
    programs = other.install(options.folder)
    best, own_best = 0, 0
    for _ in range(options.rounds):
        leaves, seconds = other.count(programs, game, depth)
        best = max(best, leaves / seconds)
        own_leaves, own_nps = count_with_mainroad(options.mainroad, own_game, own_depth)
        own_best = max(own_best, own_nps)
        if is_same and leaves != own_leaves:
            sys.exit(f"{other.package} {game} depth {depth}: {leaves} leaves, Mainroad has {own_leaves}")
    name = f"{other.package} {other.version}"
    print(
        f"{name:20} {game:9} {depth:2}  {best / 1e6:10.4f} M/s   "
        f"{own_game:9} {own_depth:2}  {own_best / 1e6:8.1f} M/s  {own_best / best:9.0f}",
        flush=True,
    )


def main():
    """Runs all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the other implementations are installed")
    parser.add_argument("--mainroad", type=Path, default=ROOT / "target" / "release" / "mainroad", help="the program")
    parser.add_argument("--rounds", type=int, default=5, help="how often both sides run, in turns")
    options = parser.parse_args()
    print(f"{'other':20} {'game':9} depth  leaves         {'Mainroad':9} depth leaves        ratio")
    for comparison in COMPARISONS:
        compare(options, *comparison)


if __name__ == "__main__":
    main()

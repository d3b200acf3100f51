#!/usr/bin/env python3
"""Measures what more search threads are worth: the time to a depth and the nodes per second, beside those of one thread.

    cargo build --release
    python3 benches/compare/threads.py --depth 22 --threads 2

The first ballots (64, or --positions) of book/ballots/fmjd-64.tsv are searched to the depth with one thread and with more, in
turns, each time as a new game, without book and tables. Some positions gain and others lose, so many are needed: the total says what is saved altogether, and the
geometric mean counts every position alike. Run it on a machine that has the cores to spare.
"""

import argparse
import math
import statistics
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ENGINE = ROOT / "target" / "release" / "mainroad"
BALLOTS = ROOT / "book" / "ballots" / "fmjd-64.tsv"
PIECES = {"W": "w", "B": "b"}


def hub_position(fen):
    """Writes a FEN of men in the form of the Hub protocol."""
    turn, *sides = fen.split(":")
    squares = ["e"] * 32
    for side in sides:
        for square in side[1:].split(","):
            squares[int(square) - 1] = PIECES[side[0]]
    return turn + "".join(squares)


class Engine:
    """The engine, spoken to in Hub."""

    def __init__(self, threads, hash_mib):
        command = [ENGINE, "hub", "--threads", str(threads), "--hash", str(hash_mib), "--book", "none", "--tables", "none"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.send("init")
        self.lines_to("ready")

    def send(self, line):
        """Sends a line."""
        print(line, file=self.process.stdin, flush=True)

    def lines_to(self, word):
        """Returns the lines up to one that begins with a word."""
        lines = []
        for line in self.process.stdout:
            lines.append(line.split())
            if line.startswith(word):
                return lines
        raise SystemExit("the engine has left")

    def search(self, position, depth):
        """Searches a position to a depth, and returns the seconds and the nodes."""
        for line in ("new-game", f"pos pos={position}", f"level depth={depth}", "go analyze"):
            self.send(line)
        info = [line for line in self.lines_to("done") if line[0] == "info"][-1]
        values = dict(item.split("=", 1) for item in info if "=" in item)
        return float(values["time"]), int(values["nodes"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--depth", type=int, default=22)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--hash", type=int, default=64, help="MiB")
    parser.add_argument("--positions", type=int, default=64, help="how many, at least 2")
    arguments = parser.parse_args()
    if arguments.positions < 2:
        parser.error(f"--positions {arguments.positions}: expected at least 2")

    positions = [hub_position(line.split("\t")[1]) for line in BALLOTS.read_text().splitlines()[1:]]
    one, many = Engine(1, arguments.hash), Engine(arguments.threads, arguments.hash)
    results = []
    for position in positions[: arguments.positions]:
        results.append((one.search(position, arguments.depth), many.search(position, arguments.depth)))
    seconds = [sum(result[side][0] for result in results) for side in (0, 1)]
    nodes = [sum(result[side][1] for result in results) for side in (0, 1)]
    ratios = [alone[0] / together[0] for alone, together in results if together[0] > 0]
    print(f"{len(results)} positions to depth {arguments.depth}: 1 thread {seconds[0]:.1f} s, {arguments.threads} threads {seconds[1]:.1f} s")
    print(f"time to depth: {seconds[0] / seconds[1]:.2f} altogether, {statistics.geometric_mean(ratios):.2f} in the geometric mean")
    print(f"nodes per second: {nodes[0] / seconds[0] / 1e6:.2f} and {nodes[1] / seconds[1] / 1e6:.2f} million, {nodes[1] / seconds[1] / nodes[0] * seconds[0]:.2f} times")
    deviation = statistics.stdev(math.log(ratio) for ratio in ratios)
    print(f"standard error of the geometric mean: {100 * deviation / math.sqrt(len(ratios)):.0f}%")


main()

#!/usr/bin/env python3
"""Drives an engine as draughtsnet does, the program behind the server analysis and the computer opponent of lidraughts.

It sets parameters the engine may not have, after `init` and between `level` and `go`; it sends one `level` line for each
limit; it reads lines by splitting at blanks, so that a quoted value without a blank breaks it; it wants a score in
every analysis; and it has every position of a game analysed, from the last to the first, the final one included.

Needs nothing but Python. Exit code 0 when all went through, 1 otherwise.
"""

import argparse
import re
import sys

from pipe import Fault, Pipe

START = "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"
LOST = "Weeeeeeeebeeeeeeeeeeeeeeeeeeeeeee"  # White has no piece
LEVELS = [(1, 8), (3, 6), (5, 4), (8, 0)]  # of the computer opponent: its number and its handicap
MOVE = re.compile(r"^\d+(-\d+|(x\d+){2,})$")


def fields(line):
    """The word and the arguments of a line: split at blanks, and a value that opens a quote goes on to the next word."""
    word, *rest = line.split(" ")
    values = {}
    while rest:
        name, value = rest.pop(0).split("=")
        if value.startswith('"'):
            value = value[1:]
            while True:
                if not rest:
                    raise Fault(f"quoted, but one word: {line}")
                value += " " + rest.pop(0)
                if value.endswith('"'):
                    break
            value = value[:-1]
        values[name] = value
    return word, values


class Worker:
    """One engine of draughtsnet."""

    def __init__(self, path, variant):
        self.pipe = Pipe(path)
        self.variant = variant
        self.analysed = 0

    def start(self):
        """The handshake: the variants are what stands behind the last equals sign."""
        self.pipe.send("hub")
        variants = ""
        while (line := self.pipe.recv()) != "wait":
            if line.startswith("param name=variant"):
                variants = line.rsplit("=", 1)[1].strip('"').split()
            elif line.startswith("id "):
                _, known = fields(line)
                if not known.get("name") or not known.get("version"):
                    raise Fault(f"no name or version: {line}")
        if self.variant not in variants:
            raise Fault(f"{self.variant} is not among {variants}")
        for name, value in {"threads": 1, "tt-size": 21, "bb-size": 0, "variant": self.variant}.items():
            self.pipe.send(f"set-param name={name} value={value}")
        self.pipe.send("init")
        while self.pipe.recv() != "ready":
            pass

    def go(self, position, moves, levels, mode, most_nodes=None):
        """One search. Returns the last report and the move."""
        self.pipe.send(f'pos pos={position} moves="{" ".join(moves)}"' if moves else f"pos pos={position}")
        for level in levels:
            self.pipe.send(level)
        self.pipe.send(f"go {mode}")
        report = {}
        is_stopped = False
        while True:
            word, values = fields(self.pipe.recv())
            if word == "info":
                report.update(values)
                nodes = int(values["nodes"])
                if most_nodes and not is_stopped and (nodes > most_nodes or int(values["depth"]) > 50):
                    self.pipe.send("stop")
                    is_stopped = True
            elif word == "done":
                move = values.get("move")
                if move is not None and not MOVE.match(move):
                    raise Fault(f"no move: {move}")
                return report, move
            else:
                raise Fault(f"in a search: {word} {values}")

    def play(self, level, handicap, most_plies):
        """A game against itself, each move with limits that accumulate and parameters in between."""
        moves = []
        self.pipe.send("new-game")
        while len(moves) < most_plies:
            limits = [f"level handicap={handicap}", f"level ply={len(moves)}", f"level nodes={50 * level}"]
            limits += ["set-param name=eval value=pst", "set-param name=book-margin value=100"]
            limits += [f"set-param name=book-ply value={level}", f"level depth={2 + level}", "level move-time=0.05"]
            _, move = self.go(START, moves, limits, "think")
            if move is None:
                break
            moves.append(move)
        return moves

    def analyse(self, moves, nodes):
        """Every position of a game, backwards: each has a score, but for one in which nothing can be played."""
        limits = ["level move-time=4", f"level nodes={nodes}"]
        for count in range(len(moves), -1, -1):
            report, move = self.go(START, moves[:count], limits, "analyze", nodes)
            if move is None and count == len(moves):
                continue
            if move is None:
                raise Fault(f"no move after {moves[:count]}")
            float(report["score"])
            if int(report["nodes"]) > 2 * nodes:
                raise Fault(f"{report['nodes']} nodes, limit {nodes}")
            if report["pv"].split()[0] != move:
                raise Fault(f"{move} is not the first of {report['pv']}")
            self.analysed += 1
        if self.go(LOST, [], limits, "analyze") != ({}, None):
            raise Fault("a position that is lost is answered by a bare done")

    def run(self, most_plies):
        """Everything."""
        self.start()
        plies = 0
        for level, handicap in LEVELS:
            moves = self.play(level, handicap, most_plies)
            plies += len(moves)
            self.pipe.send("new-game")
            self.analyse(moves, 5000)
        self.pipe.quit()
        print(f"draughtsnet, {self.variant}: {len(LEVELS)} games, {plies} plies, {self.analysed} positions analysed")


def main():
    """Run for one engine."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", metavar="ENGINE_PATH")
    parser.add_argument("--variant", default="russian")
    parser.add_argument("--max-plies", type=int, default=60)
    args = parser.parse_args()
    worker = Worker(args.engine, args.variant)
    try:
        worker.run(args.max_plies)
    except (Fault, ValueError, KeyError) as error:
        print(f"FAILED: draughtsnet: {type(error).__name__}: {error}")
        return 1
    finally:
        worker.pipe.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())

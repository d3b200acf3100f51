#!/usr/bin/env python3
"""Lists the moves that gave away the most, from the output of `mainroad analyse --json`.

    mainroad analyse games.pdn --depth 12 --json | python3 worst_moves.py

Needs nothing but Python 3.8 or newer. Each line of the input is one object, for a position and the move that was played in it. Positions
that stand alone, from `--fen -`, have no such move; they are only counted.
"""

import json
import sys

SHOWN = 10


def main():
    """Read the objects, and print the worst moves and the accuracy of each player."""
    moves, summaries, bad, alone = [], [], [], 0
    for line in sys.stdin:
        if not line.strip():
            continue
        position = json.loads(line)
        if "error" in position:
            bad.append(position["error"])
            continue
        if position.get("file") is None:
            alone += 1
            continue
        game = (position["file"], position["game"])
        if position["mark"]:
            moves.append((position["expected_loss"], game, position))
        if "summary" in position:
            summaries.append((game, position["summary"]))

    moves.sort(key=lambda move: -move[0])
    for loss, (file, number), position in moves[:SHOWN]:
        better = position["lines"][0]["pv"][0]
        ply = position["ply"] + 1
        print(f"{file} game {number} ply {ply}: {position['played']}{position['mark']} lost {loss:.3f}, better {better}")
    for (file, number), summary in summaries:
        for side in ("white", "black"):
            player = summary[side]
            if player["accuracy"] is not None:
                print(f"{file} game {number} {side}: accuracy {player['accuracy']:.1f} in {player['moves']} moves")
    if alone:
        print(f"{alone} positions of no game, in which no move was played")
    for error in bad:
        print(error)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # whoever reads the list has seen enough
        sys.stderr.close()

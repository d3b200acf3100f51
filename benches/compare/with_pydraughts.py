"""Counts the leaves from the start with pydraughts: with_pydraughts.py GAME DEPTH. Run by compare.py."""

import sys
from time import perf_counter

from draughts.core.game import Game


def perft(game, depth):
    """Counts the leaves; the moves of the last ply are not made."""
    moves, _ = game.legal_moves()
    if depth == 1:
        return len(moves)
    leaves = 0
    for move in moves:
        game.push(move)
        leaves += perft(game, depth - 1)
        game.pop()
    return leaves


game = Game(variant=sys.argv[1])
started = perf_counter()
count = perft(game, int(sys.argv[2]))
print(f"{count} leaves {perf_counter() - started:.6f} s")

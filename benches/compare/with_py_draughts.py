"""Counts the leaves from the start with py-draughts: with_py_draughts.py GAME DEPTH. Run by compare.py."""

import sys
from time import perf_counter

from draughts import BrazilianBoard, RussianBoard


def perft(board, depth):
    """Counts the leaves; the moves of the last ply are not made."""
    moves = board.legal_moves
    if depth == 1:
        return len(moves)
    leaves = 0
    for move in moves:
        board.push(move)
        leaves += perft(board, depth - 1)
        board.pop()
    return leaves


board = {"russian": RussianBoard, "brazilian": BrazilianBoard}[sys.argv[1]]()
started = perf_counter()
count = perft(board, int(sys.argv[2]))
print(f"{count} leaves {perf_counter() - started:.6f} s")

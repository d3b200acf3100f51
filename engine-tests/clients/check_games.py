"""Reads PDN files with pydraughts and checks that it finds every move legal: check_games.py FILE ...

Prints the number of games and moves. Exit code 1 if a game cannot be read, a move is not legal, or a result by the
rules (a side without a move) is not the one in the file.
"""

import sys

from draughts import Board
from draughts.PDN import PDNReader


def check(game):
    """Replays a game and returns its number of moves."""
    fen = game.tags.get("FEN", "startpos")
    board = Board(variant=game.variant, fen=fen)
    # Where Black begins, pydraughts 0.6.7 has the first move twice.
    moves = game.moves[1:] if fen.startswith("B") else game.moves
    for ply, text in enumerate(moves, 1):
        legal = {squares(move): move for move in board.legal_moves()}
        fitting = {key: move for key, move in legal.items() if matches(key, text)}
        # Other ways to take the same pieces between the same squares lead to the same position.
        results = {(path[0], path[-1], captures) for path, captures in fitting}
        if len(results) != 1:
            raise ValueError(f"ply {ply}: {text}: {len(results)} legal moves fit, of {sorted(legal)}")
        board.push(next(iter(fitting.values())))
    lost = not board.legal_moves()
    says = game.tags["Termination"] in ("no-pieces", "blocked")
    if lost != says:
        raise ValueError(f"without a move: {lost}, in the file: {game.tags['Termination']}")
    if lost:
        white_lost = board.turn == 2
        if game.tags["Result"] != ("0-1" if white_lost else "1-0"):
            raise ValueError(f"the loser moves, but the result is {game.tags['Result']}")
    return len(moves)


def split(path):
    """Returns the texts of the games of a file: pydraughts takes hours for a file of 500."""
    with open(path, encoding="utf8") as file:
        return ["[Event " + part for part in file.read().split("[Event ")[1:]]


def squares(move):
    """Returns the squares of a move of pydraughts in letters, and the captured ones."""
    path = [name(square) for square in move.steps_move]
    return tuple(path), tuple(sorted(name(square) for square in move.captures or []))


def name(number):
    """Returns the letters of a square that pydraughts numbers from a1."""
    row, place = divmod(number - 1, 4)
    return "abcdefgh"[2 * place + row % 2] + str(row + 1)


def matches(key, text):
    """Says whether a text is that of a move: its ends, and in order what it names in between."""
    path, captures = key
    names = text.replace(":", "-").replace("x", "-").split("-")
    if bool(captures) != (":" in text or "x" in text):
        return False
    if names[0] != path[0] or names[-1] != path[-1]:
        return False
    rest = iter(path[1:-1])
    return all(square in rest for square in names[1:-1])


def main(paths):
    """Checks all files."""
    games = moves = faults = 0
    for path in paths:
        for number, text in enumerate(split(path), 1):
            games += 1
            try:
                (game,) = PDNReader(pdn_text=text).games
                moves += check(game)
            except (ValueError, KeyError) as error:
                faults += 1
                print(f"{path}: game {number}: {error}")
    print(f"pydraughts: {games} games, {moves} moves, {faults} faults")
    return 1 if faults or not games else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Whole games through pydraughts' own DXPEngine, to prove that a real client can play the engine over DXP.

The client is the initiator, keeps the board, judges the engine's moves and decides when a game is over. A move that
it does not find in its own list it only logs, and then waits for ever: here that is an illegal move. The moves of the
other side are random. In games in which the engine is first to move, moves are taken back, once so that the engine is
to move and once so that the client is; in the others the client itself does not know whose turn it then is. Needs pydraughts 0.6; 0.5.7 has the same client on another interface.

Exit code 0 when every game went through; 1 after an illegal move, an answer that the client did not expect, an
exception or a hang; 2 for bad arguments.
"""

import argparse
import logging
import os
import random
import re
import subprocess
import sys
import threading
import time
import traceback
import types

import draughts
import draughts.engines.dxp_communication.dxp_classes as dxp_classes
from draughts.engine import DXPEngine

# The client sleeps seven seconds while it closes a connection.
dxp_classes.time = types.SimpleNamespace(sleep=lambda seconds: time.sleep(min(seconds, 0.05)))


class Fault(Exception):
    """Something the engine did wrong."""


class Complaints(logging.Handler):
    """What the client logs and nobody is told."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.dialogue = []

    def emit(self, record):
        text = record.getMessage()
        self.dialogue.append(text)
        if "illegal" in text or "Unknown message" in text:
            fail(f"the client says: {text}", self.dialogue)


def fail(text, dialogue=()):
    """End at once, from any thread: the client's own threads never end."""
    for line in list(dialogue)[-12:]:
        print(f"    {line}", flush=True)
    print(f"FAILED: {text}", flush=True)
    if SERVER:
        SERVER[0].kill()
    os._exit(1)


SERVER = []


def listen(args):
    """Start the engine and return the port it listens on."""
    command = [args.engine, "dxp", "listen", "--port", "0", "--variant", args.variant, "--threads", "1"]
    command += ["--hash", "16", "--move-time", str(args.move_time), "--squares", args.squares]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    SERVER.append(server)
    line = server.stderr.readline()
    found = re.search(r"listening on .*:(\d+)$", line.strip())
    if not found:
        raise Fault(f"it does not say where it listens: {line!r}")
    threading.Thread(target=lambda: server.stderr.read(), daemon=True).start()
    return found.group(1)


def opening(variant, rng):
    """A position after a few random moves, so that games differ; the first side is to move."""
    board = draughts.Board(variant)
    for _ in range(2 * rng.randint(0, 3)):
        board.push(rng.choice(board.legal_moves()))
    return draughts.Board(variant, fen=board.fen)


def play_game(args, number, port, rng, complaints):
    """One game to its end by the client's rules; returns its plies."""
    complaints.dialogue.clear()
    board = opening(args.variant, rng)
    engine = DXPEngine(options={"port": port, "initial-time": 60 if number % 3 == 0 else 0})
    engine_side = number % 2  # 0: the first to move
    takebacks = [rng.randint(6, 12), rng.randint(14, 20)] if engine_side == 0 else []
    while not board.is_over() and len(board.move_stack) < args.max_plies:
        plies = len(board.move_stack)
        if plies % 2 != engine_side:
            board.push(rng.choice(board.legal_moves()))
            continue
        if takebacks and plies >= takebacks[0] and engine.game_started:
            # The engine has to be told the last move before it is taken back.
            board.push(engine.play(board).move)
            if board.is_over():
                break
            takebacks.pop(0)
            board = take_back(engine, board, engine_side if takebacks else 1 - engine_side)
            continue
        board.push(engine.play(board).move)
    if engine.game_started:
        engine.quit()
    result = {draughts.WHITE: "1-0", draughts.BLACK: "0-1"}.get(board.winner(), "1/2-1/2")
    if not board.is_over():
        result = "unfinished, most plies reached"
    print(f"game {number}: {len(board.move_stack)} plies, {result}", flush=True)
    return len(board.move_stack)


def take_back(engine, board, side):
    """Go back two full moves or so, to a position in which a side, 0 or 1 in the order of moves, is to move."""
    number = len(board.move_stack) // 2 - 1
    first = draughts.Board(board.variant, fen=board.initial_fen).turn
    color = first if side == 0 else (draughts.BLACK if first == draughts.WHITE else draughts.WHITE)
    accepted, board, answer = engine.takeback(number, color)
    if not accepted:
        raise Fault(f"it does not take back move {number}")
    if answer.move is not None and (not board.move_stack or board.move_stack[-1].hub_move != answer.move.hub_move):
        board.push(answer.move)
    return board


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", metavar="ENGINE_PATH")
    parser.add_argument("--variant", choices=["russian", "brazilian"], default="russian")
    parser.add_argument("--squares", choices=["pdn", "hub"], default="pdn", help="pdn is what the client needs")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--move-time", type=float, default=0.02, help="seconds per move where the client gives no time")
    parser.add_argument("--max-plies", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=300, help="seconds for the whole run")
    return parser.parse_args()


def main():
    """Run, and on any failure show the dialogue and leave no engine behind."""
    args = arguments()
    print(f"pydraughts {draughts.__version__} over DXP, {args.variant}, squares {args.squares}", flush=True)
    complaints = Complaints()
    logger = logging.getLogger("pydraughts")
    logger.setLevel(logging.DEBUG)
    logger.addHandler(complaints)
    logger.propagate = False
    watchdog = threading.Timer(args.timeout, lambda: fail(f"not ready after {args.timeout} s", complaints.dialogue))
    watchdog.daemon = True
    watchdog.start()
    try:
        rng = random.Random(args.seed)
        port = listen(args)
        plies = sum(play_game(args, number, port, rng, complaints) for number in range(1, args.games + 1))
        if SERVER[0].poll() is not None:
            raise Fault(f"the engine has left with code {SERVER[0].returncode}")
    except BaseException as error:
        if not isinstance(error, Fault):
            traceback.print_exc()
        fail(f"{type(error).__name__}: {error}", complaints.dialogue)
    SERVER[0].kill()
    print(f"{args.games} games, {plies} plies, 0 illegal", flush=True)
    sys.stdout.flush()
    os._exit(0)  # the client's threads may still be waiting


if __name__ == "__main__":
    main()

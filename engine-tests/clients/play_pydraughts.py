#!/usr/bin/env python3
"""Whole games through pydraughts' own HubEngine, to prove that a real client can use the engine.

The client keeps the board, sends every position, reads every answer and decides when a game is over; this
script only asks it for the next move and compares. It runs unchanged under pydraughts 0.6.7 and 0.5.7, whose
interfaces differ. A move of the engine is legal when its from square, its final square and its set of captured
squares, in the numbers the client reads, are those of a move in the client's own list.

Exit code 0 when every game went through; 1 after an illegal move, an answer that the client did not expect,
an exception or a hang; 2 for bad arguments.
"""

import argparse
import collections
import logging
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import traceback

import draughts
import draughts.engine
from draughts.engine import HubEngine, Limit

MOVE_TEXT = re.compile(r"^\d{1,2}(-\d{1,2}|(x\d{1,2}){2,})$")
PONDER_EVERY = 5  # one process: every so many moves of the engine it ponders
PV_EVERY = 8  # every so many searches the whole pv is played out on the client's board


class Fault(Exception):
    """Something the engine did wrong."""


class Choice:
    """One move of the client's list, with the key by which moves are compared."""

    def __init__(self, board_move, captures, native):
        victims = [square for square in captures if square is not None]
        self.board_move = board_move
        self.native = native  # what the client's push() takes
        self.quiet = not victims
        self.key = (board_move[0][0], board_move[-1][1], frozenset(victims))

    def __str__(self):
        start, end, victims = self.key
        return "-".join(map(str, (start, end))) if self.quiet else "x".join(map(str, [start, end, *sorted(victims)]))


class Game06:
    """A game on the board of pydraughts 0.6: push() takes Move objects, 8x8 squares are counted from a1."""

    complete_lists = True

    def __init__(self, variant, board=None):
        self.variant = variant
        self.board = board or draughts.Board(variant)
        self.rules = self.board._game

    def choices(self):
        """The client's list of legal moves."""
        return [Choice(move.board_move, move.captures, move) for move in self.board.legal_moves()]

    def native(self, move):
        """The form in which a move of the engine is pushed."""
        return move


class Game05:
    """A game on the board of pydraughts 0.5: push() takes lists of jumps, squares are counted in hub order."""

    def __init__(self, variant, board=None):
        self.variant = variant
        self.board = board or draughts.Game(variant)
        self.rules = self.board
        # Its Russian list also has unfinished captures and free landings of kings.
        self.complete_lists = variant != "russian"

    def choices(self):
        """The client's list of legal moves."""
        return [Choice(move, captures, move) for move, captures in zip(*self.board.legal_moves())]

    def native(self, move):
        """The form in which a move of the engine is pushed."""
        return move.board_move


GAME = Game06 if hasattr(draughts, "Board") else Game05


def plies(game):
    """How many moves have been played."""
    return len(game.board.move_stack)


def history(game):
    """The moves so far, as the client will send them."""
    return [move.hub_move for move in game.board.move_stack]


def after(game, choice):
    """A copy of the game with one more move, so that the game itself stays as it is."""
    copy = type(game)(game.variant, game.board.copy())
    copy.board.push(choice.native)
    return copy


def same_position(one, other):
    """Whether the game has gone as expected; texts of captures may differ in their order."""
    return plies(one) == plies(other) and one.rules.get_fen() == other.rules.get_fen()


def describe(game):
    """All that is needed to set up the position again."""
    moves = " ".join(history(game))
    return f'ply {plies(game)}, {game.rules.get_fen()}, reached by pos={game.rules.initial_hub_fen} moves="{moves}"'


def outcome(game):
    """Result and reason, as the client sees them."""
    if not game.board.is_over():
        return "unfinished, most plies reached"
    winner = game.rules.get_winner()
    if winner == draughts.WHITE:
        return "1-0, Black cannot move"
    if winner == draughts.BLACK:
        return "0-1, White cannot move"
    return "1/2-1/2, repetition" if game.rules.is_threefold() else "1/2-1/2, by count"


def agreed(game):
    """Moves every client calls legal: all, or only quiet ones where this client's captures are doubtful."""
    choices = game.choices()
    if game.complete_lists:
        return choices
    return choices if all(choice.quiet for choice in choices) else []


def match(game, text, what):
    """The move of the client's list that the text names.

    Routes with equal ends and captures lead to the same position (also in crowning: who takes a piece on the
    seventh row as a man stands on the eighth); the client takes the last of them, and so does this.
    """
    if not MOVE_TEXT.match(text):
        raise Fault(f"{what} {text!r} is not a move in Hub notation")
    numbers = [int(part) for part in re.split("[-x]", text)]
    key = (numbers[0], numbers[1], frozenset(numbers[2:]))
    choices = game.choices()
    found = [choice for choice in choices if choice.key == key]
    if not found or len(numbers) - 2 != len(key[2]) or found[0].quiet != ("-" in text):
        legal = " ".join(sorted({str(choice) for choice in choices}))
        raise Fault(f"illegal {what} {text}; legal: {legal or 'none'}; {describe(game)}")
    return found[-1]


class Complaints(logging.Handler):
    """Collects what the client logs about answers it did not expect (it goes on reading after them)."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.seen = []

    def emit(self, record):
        self.seen.append(record.getMessage())

    def check(self):
        """Fail if there was any."""
        if self.seen:
            raise Fault("the client says: " + "; ".join(self.seen))


class Engine(HubEngine):
    """The client's HubEngine with a transcript; what is sent and how it is read is not changed."""

    def __init__(self, command, watchdog):
        self.watchdog = watchdog
        self.transcript = collections.deque(maxlen=24)
        self.answer = None
        self.position = "before the first position"
        self.waiting_since = None
        self.ponder = None
        super().__init__(command)

    def _open_process(self, *args, **kwargs):
        """Known to the watchdog before the first read, which has no time-out."""
        self.p = super()._open_process(*args, **kwargs)
        self.watchdog.engines.append(self)
        return self.p

    def send(self, line):
        self.transcript.append("> " + line)
        super().send(line)

    def recv(self):
        self.waiting_since = time.monotonic()
        try:
            line = super().recv()
        except EOFError:
            raise Fault(f"the engine has closed its output ({self.position})") from None
        finally:
            self.waiting_since = None
        self.transcript.append("< " + line)
        return line

    def go(self, *args, **kwargs):
        """Keeps the text of the answer, because play() raises on a move it cannot find."""
        self.answer = None
        self.answer = super().go(*args, **kwargs)
        return self.answer


class Watchdog(threading.Thread):
    """Ends a run that hangs: the client itself has no time-out anywhere."""

    def __init__(self, seconds, answer_seconds):
        super().__init__(daemon=True)
        self.engines = []
        self.finished = threading.Event()
        self.failing = threading.Lock()
        self.seconds = seconds
        self.answer_seconds = answer_seconds
        self.deadline = time.monotonic() + seconds

    def run(self):
        while not self.finished.wait(0.2):
            reason = self.reason()
            if reason:
                self.fail(reason)

    def reason(self):
        """Why the run has to end now, or None."""
        now = time.monotonic()
        if now > self.deadline:
            return f"the run took more than {self.seconds:g} s"
        for engine in list(self.engines):
            since = engine.waiting_since
            if since is not None and now - since > self.answer_seconds:
                return f"no answer for {self.answer_seconds:g} s ({engine.position})"
        return None

    def fail(self, reason):
        """Say where it stands, kill the engines and leave, whatever the other threads wait for."""
        self.failing.acquire()  # never released: a thread that fails because of the kill has nothing to add
        print(f"FAILED: {reason}", flush=True)
        for engine in list(self.engines):
            print(f"at {engine.position}\nlast lines to (>) and from (<) process {engine.p.pid}:")
            print("\n".join(list(engine.transcript)), flush=True)
            kill(engine.p)
        os._exit(1)


def kill(process):
    """The client starts a shell in a process group of its own."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Ponder(threading.Thread):
    """`go ponder` blocks in the client, hence a thread, as its documentation and lidraughts-bot do it."""

    def __init__(self, all_games, engine, game, expected, limit):
        super().__init__(daemon=True)
        self.all_games, self.engine, self.limit = all_games, engine, limit
        self.expected = expected
        self.game = after(game, expected)
        self.move = self.error = None
        self.start()
        while self.is_alive() and engine._last_sent != "go ponder":
            time.sleep(0.001)

    def run(self):
        try:
            self.move = self.all_games.search(self.engine, self.game, self.limit, ponder=True)
        except BaseException as error:  # raised again in the thread that waits
            self.error = error

    def end(self, hit):
        """Send ponder-hit or stop and return the move found for the pondered position."""
        tally = self.all_games.tally
        tally["early"] += self.engine.answer is not None
        tally["hits" if hit else "stops"] += 1
        if self.error is None:
            self.engine.ponderhit() if hit else self.engine.stop()
        self.join()
        self.engine.ponder = None
        if self.error is not None:
            raise self.error
        return self.move


class Run:
    """All games of one call."""

    def __init__(self, args, watchdog):
        self.args = args
        self.watchdog = watchdog
        self.random = random.Random(args.seed)
        self.tally = collections.Counter()
        self.slowest = 0.0
        self.label = "first moves"
        self.complaints = Complaints()
        logging.getLogger("pydraughts").addHandler(self.complaints)
        self.engines = [self.start_engine() for _ in range(2 if args.two_processes else 1)]

    def options(self):
        """What a user of each version sets; 0.5.7 as lidraughts-bot does, with names the engine may not know."""
        variant = {"variant": self.args.variant}
        if GAME is Game06:
            options = {**variant, "ponder": True}
        else:
            options = {"book-ply": 20, "tt-size": 23, "bb-size": 0, **variant, "initial-time": 60.0}
        if self.args.squares == "pdn":
            options["squares"] = "pdn"
        return options

    def start_engine(self):
        """Handshake. The client sends the variant only if the engine has declared values for it."""
        engine = Engine([self.args.engine, "hub"], self.watchdog)
        for name in ("variant", "squares"):
            if name in self.options() and name not in engine.options:
                raise Fault(f"the engine declares no parameter {name}")
        if self.args.variant not in engine.variants:
            raise Fault(f"the engine does not declare the variant {self.args.variant}")
        if not engine.id.get("name"):
            raise Fault("the engine gives no name")
        engine.configure(self.options())
        engine.init()
        engine.ping()
        self.complaints.check()
        return engine

    def limit(self):
        """Mostly the time or depth asked for; without a depth now and then each other form the client has."""
        usual = Limit(depth=self.args.depth) if self.args.depth else Limit(movetime=self.args.move_time)
        if self.args.depth:
            return usual
        others = [
            Limit(depth=4),
            Limit(nodes=2000),
            Limit(time=1),
            Limit(time=0.5, inc=0.05),
            Limit(time=0.02, inc=0.05),  # the client takes the increment off: the time sent is negative
        ]
        turn, rest = divmod(self.tally["searches"], 4)
        return others[turn % len(others)] if rest == 3 else usual

    def ponder_limit(self):
        """In every third one the negative increment that lidraughts-bot sends in games without increment."""
        return Limit(time=1.5, inc=-0.1) if self.tally["ponders"] % 3 == 1 else self.limit()

    def search(self, engine, game, limit, ponder=False):
        """The client's play(); the answer is judged by its text, whether or not play() could read it."""
        engine.position = f"{self.label}, {describe(game)}"
        self.tally["ponders" if ponder else "searches"] += 1
        started = time.monotonic()
        result = failure = None
        try:
            result = engine.play(game.board, limit, ponder)
        except (KeyError, IndexError) as error:
            failure = error
        if not ponder:
            self.slowest = max(self.slowest, time.monotonic() - started)
        if engine.answer is None:
            raise Fault(f"no move in the answer ({engine.position})") from failure
        choice, reply = self.judge(engine, game)
        if failure is not None:
            self.client_fault(engine, failure)
        elif result.move.board_move == choice.board_move:
            choice.native = game.native(result.move)
        return choice, reply

    def judge(self, engine, game):
        """Compare move, expected reply and now and then the pv with the client's lists."""
        text, reply_text = engine.answer
        choice = match(game, text, "move")
        following = after(game, choice)
        reply = match(following, reply_text, "ponder move") if reply_text else None
        if self.tally["searches"] % PV_EVERY == 0:
            for part in engine.info.get("pv", "").strip('"').split():
                game = after(game, match(game, part, "move in the pv"))
        self.complaints.check()
        return choice, reply

    def client_fault(self, engine, failure):
        """The move is in the client's list and still the client could not read it; 0.5.7 does that with Russian
        captures of equal ends. Not the engine's fault, but not hidden either."""
        self.tally["client faults"] += 1
        print(f"client fault: {failure!r} on the legal answer {engine.answer} ({engine.position})", flush=True)

    def opening(self, game):
        """A few random moves of the client, so that games differ."""
        for _ in range(self.random.randint(2, 8)):
            choices = agreed(game)
            if not choices or game.board.is_over():
                return
            game.board.push(self.random.choice(choices).native)

    def start_ponder(self, engine, game, reply):
        """Let the engine ponder on its expected reply, or on a random one, if the game goes on after it."""
        if game.board.is_over():
            return
        choices = [reply] if reply else agreed(game)
        if not choices:
            return
        expected = self.random.choice(choices)
        if not after(game, expected).board.is_over():
            engine.ponder = Ponder(self, engine, game, expected, self.ponder_limit())

    def opponent(self, engine, game):
        """One process plays both sides, so the client answers for the opponent: every other time as expected."""
        time.sleep(self.args.move_time)
        if self.tally["ponders"] % 2:
            game.board.push(engine.ponder.expected.native)

    def next_move(self, engine, game):
        """A move by a ponder hit, or after a stop by a search."""
        if engine.ponder is not None:
            hit = same_position(engine.ponder.game, game)
            found = engine.ponder.end(hit)
            if hit:
                return found
        return self.search(engine, game, self.limit())

    def play_game(self, number):
        """One game from a random opening to its end by the client's rules."""
        self.label = f"game {number}"
        game = GAME(self.args.variant)
        self.opening(game)
        while not game.board.is_over() and plies(game) < self.args.max_plies:
            engine = self.engines[plies(game) % len(self.engines)]
            choice, reply = self.next_move(engine, game)
            game.board.push(choice.native)
            self.tally["moves"] += 1
            if len(self.engines) == 2:
                self.start_ponder(engine, game, reply)
            elif self.tally["moves"] % PONDER_EVERY == 0:
                self.start_ponder(engine, game, reply)
                if engine.ponder is not None:
                    self.opponent(engine, game)
        self.end_game(game)

    def end_game(self, game):
        """Stop what still ponders and see that no line is left over."""
        for engine in self.engines:
            if engine.ponder is not None:
                engine.ponder.end(hit=False)
            engine.ping()
        self.complaints.check()
        self.tally["plies"] += plies(game)
        print(f"{self.label}: {plies(game)} plies, {outcome(game)}", flush=True)

    def drill(self, engine):
        """From the start position: a hit, a stop, and a stop when idle, whatever the games bring."""
        for hit in (True, False):
            game = GAME(self.args.variant)
            choice, reply = self.search(engine, game, self.limit())
            game.board.push(choice.native)
            self.start_ponder(engine, game, reply)
            time.sleep(self.args.move_time)
            engine.ponder.end(hit)
        engine.stop()
        engine.ping()
        self.complaints.check()

    def quit(self, engine):
        """As lidraughts-bot ends a game: stop, quit. The process must go by itself and say nothing more."""
        engine.stop()
        engine.quit()
        try:
            rest, _ = engine.p.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            raise Fault("the engine is still there 5 s after quit") from None
        if rest.strip():
            raise Fault(f"output after the last answer: {rest.strip()!r}")
        if engine.p.returncode:
            raise Fault(f"the engine left with code {engine.p.returncode}")

    def all(self):
        """Everything, and the closing lines."""
        for engine in self.engines:
            self.drill(engine)
        for number in range(1, self.args.games + 1):
            self.play_game(number)
        for engine in self.engines:
            self.quit(engine)
        tally = self.tally
        print(f"{tally['searches']} searches, slowest answer {self.slowest * 1000:.0f} ms")
        print(f"pondering: {tally['hits']} hits, {tally['stops']} stops, {tally['early']} ended early")
        print(f"{tally['client faults']} client faults")
        print(f"{self.args.games} games, {tally['plies']} plies, 0 illegal")


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", metavar="ENGINE_PATH")
    parser.add_argument("--variant", choices=["russian", "brazilian"], default="russian")
    parser.add_argument(
        "--squares",
        choices=["pdn", "default"],
        default="default",
        help="pdn: set squares=pdn, which pydraughts 0.6 needs; default: leave it",
    )
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--move-time", type=float, default=0.02, help="seconds per move, and before a hit or stop")
    parser.add_argument("--depth", type=int, help="search to this depth instead, and with no other limit")
    parser.add_argument("--max-plies", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1, help="of the openings")
    parser.add_argument(
        "--two-processes", action="store_true", help="one process a side; each ponders on the other's time"
    )
    parser.add_argument("--timeout", type=float, default=300, help="seconds for the whole run")
    parser.add_argument("--answer-timeout", type=float, default=30, help="seconds for any one line of the engine")
    return parser.parse_args()


def main():
    """Run, and on any failure name the position and leave no engine behind."""
    args = arguments()
    mode = "two processes" if args.two_processes else "one process"
    print(f"pydraughts {draughts.__version__}, {args.variant}, squares {args.squares}, {mode}", flush=True)
    watchdog = Watchdog(args.timeout, args.answer_timeout)
    watchdog.start()
    try:
        Run(args, watchdog).all()
    except BaseException as error:
        if not isinstance(error, Fault):
            traceback.print_exc()
        watchdog.fail(f"{type(error).__name__}: {error}")
    watchdog.finished.set()


if __name__ == "__main__":
    sys.exit(main())

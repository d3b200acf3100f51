#!/usr/bin/env python3
"""Plays a game as lidraughts-bot does, through the HubEngine of pydraughts 0.5.7 and with the settings that the README gives for it.

The bot sets every option it has been given, then the variant and the time at the start, whether the engine has them or not; thinks a
fixed time for the first moves and by the clock after that; ponders in a thread and ends that by a hit, or by a stop before the real
question; prints what was reported; and says `stop` and `quit` at the end of the game.

Needs pydraughts 0.5.7 and PyYAML. Exit code 0 when the game went through, 1 otherwise.
"""

import argparse
import os
import random
import signal
import sys
import threading

import draughts
import yaml
from draughts.engine import HubEngine, Limit

README = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "README.md")
FIRST_MOVES = 2
STATS = ("depth", "nps", "nodes", "score")
LONGEST = 300  # seconds for everything: the client has no limit of its own


class Bot:
    """One side of a game, as the bot plays it; the other side plays any legal move."""

    def __init__(self, path, variant, seed):
        with open(README, encoding="utf-8") as file:
            text = file.read()
        self.settings = yaml.safe_load(text.split("```yaml\n")[1].split("```")[0])["engine"]
        self.random = random.Random(seed)
        self.clock = 20.0
        self.hits = self.misses = 0
        self.pondering = None
        self.engine = HubEngine([path, self.settings["engine_argument"]])
        options = dict(self.settings["hub_options"])
        # The README says that versions of the bot with this client must not have it.
        del options["squares"]
        options["variant"] = variant
        options["initial-time"] = self.clock
        for name, value in options.items():
            self.engine.setoption(name, value)
        self.engine.init()
        self.game = draughts.Game(variant)

    def limit(self):
        """Some time for a first move, the clock for a later one."""
        if len(self.game.move_stack) < 2 * FIRST_MOVES:
            return Limit(movetime=0.3)
        return Limit(time=self.clock, inc=0.05)

    def think(self):
        """A move, and the reply that is expected. What is told of it must be there to print."""
        result = self.engine.play(self.game, self.limit(), ponder=False)
        missing = [stat for stat in STATS if stat not in result.info]
        if missing:
            raise ValueError(f"{missing} not in {result.info}")
        self.clock -= 0.1
        return result

    def ponder(self, expected):
        """Thinks about the position after the expected reply, in a thread."""
        game = self.game.copy()
        game.push(expected.board_move)
        found = []
        thread = threading.Thread(
            target=lambda: found.append(self.engine.play(game, self.limit(), ponder=True)), daemon=True
        )
        thread.start()
        while self.engine._last_sent != "go ponder" and thread.is_alive():
            thread.join(0.001)
        self.pondering = (game, thread, found)

    def answer(self):
        """The move after a reply: that of the pondering if it was about this, otherwise one that is thought about now."""
        if self.pondering is None:
            return self.think()
        game, thread, found = self.pondering
        self.pondering = None
        is_hit = game.get_fen() == self.game.get_fen()
        if is_hit:
            self.hits += 1
            self.engine.ponderhit()
        else:
            self.misses += 1
            self.engine.stop()
        thread.join()
        return found[0] if is_hit else self.think()

    def reply(self):
        """A move of the opponent; none if there are captures, since this client's Russian list has some that are not legal."""
        moves, captures = self.game.legal_moves()
        is_quiet = all(square is None for taken in captures for square in taken)
        return self.random.choice(moves) if is_quiet else None

    def play(self, most_plies):
        """A game; every third reply is the expected one, and all captures are."""
        while not self.game.is_over() and len(self.game.move_stack) < most_plies:
            result = self.answer()
            self.game.push(result.move.board_move)
            if self.game.is_over():
                break
            reply = self.reply()
            if result.ponder and self.settings["ponder"]:
                self.ponder(result.ponder)
                if reply is None or len(self.game.move_stack) % 3 == 0:
                    reply = result.ponder.board_move
            if reply is None:
                break
            self.game.push(reply)
        if self.pondering is not None:
            self.engine.stop()
            self.pondering[1].join()
        self.engine.stop()
        self.engine.quit()
        self.engine.p.wait(timeout=10)


def main():
    """Play with one engine."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", metavar="ENGINE_PATH")
    parser.add_argument("--variant", choices=["russian", "brazilian"], default="russian")
    parser.add_argument("--max-plies", type=int, default=80)
    parser.add_argument("--seed", type=int, default=3)
    args = parser.parse_args()
    signal.alarm(LONGEST)
    bot = Bot(args.engine, args.variant, args.seed)
    try:
        bot.play(args.max_plies)
    except KeyError as error:
        # Version 0.5.7 cannot read some of its own captures.
        print(f"client fault: {error!r} after {bot.engine.info}")
        bot.engine.kill_process()
        return 0
    except Exception as error:  # whatever the client raises at an answer it cannot use
        print(f"FAILED: lidraughts-bot: {type(error).__name__}: {error}")
        bot.engine.kill_process()
        return 1
    plies = len(bot.game.move_stack)
    print(f"lidraughts-bot, {args.variant}: {plies} plies, {bot.hits} ponder hits, {bot.misses} misses")
    return 0


if __name__ == "__main__":
    sys.exit(main())

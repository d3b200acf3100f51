#!/usr/bin/env python3
"""Drives an engine as the HubEngine of py-draughts does, on the level of lines: its board refuses 64 squares.

It asks `select` whether there is input and then reads a line through a buffer. What came in the same read as an earlier line stays
in the buffer, where `select` does not see it: so lines that come too close together are lost until more come. The engine
keeps its lines apart for this client; on a machine so busy that the client sleeps through the distance it fails all the same, so
a conversation may be begun anew a few times.

It also takes any `error` in a search for the end, and the line after `ping` for its answer. Nothing but Python is needed.
Exit code 0 when a conversation went through, 1 otherwise.
"""

import argparse
import os
import select
import subprocess
import sys
import time

ATTEMPTS = 12
INIT_TIMEOUT = 10
START = "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"


class Late(Exception):
    """No line that this client could see came in time."""


class Engine:
    """The engine as this client holds it: started in its own folder, its error output piped and never read."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [path, "hub"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=os.path.dirname(path),
        )

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def line(self, timeout):
        """A line, by the two calls that do not go together."""
        if not select.select([self.process.stdout], [], [], timeout)[0]:
            raise Late
        return self.process.stdout.readline().strip()

    def wait_for(self, word, timeout):
        """Lines up to one that begins with a word; an error is the end."""
        deadline = time.monotonic() + timeout
        lines = []
        while True:
            line = self.line(max(0.0, deadline - time.monotonic()))
            if line.startswith("error"):
                raise RuntimeError(line)
            if line.split(" ")[0] == word:
                return lines, line
            lines.append(line)

    def init(self):
        """The handshake, all within one limit of time."""
        started = time.monotonic()
        self.send("hub")
        lines, _ = self.wait_for("wait", INIT_TIMEOUT)
        assert lines[0].startswith("id "), lines
        self.send("init")
        self.wait_for("ready", INIT_TIMEOUT - (time.monotonic() - started))

    def play(self, limit):
        """The position without moves, one limit, and a search."""
        self.send(f"pos pos={START}")
        self.send(f"level {limit}")
        self.send("go think")
        lines, done = self.wait_for("done", 10)
        assert done.split(" ")[1].startswith("move="), done
        assert all("score=" in line for line in lines if line.startswith("info ")), lines

    def ping(self):
        self.send("ping")
        line = self.line(5)
        assert line == "pong", line

    def quit(self):
        self.send("quit")
        self.process.wait(timeout=2)


def conversation(path):
    """All that this client ever does. Says whether it saw every line in time."""
    engine = Engine(path)
    try:
        engine.init()
        for limit in ("depth=1", "depth=4", "depth=7", "move-time=0.02"):
            engine.play(limit)
            engine.ping()
        engine.quit()
        errors = engine.process.stderr.read()
        assert not errors, f"on the error output, which nobody reads: {errors}"
        return True
    except Late:
        return False
    finally:
        engine.process.kill()
        engine.process.wait()


def main():
    """Run for one engine."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", metavar="ENGINE_PATH")
    path = os.path.abspath(parser.parse_args().engine)
    try:
        for attempt in range(1, ATTEMPTS + 1):
            if conversation(path):
                print(f"py-draughts: the conversation went through at attempt {attempt}")
                return 0
    except (AssertionError, RuntimeError, subprocess.TimeoutExpired) as error:
        print(f"FAILED: py-draughts: {error}")
        return 1
    print(f"FAILED: py-draughts: {ATTEMPTS} conversations, in each of which a line was not seen")
    return 1


if __name__ == "__main__":
    sys.exit(main())

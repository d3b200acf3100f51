"""An engine behind pipes, for clients that speak Hub by themselves: no line of theirs is read for ever."""

import queue
import subprocess
import threading

PATIENCE = 30  # seconds for any one line


class Fault(Exception):
    """Something the engine did wrong."""


class Pipe:
    """A running engine. Lines are read by a thread, so that waiting for one can end."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [path, "hub"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        """Collect lines until the output ends."""
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, line):
        """Send a line."""
        self.process.stdin.write(line + "\n")

    def recv(self):
        """The next line."""
        try:
            line = self.lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise Fault(f"no line for {PATIENCE} s") from None
        if line is None:
            raise Fault("the engine has closed its output")
        return line

    def quit(self):
        """Say so, and see the engine go with nothing more to say."""
        self.send("quit")
        if self.process.wait(timeout=PATIENCE) != 0:
            raise Fault(f"the engine left with code {self.process.returncode}")
        rest = self.lines.get(timeout=PATIENCE)
        if rest is not None:
            raise Fault(f"a line after the last answer: {rest}")

    def kill(self):
        """Leave nothing behind."""
        self.process.kill()
        self.process.wait()

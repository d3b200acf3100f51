#!/usr/bin/env python3
"""Runs the Python example of the README as it stands there, with another path of the engine.

Needs the version of pydraughts that the README names. Exit code 0 when it plays to its end, 1 otherwise.
"""

import os
import signal
import sys

README = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "README.md")
PATH = "target/release/mainroad"
LONGEST = 300  # seconds


def main():
    """Cut it out and run it."""
    with open(README, encoding="utf-8") as file:
        text = file.read()
    code = text.split("```python\n")[1].split("```")[0]
    if PATH not in code:
        print(f"FAILED: README: {PATH} is not in its example")
        return 1
    signal.alarm(LONGEST)
    exec(code.replace(PATH, sys.argv[1]), {})
    print("README: the example went through")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Commands of catcube in a process that kills itself at a chosen moment, as a power cut would.

    python -m tests.experiments.crash_examples WHAT COUNT DELAY LOG COMMAND...

WHAT is `statement` or `file`: at the statement of SQL, or the file of a report, with the number
COUNT, the clock starts, and DELAY seconds later the process is gone, wherever it is then. LOG gets
a line with the number of runs each time that some were written and SQLite said that they are safe.
"""

import os
import signal
import sqlite3
import sys
import threading
import time

from catcube.base import files
from catcube.cli import main as cli
from catcube.experiments import writer


class Bomb:
    def __init__(self, count, delay):
        self.left, self.delay = count, delay

    def tick(self):
        self.left -= 1
        if self.left == 0:
            if self.delay == 0:
                explode()
            threading.Thread(target=self.burn, daemon=True).start()

    def burn(self):
        end = time.perf_counter() + self.delay
        while time.perf_counter() < end:  # sleeping is not exact enough
            time.sleep(0)
        explode()


def explode():
    os.kill(os.getpid(), signal.SIGKILL)


def watch_statements(bomb):
    class Watched(sqlite3.Connection):
        def execute(self, *arguments):
            bomb.tick()
            return super().execute(*arguments)

        def executescript(self, *arguments):
            bomb.tick()
            return super().executescript(*arguments)

        def close(self):
            bomb.tick()
            return super().close()

    plain = sqlite3.connect

    def connect(*arguments, factory=sqlite3.Connection, **named):
        return plain(*arguments, factory=type("Both", (Watched, factory), {}), **named)

    sqlite3.connect = connect


def watch_files(bomb):
    plain = os.replace

    def replace(*arguments):
        bomb.tick()
        plain(*arguments)
        bomb.tick()

    files.os.replace = replace


def log_runs(path):
    """In small transactions, of which each is noted when it is safe."""
    plain, begin = writer.Writer.flush, writer.Writer.__init__

    def flush(store):
        count = len(store.waiting)
        plain(store)
        if count:
            with open(path, "a", encoding="ascii") as file:
                file.write(f"{count}\n")

    writer.Writer.flush = flush
    writer.Writer.__init__ = lambda store, path, plan: begin(store, path, plan, max_waiting=3)


def main(what, count, delay, log, *command):
    bomb = Bomb(int(count), float(delay))
    {"statement": watch_statements, "file": watch_files}[what](bomb)
    log_runs(log)
    return cli.main(command)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

# SPDX-License-Identifier: MIT
"""Runs tests/boot again and again, each time in a fork of a process that has loaded it already."""
import contextlib
import json
import os
import queue
import sys
import tempfile

from runner import cli, deviations
from runner.guest import die_with
from runner.problems import BROKEN, Problem


class Booter:
    """One such process. Make it before this program has threads; only one thread at a time may use it."""

    def __init__(self):
        to_child, self.asks = os.pipe()
        self.answers, from_child = os.pipe()
        parent = os.getpid()
        if os.fork() == 0:
            die_with(parent)
            os.close(self.asks)
            os.close(self.answers)
            with contextlib.suppress(KeyboardInterrupt):
                serve(os.fdopen(to_child), os.fdopen(from_child, "w"))
            os._exit(0)
        os.close(to_child)
        os.close(from_child)
        self.asks, self.answers = os.fdopen(self.asks, "w"), os.fdopen(self.answers)

    def run(self, arguments, environment):
        """Returns the exit status of tests/boot with these words, its standard output and standard error."""
        print(json.dumps([arguments, environment]), file=self.asks, flush=True)
        answer = self.answers.readline()
        if not answer:
            raise Problem("a process that runs tests/boot was ended")
        return json.loads(answer)


class Booters:
    """A number of Booters, for as many threads."""

    def __init__(self, count):
        self.idle = queue.SimpleQueue()
        for _ in range(count):
            self.idle.put(Booter())

    def run(self, arguments, environment):
        """Does the same as Booter.run(), with an idle booter."""
        booter = self.idle.get()
        try:
            return booter.run(arguments, environment)
        finally:
            self.idle.put(booter)


def serve(asks, answers):
    """Runs in the process: makes one run after the other, until nobody asks any more."""
    deviations.prepare()
    for ask in asks:
        print(json.dumps(run_apart(*json.loads(ask))), file=answers, flush=True)


def run_apart(arguments, environment):
    """Runs in a fork, because tests/boot changes its process: signals, output, a guest that dies with it."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as complaints:
        parent = os.getpid()
        child = os.fork()
        if child == 0:
            die_with(parent)
            os.environ.update(environment)
            run_here(arguments, output.fileno(), complaints.fileno())
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return status, text_of(output), text_of(complaints)


def run_here(arguments, output, complaints):
    """Does not return."""
    status = BROKEN
    try:
        os.dup2(output, sys.stdout.fileno())
        os.dup2(complaints, sys.stderr.fileno())
        status = cli.main(arguments)
        sys.stdout.flush()
    except Exception as error:          # which would be lost with this process
        print(f"tests/boot: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(status)


def text_of(file):
    """Returns the file's text."""
    file.seek(0)
    return file.read().decode(errors="replace")

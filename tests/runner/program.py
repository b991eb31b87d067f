# SPDX-License-Identifier: MIT
"""The end of programs that boot nothing by themselves: with work done, or with one sentence."""
import contextlib
import os
import subprocess
import sys

from runner.problems import BROKEN, Problem


def ended(name, work, *arguments):
    """Returns the exit status of work(*arguments); after a Problem prints a sentence and returns its status."""
    try:
        check_output()
        status = work(*arguments)
        sys.stdout.flush()
        return status
    except Problem as problem:
        complain(name, problem)
        return problem.status
    except BrokenPipeError:
        drop_output()
    except OSError as error:
        drop_output()
        complain(name, f"{error.filename or 'standard output'}: {error.strerror}")
    except subprocess.CalledProcessError as error:
        complain(name, error)
    except KeyboardInterrupt:
        complain(name, "ended before its time")
        return 128 + 2
    return BROKEN


def check_output():
    """Raises Problem if standard output is closed, to which Python would write nothing without a word."""
    if sys.stdout is None:
        raise Problem("standard output is closed")


@contextlib.contextmanager
def writing(name):
    """Makes an OSError in the block name this file: an error of a write to an open file, such as a full disk, names none."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or name
        raise


def shown(text):
    """Returns a text of others for a terminal: control characters are escapes."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def drop_output(number=1):
    """Keeps Python from writing to an output that takes nothing once more at its exit."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)


def complain(name, sentence):
    """Prints a sentence on standard error; where nothing can be written, the exit status alone says it."""
    try:
        print(f"{name}: {shown(str(sentence))}", file=sys.stderr, flush=True)
    except OSError:
        drop_output(2)

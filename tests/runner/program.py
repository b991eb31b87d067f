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
        complain(name, f"{error.filename or 'the output'}: {error.strerror}")
    except subprocess.CalledProcessError as error:
        complain(name, error)
    except KeyboardInterrupt:
        complain(name, "ended before its time")
        return 128 + 2
    return BROKEN


def drop_output():
    """Keeps Python from writing to a standard output that takes nothing once more at its exit."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(name, sentence):
    print(f"{name}: {sentence}", file=sys.stderr, flush=True)

# SPDX-License-Identifier: MIT
"""tests/show: shows a guest's TAP to a person: progress, then a table, failures, the verdict.

The exit status is the command's. The guest's full output stays in build/logs/.
"""
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time

from runner import program, tap
from runner.problems import BROKEN, Problem

USAGE = "usage: tests/show COMMAND..., a command that prints TAP, such as tests/boot best\n"
KINDS = ("passed", "failed", "erratum", "known", "skipped")
COLOURS = {"passed": "32", "failed": "31", "erratum": "35", "known": "33", "skipped": "36", "bold": "1"}
TEXT_WIDTH = 100
QUIET_SECONDS = 20              # of silence in a log, after which a line says where the work stands


class Screen:
    """Prints lines; uses colours and a line of progress only on a terminal."""

    def __init__(self, file=sys.stdout):
        self.file = file
        self.is_live = file.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self.has_colour = self.is_live and "NO_COLOR" not in os.environ
        self.said = time.monotonic()

    def colour(self, kind, text):
        return f"\033[{COLOURS[kind]}m{text}\033[m" if self.has_colour else text

    def say(self, text=""):
        print(f"\r\033[K{text}" if self.is_live else text, file=self.file, flush=True)
        self.said = time.monotonic()

    def progress(self, text):
        if self.is_live:
            width = shutil.get_terminal_size().columns - 1
            print(f"\r\033[K{text[:width]}", end="", file=self.file, flush=True)


class Position:
    """Where long work of `whole` parts stands: the terminal's last line, or a line in a log after a long silence."""

    def __init__(self, screen, whole):
        self.screen, self.whole = screen, whole
        self.start = time.monotonic()

    def at(self, done):
        """Returns a text such as "[ 12/140 1:05]"."""
        seconds = int(time.monotonic() - self.start)
        return f"[{done:{len(str(self.whole))}}/{self.whole} {seconds // 60}:{seconds % 60:02}]"

    def show(self, done, text):
        self.screen.progress(f"{self.at(done)} {text}")
        if not self.screen.is_live and time.monotonic() - self.screen.said > QUIET_SECONDS:
            self.screen.say(f"{self.at(done)} {text}")


def main(command):
    """Runs the command and shows its output; returns its exit status."""
    if not command or command[0] in ("-h", "--help"):
        print(USAGE, end="", file=sys.stdout if command else sys.stderr)
        return 0 if command else BROKEN
    try:
        program.check_output()
        return follow(command, Screen())
    except Problem as problem:
        program.complain("tests/show", problem)
    except ValueError as error:         # what show_failures() asks of a block
        program.complain("tests/show", f"a result's block cannot be read: {' '.join(str(error).split())}")
    except BrokenPipeError:
        program.drop_output()
    except OSError as error:
        program.complain("tests/show", f"{error.filename or 'the output'}: {error.strerror}")
    return BROKEN


def follow(command, screen):
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        try:
            results, verdict = read(process.stdout, screen)
        except KeyboardInterrupt:       # the command got it, too: let it clean up and end
            process.wait()
            return 128 + signal.SIGINT
    summarise(results, verdict, time.monotonic() - start, screen)
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


def read(lines, screen):
    """Returns all results and the verdict; shows the head of the output and progress on the way."""
    run = tap.Transcript()
    for line in lines:
        for item in run.feed(line.rstrip("\n")):
            if isinstance(item, tap.Result):
                screen.progress(f"{item.number}/{run.expected or '?'} {item.id}")
            elif not run.lines and item.line.startswith("# ") and run.plan is None:
                screen.say(item.line.removeprefix("# "))
    run.flush()
    return run.results, run.verdict


def kind_of(result):
    """Returns one of KINDS."""
    if result.directive == "SKIP":
        return "skipped"
    if result.directive == "TODO":
        return "erratum" if result.is_erratum else "known"
    return "passed" if result.ok else "failed"


def suite_of(test_id):
    """Returns the first words of an id, at most two and without the last: arch.pmi.period.exact is in arch.pmi."""
    return ".".join(test_id.split(".")[:-1][:2]) or test_id


def summarise(results, verdict, seconds, screen):
    suites = {}
    for result in results:
        suites.setdefault(suite_of(result.test), []).append(kind_of(result))
    screen.say()
    show_table(suites, screen)
    for same in alike([result for result in results if kind_of(result) == "failed"]):
        show_failures(same, screen)
    show_skips(results, screen)
    show_page(results, screen)
    kind = "failed" if not verdict or verdict.startswith("FAIL") else "passed"
    screen.say()
    screen.say(screen.colour(kind, verdict or "the run has no verdict") + f"  ({seconds:.1f} s)")


def show_table(suites, screen):
    width = max([len(suite) for suite in suites] or [0])
    screen.say(screen.colour("bold", f"{'suite':{width}}" + "".join(f"{k:>9}" for k in KINDS)))
    for suite, kinds in sorted(suites.items()):
        cells = [(kind, kinds.count(kind)) for kind in KINDS]
        screen.say(f"{suite:{width}}" + row(cells, screen))
    total = [(kind, sum(kinds.count(kind) for kinds in suites.values())) for kind in KINDS]
    screen.say(screen.colour("bold", f"{'all':{width}}") + row(total, screen))


def row(cells, screen):
    """Returns numbers in columns; a zero is a dash, without colour."""
    return "".join(screen.colour(kind, f"{count:9}") if count else f"{'-':>9}"
                   for kind, count in cells)


def alike(results):
    """Lists of results: those of one test that failed in the same way on several processors."""
    groups = {}
    for result in results:
        groups.setdefault((result.test, str(result.failed_checks())), []).append(result)
    return groups.values()


def show_failures(results, screen):
    ids = textwrap.fill(" ".join(result.id for result in results), TEXT_WIDTH,
                        subsequent_indent=" " * 7, break_on_hyphens=False)
    screen.say()
    screen.say(f"{screen.colour('failed', 'FAILED')} {screen.colour('bold', ids)}")
    for check in results[0].failed_checks() or [{}]:
        for key in ("what", "got", "want", "why", "source", "repeat"):
            if key in check:
                screen.say(textwrap.fill(f"{check[key]}", TEXT_WIDTH, initial_indent=f"  {key:7}",
                                         subsequent_indent=" " * 9))


def page_of(results):
    """Returns what the test `summary` reports, what the machine's PMU is good for, as (name, sentence)."""
    rows = [entry["what"].partition(": ") for result in results if result.test == "summary" and result.block
            for entry in result.facts().get("reported", [])]
    return [(name, text) for name, _, text in rows]


def show_page(results, screen):
    """Shows this page."""
    for at, (name, text) in enumerate(page_of(results)):
        if not at:
            screen.say()
        screen.say(textwrap.fill(f"{name:12} {text}", TEXT_WIDTH, subsequent_indent=" " * 13))


def show_skips(results, screen):
    """Shows one line for each reason, because many tests share one, as does a test on all processors."""
    reasons = {}
    for result in results:
        if kind_of(result) == "skipped":
            reasons.setdefault(result.reason, {})[result.test] = True
    for reason, tests in reasons.items():
        ids = list(tests)
        some = ", ".join(ids[:3]) + (f" and {len(ids) - 3} more" if len(ids) > 3 else "")
        screen.say()
        screen.say(textwrap.fill(f"skipped: {reason}: {some}", TEXT_WIDTH, subsequent_indent="  "))

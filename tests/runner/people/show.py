# SPDX-License-Identifier: MIT
"""tests/show: shows a guest's TAP to a person: progress, then the verdict, a row a family, failures.

The exit status is the command's. All that the command printed is in build/logs/run.tap; with V=1 it is shown at length.
"""
import collections
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time

from runner import layout, program, tap
from runner.people import ending
from runner.problems import BROKEN, Problem

USAGE = "usage: tests/show COMMAND..., a command that prints TAP, such as tests/boot best\n"
KINDS = ending.KINDS
COLOURS = {"passed": "32", "failed": "31", "erratum": "35", "known": "33", "skipped": "36", "bold": "1"}
TEXT_WIDTH = 100
QUIET_SECONDS = 20              # of silence in a log, after which a line says where the work stands
KEPT = layout.LOGS / "run.tap"


class Screen:
    """Prints lines; uses colours and a line of progress only on a terminal."""

    def __init__(self, file=sys.stdout):
        self.file = file
        self.is_live = file.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self.has_colour = self.is_live and not os.environ.get("NO_COLOR")
        self.said = time.monotonic()

    def colour(self, kind, text):
        return f"\033[{COLOURS[kind]}m{text}\033[m" if self.has_colour and kind in COLOURS else text

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

    @property
    def seconds(self):
        return time.monotonic() - self.start

    def at(self, done):
        """Returns a text such as "[ 12/140 1:05]"."""
        seconds = int(self.seconds)
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
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process, \
            open(f"{KEPT}.new", "w", encoding="utf-8") as kept:
        try:
            runs, ends, after = read(process.stdout, screen, kept)
        except KeyboardInterrupt:       # the command got it, too: let it clean up and end
            process.wait()
            return 128 + signal.SIGINT
    os.replace(f"{KEPT}.new", KEPT)         # the command may have read the last one
    ends = [*ends[:len(runs) - 1], time.monotonic()]
    for run, begun, end in zip(runs, [start, *ends], ends):
        show_run(run, end - begun, screen, is_alone=len(runs) == 1)
    for line in after:
        screen.say(line.removeprefix("# "))
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


def read(lines, screen, kept):
    """Returns a Transcript for each run, or an empty one, when each ended, and the lines after the last one's end.

    Keeps all lines.
    """
    runs, ends, after = [tap.Transcript()], [], []
    for line in lines:
        kept.write(line)
        if runs[-1].end is not None and not tap.VERSION.match(line):
            after.append(line.rstrip("\n"))
            continue
        if runs[-1].end is not None:
            runs, after = [*runs, tap.Transcript()], []
        take(runs[-1], line.rstrip("\n"), screen)
        ends += [time.monotonic()] if runs[-1].end is not None else []
    for run in runs:
        run.flush()
    return runs, ends, after


def take(run, line, screen):
    """Feeds a line to the Transcript and shows progress, with V=1 also the head."""
    for item in run.feed(line):
        if isinstance(item, tap.Result):
            screen.progress(f"{item.number}/{run.expected or '?'} {item.id}")
        elif isinstance(item, tap.Text) and not run.lines and item.line.startswith("# ") and run.plan is None:
            (screen.say if ending.is_whole() else screen.progress)(item.line.removeprefix("# "))


def show_run(run, seconds, screen, is_alone):
    """Shows how a run ended; one of several that passed has its verdict in the table that follows them."""
    if ending.is_whole():
        show_all(run, seconds, screen)
    elif is_alone or not verdict_of(run)[0]:
        show_ending(run, seconds, screen)


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


def suites_of(results):
    """Returns the numbers of results of each kind, by suite."""
    suites = {}
    for result in results:
        suites.setdefault(suite_of(result.test), collections.Counter())[kind_of(result)] += 1
    return dict(sorted(suites.items()))


def verdict_of(run):
    """Returns whether the run has passed, and its verdict."""
    return bool(run.verdict) and not run.verdict.startswith("FAIL"), run.verdict or "the run has no verdict"


def failed_of(results):
    """Returns the failures, those alike as one list."""
    return alike([result for result in results if kind_of(result) == "failed"])


# ------------------------------------------------------------------------------------ one screen

def show_ending(run, seconds, screen):
    results, (good, verdict) = run.results, verdict_of(run)
    heads = [(key, run.head[name]) for key, name in (("target", "target"), ("quirk", "quirk"), ("machine", "brand"),
                                                          ("PMU", "pmu"))
             if name in run.head]
    tails = [("skipped", text) for text in skipped(results)]
    kept = layout.shown(KEPT)
    tails.append(("log", f"{kept}; a page of it: make report LOGS={kept}"))
    tails.append(("next", "docs/results.md says how to read a failure; V=1 shows this run at length" if not good else
                  f"tests/boot {run.head.get('target', 'best').split()[0]} only=summary says what this PMU is good for; "
                  "V=1 shows this run at length"))
    ending.Ending(good, verdict, suites_of(results), list(map(failure, failed_of(results))), heads, tails,
                  seconds).show(screen)


def failure(same):
    """Returns an ending.Failure of results that are alike."""
    said = [f"{check.get('what', 'no block')}: got {check.get('got', '?')}, want {check.get('want', '?')}; "
            f"{check.get('why', '')}" for check in same[0].failed_checks()]
    repeats = [check["repeat"] for check in same[0].failed_checks() if "repeat" in check]
    return ending.Failure(" ".join(result.id for result in same), said, *repeats[:1])


def skipped(results):
    """Returns one sentence on what is not here, if there is anything."""
    suites = suites_of(results)
    count = total = sum(counts["skipped"] for counts in suites.values())
    absent = []
    for family, of_family in ending.by_family(suites).items():
        counts = ending.total(of_family.values())
        if set(filter(counts.get, counts)) == {"skipped"}:
            absent.append(family)
            count -= counts["skipped"]
    parts = [f"all of {' and '.join(absent)}"] if absent else []
    parts += [f"{count} {'more' if absent else 'tests'}"] if count else []
    return [f"{total}: {', '.join(parts)}; the log has the reasons"] if total else []


# ------------------------------------------------------------------------------------ at length, with V=1

def show_all(run, seconds, screen):
    suites, results, (good, verdict) = suites_of(run.results), run.results, verdict_of(run)
    screen.say()
    for line in ending.table_lines({**suites, "all": ending.total(suites.values())}, KINDS, screen):
        screen.say(line)
    for same in failed_of(results):
        show_failures(same, screen)
    show_skips(results, screen)
    show_page(results, screen)
    screen.say()
    screen.say(screen.colour("passed" if good else "failed", verdict) + f"  ({seconds:.1f} s)")


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
    """Returns what the test `summary` reports, what the machine's PMU is good for, as (name, sentence).

    On a hybrid a row on which its kinds of processors differ is there once for each: NAME (KIND).
    """
    pages = {result.kind: dict(entry["what"].split(": ", 1) for entry in result.facts().get("reported", []))
             for result in results if result.test == "summary" and result.block}
    names = dict.fromkeys(name for page in pages.values() for name in page)
    return [row for name in names for row in rows_of(pages, name)]


def rows_of(pages, name):
    """Returns the rows of this name: one, or one for each kind."""
    texts = {kind: page[name] for kind, page in pages.items() if name in page}
    if len(pages) == 1 or len(texts) == len(pages) and len(set(texts.values())) == 1:
        return [(name, next(iter(texts.values())))]
    return [(f"{name} ({kind})", text) for kind, text in texts.items()]


def show_page(results, screen):
    """Shows this page."""
    page = page_of(results)
    width = max([12, *(len(name) for name, _ in page)])
    for at, (name, text) in enumerate(page):
        if not at:
            screen.say()
        screen.say(textwrap.fill(f"{name:{width}} {text}", TEXT_WIDTH, subsequent_indent=" " * (width + 1)))


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

# SPDX-License-Identifier: MIT
"""tests/run-matrix: makes a test program of each row of tests/matrix, runs them by prove, writes JUnit XML.

A test program is `tests/run-matrix --row NAME`.  It passes on what tests/boot prints, or what
PROGRAMS has for the target's prefix, and turns the other outcomes into TAP: an unavailable target is
a skipped program (or, if the row says `must`, a failure), a broken run is a failed result with the
reason, and a guest that bails out ends only its own run.
"""
import argparse
import collections
import contextlib
import dataclasses
import fnmatch
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from runner import booter, guest, layout, nearest, program, progress
from runner.campaigns import failures
from runner.people import ending, show
from runner.problems import FAILED, UNAVAILABLE, Problem
from runner.turns import junit
from targets import bochs, model, qemu, qemu_model

SCRIPTS = layout.BUILD / "matrix"
DUMP = layout.BUILD / "tap"
JUNIT = layout.BUILD / "junit.xml"
STATES = layout.BUILD / "prove.yml"
FULL = 1 << 20                  # bytes; with less free space on the disk, output may be cut off
NEEDS = ("must", "may")
PLACES = ("test", "ci", "matrix", "nightly")       # a row's `in`; each place has the rows of those before it, too
# Programs that boot targets of other prefixes than those of tests/boot. Each takes TARGET WORD..., prints TAP
# 13, and has the exit status of tests/boot and its sentence on standard error.
BOOT = "tests/boot"
PROGRAMS = {
    "linux": "tests/linux/run",
    "linux-qemu": "tests/linux/run",
    "lava": "tests/fleet/lava",
}
# For rows that are about neither the boot nor the serial line, because GRUB and UARTs are slow there.
WITHOUT_GRUB = ("bochs", "model")
FASTEST = ("via=kernel", "serial=debug")
SCRIPT = '''\
#!/bin/sh
exec "${{0%/*}}/../../tests/run-matrix" --row {name}
'''
DESCRIPTION = """\
Runs the rows of tests/matrix whose name a GLOB matches (all rows without a GLOB) and the test
PROGRAMs (arguments with a slash), in parallel, by prove.  Afterwards the TAP is in build/tap and
build/junit.xml has the same for CI.  The exit status is prove's.
"""


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    need: str
    place: str
    target: str
    words: tuple

    @property
    def program(self):
        return PROGRAMS.get(self.target.partition(":")[0], BOOT)

    @property
    def script(self):
        return SCRIPTS / f"{self.name}.t"


def rows(path=layout.MATRIX):
    """Returns the rows by name; raises Problem for a line that is not one."""
    result, named = {}, {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fields = line.partition("#")[0].split()
        if not fields:
            continue
        if fields[0].startswith("@"):
            named[fields[0]] = fields[1:]
            continue
        fields = [word for field in fields for word in named.get(field, [field])]
        if len(fields) < 4 or fields[1] not in NEEDS or fields[2] not in PLACES \
                or fields[0] in result:
            raise Problem(f"{layout.shown(path)}:{number}: not a row, or its name comes twice")
        result[fields[0]] = Row(*fields[:4], words_for(fields[3], fields[4:]))
    return result


def words_for(target, words):
    """Returns a row's words, with the fastest medium and line if the row chooses neither."""
    is_plain = not any(word.startswith(("via=", "serial=")) for word in words)
    given = FASTEST if target.partition(":")[0] in WITHOUT_GRUB and is_plain else ()
    return (*given, *words)


def main(arguments):
    return program.ended("tests/run-matrix", work, parser().parse_args(arguments))


def work(asked):
    if asked.row:
        guest.die_with(os.getppid(), signal.SIGTERM)
        return run_row(rows()[asked.row])
    programs = [name for name in asked.what if "/" in name]
    globs = [name for name in asked.what if "/" not in name] or ["*"]
    return run_all(choose(globs, asked.place), programs, asked.jobs)


def parser():
    made = argparse.ArgumentParser("tests/run-matrix", description=DESCRIPTION)
    for place, command in (("test", "make test"), ("ci", "make test QUIRKS=all"), ("matrix", "make matrix"),
                           ("nightly", "make nightly")):
        made.add_argument(f"--{place}", action="store_const", const=place, dest="place", default=PLACES[-1],
                          help=f"only rows that `{command}` runs")
    # Two more than processors: some programs wait for silence, or for each other.
    made.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)) + 2,
                      help="how many programs at a time (default: processors + 2)")
    made.add_argument("--row", help=argparse.SUPPRESS)
    made.add_argument("what", nargs="*", metavar="GLOB|PROGRAM")
    return made


def choose(globs, place):
    """Returns the rows that match and are run in this place."""
    places = PLACES[:PLACES.index(place) + 1]
    chosen = [row for row in rows().values() if row.place in places
              and any(fnmatch.fnmatchcase(row.name, glob) for glob in globs)]
    if not chosen:
        meant = nearest.hint(globs[0], rows())
        raise Problem(f"no row of tests/matrix is named {' or '.join(globs)}{meant}")
    return chosen


def run_all(chosen, programs, jobs):
    """Runs rows, and programs, by prove; returns prove's status."""
    share_emulators(chosen)
    write_scripts(chosen)
    shutil.rmtree(DUMP, ignore_errors=True)
    programs = [os.path.relpath(path, layout.ROOT) for path in programs]
    programs += [layout.shown(row.script) for row in chosen]
    environment = {**os.environ, "PERL_TEST_HARNESS_DUMP_TAP": str(DUMP)}
    environment.pop(ending.KEPT, None)      # the programs are tests, and no parts of this command
    environment.pop("PYTHONDONTWRITEBYTECODE", None)        # they compile the runner once, into build
    shown = progress.Progress(programs, jobs, show.Screen())
    STATES.unlink(missing_ok=True)
    # -X: prove reads TAP as UTF-8, and warns of each line that it dumps with other than Latin letters, a QR code's.
    # Perl 5.40's prove splits a program's path at blanks, unless another program is to run it.
    command = ["perl", "-X", "-S", "prove", "--exec", "env", "-j", str(jobs), "--state=save", "--statefile",
               str(STATES), *programs]
    status = progress.follow(command, shown, cwd=layout.ROOT, env=environment)
    texts = dumped(programs)
    seconds = junit.elapsed(STATES)
    junit.write(JUNIT, [junit.Suite(name, text, seconds.get(name, 0.0)) for name, text in texts.items()])
    check_disk()
    if ending.is_whole():
        for line in failures.said(texts, layout.shown(DUMP)):
            shown.screen.say(line)
    else:
        ending_of(shown, texts, {layout.shown(row.script): row for row in chosen}, status).finish("tests", shown.screen)
    return status


def ending_of(run, texts, made, status):
    """Returns the ending of a Progress; `made` are the rows of the programs that have one."""
    kinds, suites, failed = {name: run.kind(name) for name in run.programs}, {}, []
    for name, kind in kinds.items():
        suites.setdefault(suite_of(name, made), collections.Counter())[kind] += 1
        if kind == "failed":
            failed += failures.of_program(name, texts[name], run.outcomes.get(name, ""), repeat_of(name, made))
    count = collections.Counter(kinds.values())
    verdict = f"FAIL, {count['failed']} of {len(kinds)} programs" if status else f"PASS, {len(kinds)} programs"
    return ending.Ending(
        not status, f"{verdict}, {run.results} results", dict(sorted(suites.items())), failed, [],
        [*skips(run, [name for name in kinds if kinds[name] == "skipped"]),
         ("log", f"{layout.shown(DUMP)}/, {layout.shown(JUNIT)}; a page of it: make report"),
         ("next", "docs/results.md says how to read a failure; V=1 shows each program")], run.position.seconds)


def skips(run, names):
    """Returns the line, if any, on skipped programs and their reasons."""
    said = [f"{pathlib.Path(name).stem} ({run.outcomes[name].removeprefix('skipped: ')})" for name in names]
    many = f"{len(names)} program{'s' * (len(names) > 1)}"
    return [("skipped", ending.shortened(f"{many}: {', '.join(said)}"))] if names else []


def suite_of(name, made):
    """Returns a program's family and suite: model.pentium of a row, host.FOLDER, unit."""
    if name in made:
        return ".".join(made[name].target.split(":")[:2])
    parts = [part for part in name.split("/")[:-1] if part not in ("..", "tests", "build")]
    return ".".join(parts[:2]) or name


def repeat_of(name, made):
    return f"tests/run-matrix {made[name].name}" if name in made else f"prove -v --exec env {name}"


def check_disk():
    """Raises Problem if the disk is full, because prove does not report TAP that it could not write."""
    if shutil.disk_usage(layout.BUILD).free < FULL:
        raise Problem(f"the disk is full: {layout.shown(DUMP)} and {layout.shown(JUNIT)} are not "
                      "all that the programs said; make room and run them again")


def share_emulators(chosen):
    """Builds the emulators before the runs, because the first run would wait for that in silence."""
    built = []
    for name, module in (("bochs", ()), ("model", model.MODULE)):
        if any(row.target.startswith(f"{name}:") for row in chosen):
            with contextlib.suppress(Problem):      # each of the rows will report it
                bochs.binary(module)
                built.append(module)
    bochs.share(*built)
    if any(row.target.startswith(("qemu-model:", "linux-qemu:")) for row in chosen):
        with contextlib.suppress(Problem):
            qemu_model.binary()


def write_scripts(chosen):
    shutil.rmtree(SCRIPTS, ignore_errors=True)
    SCRIPTS.mkdir(parents=True)
    for row in chosen:
        row.script.write_text(SCRIPT.format(name=row.name))
        row.script.chmod(0o755)


def dumped(programs):
    """Returns the TAP that prove has dumped of each of these programs."""
    paths = {name: DUMP / name for name in programs}
    return {name: path.read_text(errors="replace") if path.is_file() else "" for name, path in paths.items()}


def run_row(row):
    """Runs a row's program and puts all its output into TAP; returns the exit status."""
    begin = time.monotonic()
    status, said, lines = run_program(row)
    if row.target.startswith("qemu:") and qemu.DIES_BY_ITSELF in said:
        print(f"# a run that QEMU ended by its own error: {said.strip()}")
        status, said, lines = run_program(row)
    print("".join(lines), end="")
    planned = sum(bool(re.match(r"1\.\.\d", line)) for line in lines)
    results = sum(bool(re.match(r"(not )?ok ", line)) for line in lines)
    sentence = (said.strip().splitlines() or [""])[-1].removeprefix(f"{row.program}: ")
    status = conclude(row, status, sentence, planned, results)
    if status:
        print(said, end="", file=sys.stderr, flush=True)
    print(f"# seconds: {time.monotonic() - begin:.1f}", flush=True)
    return status


def run_program(row):
    """Returns its exit status, what it complained about, and its lines."""
    with tempfile.TemporaryFile() as complaints:
        child, output = start(row, complaints.fileno())
        lines = [re.sub(r"^Bail out!", "# Bail out!", line) for line in output]
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return status, booter.text_of(complaints), lines


def start(row, complaints):
    """Starts the row's program; returns its process and its output. tests/boot is loaded here already.

    The program gets a signal to end when this process is gone, however it ended.
    """
    reader, writer = os.pipe()
    parent, words = os.getpid(), [row.target, *row.words]
    child = os.fork()
    if child == 0:
        guest.die_with(parent, signal.SIGTERM)
        if row.program == BOOT:
            booter.run_here(words, writer, complaints)
        os.dup2(writer, sys.stdout.fileno())
        os.dup2(complaints, sys.stderr.fileno())
        os.execv(layout.ROOT / row.program, [row.program, *words])
    os.close(writer)
    return child, os.fdopen(reader, errors="replace")


def conclude(row, status, sentence, planned, results):
    """Prints in TAP what the exit status of the row's program means."""
    if status == UNAVAILABLE and row.need == "may":
        print(f"1..0 # SKIP {sentence}")
        return 0
    if status not in (0, FAILED):
        if not planned:
            print("1..1")
        what = "must be available here, and is not" if status == UNAVAILABLE else "is a broken run"
        print(f"not ok {results + 1} - {row.name} {what}: {sentence.replace('#', 'No. ')}")
    return status

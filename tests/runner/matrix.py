# SPDX-License-Identifier: MIT
"""tests/run-matrix: rows of tests/matrix become test programs, prove runs them, JUnit XML is made.

A test program is `tests/run-matrix --row NAME`.  It passes on what tests/boot prints, and puts
into TAP what TAP cannot say: a target that cannot be had is a skipped program (or, where the row
says `must`, a failure), a broken run is a failed result with the reason, and a guest that bails
out ends its own run, not everybody's.
"""
import dataclasses
import fnmatch
import os
import re
import shutil
import subprocess
import sys

from runner import layout
from runner.problems import BROKEN, FAILED, UNAVAILABLE, Problem
from targets import bochs, model

SCRIPTS = layout.BUILD / "matrix"
DUMP = layout.BUILD / "tap"
JUNIT = layout.BUILD / "junit.xml"
NEEDS = ("must", "may")
# Where a row is about neither the boot nor the line, as GRUB and UARTs are slow there.
WITHOUT_GRUB = ("bochs", "model")
FASTEST = ("via=kernel", "serial=debug")
SCRIPT = '''\
#!/bin/sh
exec "${{0%/*}}/../../tests/run-matrix" --row {name}
'''
USAGE = """\
usage: tests/run-matrix [GLOB|PROGRAM]...

Runs the rows of tests/matrix whose name a GLOB matches (all rows without a GLOB) and the test
PROGRAMs (arguments with a slash), in parallel, by prove.  Afterwards the TAP is in build/tap and
build/junit.xml has the same for CI.  The exit status is prove's.
"""


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    need: str
    target: str
    words: tuple

    @property
    def script(self):
        return SCRIPTS / f"{self.name}.t"


def rows(path=layout.MATRIX):
    """The rows by name; raises Problem for a line that is not one."""
    result = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fields = line.partition("#")[0].split()
        if not fields:
            continue
        if len(fields) < 3 or fields[1] not in NEEDS or fields[0] in result:
            raise Problem(f"{layout.shown(path)}:{number}: not a row, or its name comes twice")
        result[fields[0]] = Row(*fields[:3], words_for(fields[2], fields[3:]))
    return result


def words_for(target, words):
    """A row's words, with the fastest medium and line where it leaves both to us."""
    is_plain = not any(word.startswith(("via=", "serial=")) for word in words)
    given = FASTEST if target.partition(":")[0] in WITHOUT_GRUB and is_plain else ()
    return (*given, *words)


def main(arguments):
    try:
        if arguments[:1] == ["--row"]:
            return run_row(rows()[arguments[1]])
        if any(argument.startswith("-") for argument in arguments):
            print(USAGE, end="")
            return 0 if arguments[0] in ("-h", "--help") else BROKEN
        return run_all([argument for argument in arguments if "/" not in argument] or ["*"],
                       [argument for argument in arguments if "/" in argument])
    except (Problem, OSError) as problem:
        print(f"tests/run-matrix: {problem}", file=sys.stderr)
        return BROKEN
    except KeyboardInterrupt:
        return 128 + 2


def run_all(globs, programs):
    """Run the rows that match, and programs, by prove; returns prove's status."""
    chosen = [row for row in rows().values()
              if any(fnmatch.fnmatchcase(row.name, glob) for glob in globs)]
    if not chosen:
        raise Problem(f"no row of tests/matrix is named {' or '.join(globs)}")
    prepare_bochs(chosen)
    write_scripts(chosen)
    shutil.rmtree(DUMP, ignore_errors=True)
    programs = [os.path.relpath(program, layout.ROOT) for program in programs]
    scripts = [layout.shown(row.script) for row in chosen]
    environment = {**os.environ, "PERL_TEST_HARNESS_DUMP_TAP": str(DUMP)}
    # One more than processors: some programs wait for silence, or for each other.
    done = subprocess.run(["prove", "-j", str(os.cpu_count() + 1), *programs, *scripts],
                          cwd=layout.ROOT, env=environment, check=False)
    write_junit()
    return done.returncode


def prepare_bochs(chosen):
    """Build the emulator before the runs, or the first of them would wait for it in silence."""
    for name, module in (("bochs", ()), ("model", model.MODULE)):
        if any(row.target.startswith(f"{name}:") for row in chosen):
            subprocess.run([bochs.BUILD_SCRIPT, *module], stdout=subprocess.DEVNULL, check=False)


def write_scripts(chosen):
    shutil.rmtree(SCRIPTS, ignore_errors=True)
    SCRIPTS.mkdir(parents=True)
    for row in chosen:
        row.script.write_text(SCRIPT.format(name=row.name))
        row.script.chmod(0o755)


def write_junit():
    """Make JUNIT from the TAP that prove has dumped."""
    dumped = sorted(str(path.relative_to(DUMP)) for path in DUMP.rglob("*") if path.is_file())
    with open(JUNIT, "wb") as file:
        subprocess.run(["prove", "--exec", "cat", "--formatter", "TAP::Formatter::JUnit", *dumped],
                       cwd=DUMP, stdout=file, stderr=subprocess.DEVNULL, check=False)


def run_row(row):
    """Run tests/boot for a row and put all it says into TAP; returns the program's exit status."""
    argv = [layout.ROOT / "tests" / "boot", row.target, *row.words]
    planned = results = 0
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as boot:
        for line in boot.stdout:
            line = re.sub(r"^Bail out!", "# Bail out!", line)
            planned += bool(re.match(r"1\.\.\d", line))
            results += bool(re.match(r"(not )?ok ", line))
            print(line, end="", flush=True)
        said = boot.stderr.read()
    print(said, end="", file=sys.stderr, flush=True)
    sentence = (said.strip().splitlines() or [""])[-1].removeprefix("tests/boot: ")
    return conclude(row, boot.returncode, sentence, planned, results)


def conclude(row, status, sentence, planned, results):
    """Say in TAP what tests/boot said by its exit status."""
    if status == UNAVAILABLE and row.need == "may":
        print(f"1..0 # SKIP {sentence}")
        return 0
    if status not in (0, FAILED):
        if not planned:
            print("1..1")
        what = "cannot be had here, and must" if status == UNAVAILABLE else "is a broken run"
        print(f"not ok {results + 1} - {row.name} {what}: {sentence.replace('#', 'No. ')}")
    return status

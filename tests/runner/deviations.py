# SPDX-License-Identifier: MIT
"""The recorded deviations of a target: its known failures, their reasons and sources.

tests/targets/deviations/EMULATOR.csv has one row per known failure:

    targets    globs, with blanks between, over the target's CPU (the text after the colon);
               GLOB@VERSION holds only for those versions of the emulator, such as *@7.*;
               GLOB+WORD holds only for runs with this word, such as *+x2apic, or with this fact in the
               head of the run: +bits=32, +bits=64 (the kernel), +up, +smp (one processor runs, or
               several), +threads, +no-threads (two of them share a core, or none)
    id         the test, on every processor; TEST@* on all but the first, TEST@cpu2 on that one, TEST@Atom
               on those of this kind of a hybrid, if others gave another result. A result
               that several processors share is covered if it is on all of them
    what, got  globs over the failed check's `what` and `got`
    reason     one sentence
    source     where the reason can be looked up
    severity   empty for a failure; `error` for a test that dies or hangs there; `sometimes` for one that does
               either in some runs alone, because of when the host interrupts the guest

A recorded deviation has to happen on at least one of the processors on which its test ran.

In globs * stands for any characters, ? for one, and nothing else is special.

tests/targets/skips/EMULATOR.csv, where there is one, has every skip that is allowed on a target, and
no other: columns targets, id (globs, with blanks between) and reason (a glob over the skip's own
reason). A family of tests that is skipped in one result is a row with the family's name, and its reason
begins with "* tests: ": which tests a run must have is known from its kernel. A target that no row
names is not checked.
"""
import csv
import dataclasses
import functools
import re

from runner import layout
from runner.problems import Problem

COLUMNS = ("targets", "id", "what", "got", "reason", "source", "severity")
SKIP_COLUMNS = ("targets", "id", "reason")
MAY_BE_EMPTY = ("severity",)
SOMETIMES = "sometimes"
SEVERITIES = ("", "fail", "error", SOMETIMES)
FAMILY_COUNT = re.compile(r"^(\d+|\*) tests: ")
FACTS = {"bits=32", "bits=64", "up", "smp", "threads", "no-threads"}    # tap.Transcript.facts


@dataclasses.dataclass(frozen=True)
class Meant:
    """A row of either table."""

    targets: str
    id: str

    def holds(self, facts):
        """Says whether the row is for a run of which these facts are known."""
        return any(need <= facts for need in self.needs)

    def is_about(self, result):
        """Says whether one of the row's tests gave this result, on one of its processors."""
        return any(self._names(each) for each in on_each(result))

    def is_about_all(self, result):
        """Says whether one of the row's tests gave this result, on all of its processors."""
        return all(self._names(each) for each in on_each(result))

    def _names(self, result):
        return any(names_result(glob, result) for glob in self.id.split())


@dataclasses.dataclass(frozen=True)
class Row(Meant):
    what: str
    got: str
    reason: str
    source: str
    severity: str
    at: str                     # FILE:LINE of the row
    needs: tuple = (frozenset(),)       # FACTS: one of these sets has to be true

    def covers(self, check, severity):
        """Says whether a failed check of this test is the recorded one."""
        return ((self.severity or "fail") in (severity, SOMETIMES)
                and glob_matches(self.what, text(check, "what"))
                and glob_matches(self.got, text(check, "got")))

    @property
    def must_happen(self):
        return self.severity != SOMETIMES


@dataclasses.dataclass(frozen=True)
class SkipRow(Meant):
    reason: str
    at: str                     # FILE:LINE of the row
    needs: tuple = (frozenset(),)       # FACTS: one of these sets has to be true

    def allows(self, result, is_part=False):
        """Says whether the row has this skip. In a part of a run a family may have fewer tests than in a whole one."""
        mine, theirs = self.reason, result.reason
        if is_part:
            mine, theirs = (FAMILY_COUNT.sub("", reason) for reason in (mine, theirs))
        is_about = self.is_about_all(result) or is_part and self.is_family_of(result)
        return is_about and glob_matches(mine, theirs)

    def is_family_of(self, result):
        """Says whether the row is that of a family which has the test."""
        return self.is_family and any(result.test.startswith(f"{name}.") for name in self.id.split())

    @property
    def is_family(self):
        return bool(FAMILY_COUNT.match(self.reason))


def names_result(glob, result):
    test, at, where = glob.partition("@")
    if not at or where == result.kind:
        return glob_matches(test, result.test)
    return glob_matches(glob, result.id)


def on_each(result):
    """Returns the result as it is on each of its processors; a family stays one."""
    return dataclasses.replace(result, tests=()).each() if "@" in result.id else [result]


def text(check, key):
    """Returns a key of a check as one line of text; what is not there is empty."""
    value = check.get(key, "")
    return value if isinstance(value, str) else str(value)


@functools.cache
def compiled(glob):
    parts = ({"*": ".*", "?": "."}.get(character, re.escape(character)) for character in glob)
    return re.compile("".join(parts), re.DOTALL)


def glob_matches(glob, string):
    return compiled(glob).fullmatch(string) is not None


def any_of(globs):
    """Returns what says of many strings if one of these globs matches, or None without globs."""
    return re.compile("|".join(compiled(glob).pattern for glob in globs), re.DOTALL).fullmatch if globs else None


def load(emulator, cpu, version="", words=(), folder=layout.DEVIATIONS):
    """Returns the rows for this target, run by this version of its emulator with these words.

    Ask each row if it holds() for the facts that the guest prints about the run.
    Raises Problem for a malformed row, and without the file: then every recorded deviation would be a failure.
    """
    path = folder / f"{emulator}.csv"
    if not path.exists():
        raise Problem(f"{layout.shown(path)} is missing: restore it")
    return meant_rows(path, COLUMNS, Row, cpu, version, words)


def load_skips(emulator, cpu, version="", words=(), also=None, folder=layout.SKIPS):
    """Returns the skips that are allowed on this target; None where no row names it: all are.

    The target may skip what another one may, whose name is `also`. As with load(), ask each row if it holds(). Raises
    Problem for a malformed row.
    """
    paths = [folder / f"{name}.csv" for name in (emulator, also) if name]
    return [row for path in paths if path.exists()
            for row in meant_rows(path, SKIP_COLUMNS, SkipRow, cpu, version, words)] or None


def meant_rows(path, columns, kind, cpu, version, words):
    meant = ((at, values, needs_of(values[0], cpu, version, words))
             for at, values in rows_of(path, columns))
    return [kind(*values, at, needs) for at, values, needs in meant if needs]


def needs_of(targets, cpu, version, words):
    """Returns the facts that a row needs, one set for each of its globs that can be meant."""
    needs = []
    for glob in targets.split():
        glob, *wanted = glob.split("+")
        cpus, at, versions = glob.partition("@")
        need = frozenset(wanted) - frozenset(words)
        if glob_matches(cpus, cpu) and (not at or glob_matches(versions, version)) \
                and need <= FACTS:
            needs.append(need)
    return tuple(needs)


def rows_of(path, columns):
    """Returns each row's place and values, checked; reads a file again only if it has changed."""
    return read_rows(path, columns, path.stat().st_mtime_ns)


@functools.cache
def read_rows(path, columns, _):
    return list(checked_rows(path, columns))


def prepare():
    """Reads all tables and compiles their globs: a process whose forks make runs does it once for them."""
    tables = [(path, COLUMNS) for path in layout.DEVIATIONS.glob("*.csv")]
    tables += [(path, SKIP_COLUMNS) for path in layout.SKIPS.glob("*.csv")]
    for path, columns in tables:
        for _, values in rows_of(path, columns):
            for glob in f"{values[0]} {values[1]}".split():
                compiled(re.split("[@+]", glob)[0])


def checked_rows(path, columns):
    with open(path, encoding="utf-8", newline="") as file:
        numbered = [(number, line) for number, line in enumerate(file, 1)
                    if line.strip() and not line.startswith("#")]
    rows = csv.reader(line for _, line in numbered)
    if not numbered or numbered[0][1].rstrip() != ",".join(columns):
        raise Problem(f"{layout.shown(path)} does not begin with the names of its columns: restore it")
    for (number, _), values in zip(numbered, rows):
        if values != list(columns):
            at = f"{layout.shown(path)}:{number}"
            check_row(at, values, columns)
            yield at, values


def check_row(at, values, columns):
    if len(values) != len(columns):
        raise Problem(f"{at}: {len(values)} columns instead of {len(columns)}")
    for column, value in zip(columns, values):
        if not value and column not in MAY_BE_EMPTY:
            raise Problem(f"{at}: the column {column} is empty")
        if column == "severity" and value not in SEVERITIES:
            raise Problem(f"{at}: severity is {value!r}, not empty, fail, error or sometimes")

# SPDX-License-Identifier: MIT
"""How long commands end: verdict, a row a family, what failed and how to repeat it, all on one screen.

`make run`, `make test`, `make matrix`, `make quirks` and `make liberties` end so; V=1 shows everything instead.
"""
import collections
import dataclasses
import json
import os
import pathlib
import shutil
import textwrap

from runner.program import shown

KINDS = ("passed", "failed", "erratum", "known", "skipped")
MOST_LINES = 29                 # of an ending; the line of `tests/boot` about its target makes a screen of 30
PIPE_COLUMNS, MOST_COLUMNS = 80, 100
KEY_COLUMNS = 9
FACT_LINES = 3                  # of what was seen in a failure
KEPT = "BARECOUNT_ENDINGS"      # in the environment: the folder of a command that has several parts, and one ending


@dataclasses.dataclass
class Failure:
    """One failure: a name, what was seen as sentences, and the command that repeats it."""

    name: str
    said: list = dataclasses.field(default_factory=list)
    repeat: str = ""


@dataclasses.dataclass
class Ending:
    """What a command has to say at its end; `heads` and `tails` are pairs of a key and a text."""

    good: bool
    verdict: str
    suites: dict = dataclasses.field(default_factory=dict)      # by name, family first: numbers by kind, or by column
    failures: list = dataclasses.field(default_factory=list)
    heads: list = dataclasses.field(default_factory=list)
    tails: list = dataclasses.field(default_factory=list)
    seconds: float = 0

    def show(self, screen):
        for line in self.lines(screen):
            screen.say(line)

    def finish(self, name, screen):
        """Shows the ending; a part of a larger command says its verdict, and leaves the rest to that command."""
        folder = os.environ.get(KEPT)
        if folder:
            pathlib.Path(folder, f"{name}.json").write_text(json.dumps(vars(self), default=vars), encoding="utf-8")
            screen.say(f"  {name:8} {self.verdict}")
        else:
            self.show(screen)

    def lines(self, screen):
        """Returns at most MOST_LINES lines, if nothing failed unless the families alone are more."""
        columns = columns_of(screen)
        heads = [line for pair in self.heads for line in pair_lines(*pair, columns)]
        tails = [line for pair in self.tails for line in pair_lines(*pair, columns)]
        failures = [failure_lines(failure, columns, screen) for failure in self.failures]
        room = MOST_LINES - 1 - len(heads) - len(tails)
        table = self.table(screen)
        if len(table) + rows_of(sum(failures[:2], []), columns) + 1 > room:
            table = self.table(screen, of_failed=True)
        if failures and len(table) > room // 2:
            table = [*table[:room // 2 - 2], "...", table[-1]]
        verdict = f"{self.verdict} ({self.seconds:.1f} s)"
        return [screen.colour("passed" if self.good else "failed", verdict), *heads, *table,
                *fitting(failures, room - len(table), columns), *tails]

    def table(self, screen, of_failed=False):
        """Returns the lines of the table: of all families that were not skipped whole, or of those that failed."""
        families = by_family(self.suites)
        red = {name for name, counts in self.suites.items() if counts.get("failed")}
        rows = {}
        for family, suites in families.items():
            counts = total(suites.values())
            if red & set(suites) or not of_failed and set(filter(counts.get, counts)) != {"skipped"}:
                rows[family] = counts
                rows |= {f"  {name}": suites[name] for name in suites if name in red - {family}}
        rows["all"] = total(self.suites.values())
        names = [name for name in rows["all"] if rows["all"][name] or name in ("passed", "failed")]
        return table_lines(rows, names, screen) if self.suites else []


def read(folder):
    """Returns the endings that parts left in a folder, by their names."""
    return {path.stem: Ending(**{**facts, "failures": [Failure(**failure) for failure in facts["failures"]]})
            for path in pathlib.Path(folder).glob("*.json") for facts in [json.loads(path.read_text(encoding="utf-8"))]}


def is_whole():
    """Says whether everything is to be shown."""
    return bool(os.environ.get("V"))


def columns_of(screen):
    return min(shutil.get_terminal_size().columns, MOST_COLUMNS) if screen.is_live else PIPE_COLUMNS


def shortened(text):
    """Returns a text that takes two lines at most."""
    return textwrap.shorten(text, 2 * (PIPE_COLUMNS - KEY_COLUMNS - 2), placeholder=" ...")


def pair_lines(key, text, columns):
    return textwrap.wrap(f"{key:{KEY_COLUMNS}}{shown(text)}", columns, subsequent_indent=" " * KEY_COLUMNS,
                         break_on_hyphens=False, break_long_words=False)


def failure_lines(failure, columns, screen):
    """Returns a failure's name, what was seen, and the command that repeats it, whole, to be copied."""
    said = [line for text in failure.said for line in pair_lines("", text, columns)]
    if len(said) > FACT_LINES:
        said = [*said[:FACT_LINES - 1], said[FACT_LINES - 1][:columns - 4] + " ..."]
    return [f"{screen.colour('failed', 'FAILED')}   {screen.colour('bold', shown(failure.name))}",
            *said, *([f"{'repeat':{KEY_COLUMNS}}{failure.repeat}"] if failure.repeat else [])]


def rows_of(lines, columns):
    """Returns how many rows of the screen lines take; a command to be copied may be longer than one."""
    return sum(max(1, -(-len(line) // columns)) for line in lines)


def fitting(failures, room, columns):
    """Returns the lines of as many failures as there is room for, and how many more there are."""
    lines = []
    for count, failure in enumerate(failures, 1):
        if count > 1 and rows_of([*lines, *failure], columns) + (count < len(failures)) > room:
            return [*lines, f"{'FAILED':{KEY_COLUMNS}}and {len(failures) - count + 1} more: V=1 shows all"]
        lines += failure
    return lines


def by_family(suites):
    """Returns {family: {suite: counts}}."""
    families = {}
    for name, counts in suites.items():
        families.setdefault(name.partition(".")[0], {})[name] = counts
    return families


def total(all_counts):
    """Returns the sums, in the order of KINDS; other columns follow."""
    sums = collections.Counter()
    for counts in all_counts:
        sums.update(counts)
    return {name: sums[name] for name in dict.fromkeys([*KINDS, *sums])}


def table_lines(rows, names, screen):
    width = max(map(len, rows))
    lines = [screen.colour("bold", f"{'':{width}}" + "".join(f"{name:>9}" for name in names))]
    for label, counts in rows.items():
        cells = "".join(screen.colour(name, f"{counts[name]:9}") if counts.get(name) else f"{'-':>9}" for name in names)
        lines.append((screen.colour("bold", f"{label:{width}}") if label == "all" else f"{label:{width}}") + cells)
    return lines

# SPDX-License-Identifier: MIT
"""The quirks and liberties: tests/defects/*.quirks and *.liberties have a row for each, with edits of the reference.

A quirk is a defect: its test must fail. A liberty is what a sound machine may do and the reference does not: no test
may fail with it. A row is a paragraph of lines `key: value`; `#` begins a comment. These keys edit the reference:

  edit: FILE FUNCTION   the lines of a diff follow: those with a blank or `-` are in the reference, those with a blank
                        or `+` replace them; FILE is named from model/ on
  add: FILE FUNCTION    its `+` lines, a function of this row alone, come before that function
  event: SELECT counts OTHER        a wrong row of a table of events, in one of the forms of events.py
  own: struct NAME: DECLARATION     a field that only the quirk build has
  fact: GROUP.FIELD = VALUE         one of the processor's rules
  each: WORD = VALUE, VALUE         a row for each value, which takes the word's place everywhere in the paragraph,
                        also in its name: `each: N = 0, 7` for the first and the last counter; several words have
                        several values: `each: A B = 0 1, 4 5`
  erratum: ID CPU WORD... TEST      the published erratum that the defect is on CPU: with these words of tests/boot,
                        stepping= among them, TEST is a TODO with that id, without stepping= it just fails; without
                        TEST it is the row's first one

The row `always` has edits for all quirks.

Any set of liberties can be on at once, so their edits only insert: `+` lines before or after lines that begin with a
blank, which stay. In them VALUE is a number that PMU_SEED draws from those of `value: LOW HIGH`.
"""
import dataclasses
import functools
import re

from runner import layout
from runner.defects import events
from runner.problems import Problem

FOLDER = layout.ROOT / "tests" / "defects"
TEXTS = ("id", "defect", "source", "cpu", "words", "test", "what")
NEEDED = ("defect", "source", "cpu")
FREE_TEXTS = ("does", "source", "machines", "cpu", "words", "suites", "was", "quirks", "drops")
FREE_NEEDED = ("does", "source", "machines", "cpu", "was")
ALWAYS = "always"                       # the row of edits that all quirks have


@dataclasses.dataclass
class Edit:
    """One place of the reference: its text, and the text that replaces it."""

    place: str                          # FILE:LINE: quirk NAME
    file: str
    function: str
    lines: list = dataclasses.field(default_factory=list)
    is_added: bool = False              # before the function, not in it
    is_inserted: bool = False           # it replaces nothing

    @property
    def old(self):
        return "\n".join(line[1:] for line in self.lines if line[0] in " -")

    @property
    def new(self):
        return "\n".join(line[1:] for line in self.lines if line[0] in " +")


@dataclasses.dataclass(frozen=True)
class Erratum:
    """A published erratum that the quirk is, and the run that shows it."""

    id: str                             # as pmu/core/errata_rows.c has it
    cpu: str
    words: tuple                        # without stepping=
    stepping: str
    test: str                           # "": the row's first one


@dataclasses.dataclass
class Row:
    """One quirk, or one liberty."""

    place: str
    name: str
    texts: dict = dataclasses.field(default_factory=dict)
    errata: list = dataclasses.field(default_factory=list)      # of Erratum
    facts: list = dataclasses.field(default_factory=list)       # (field, value), as C has them
    events: list = dataclasses.field(default_factory=list)      # of events.Event
    own: list = dataclasses.field(default_factory=list)         # (struct, declaration)
    edits: list = dataclasses.field(default_factory=list)
    value: tuple = ()                                           # the least and the most that VALUE is

    @property
    def diff(self):
        """The row's changes, as its own lines."""
        return [*(f"fact: {field} = {value}" for field, value in self.facts),
                *(f"event: {event.text}" for event in self.events),
                *(line for edit in self.edits for line in
                  (f"{'add' if edit.is_added else 'edit'}: {edit.file} {edit.function}", *edit.lines))]


class Reader:
    """Takes the lines of one file, whose rows begin with `quirk: NAME` or `liberty: NAME`."""

    def __init__(self, begins, texts):
        self.begins, self.texts = begins, texts
        self.rows = []
        self.edit = None

    def take(self, place, line):
        if line.startswith("#"):
            return
        if line[:1] in (" ", "+", "-"):
            if not self.edit:
                raise Problem(f"{place}: a line of a diff belongs after edit: or add:")
            self.edit.lines.append(line)
            return
        self.edit = None
        if line:
            key, colon, value = line.partition(": ")
            if not colon or key != self.begins and not self.rows:
                raise Problem(f"{place}: a line is KEY: VALUE, and a row begins with {self.begins}: NAME")
            self.take_value(place, key, value.strip())

    def take_value(self, place, key, value):
        if key == self.begins:
            self.rows.append(Row(place, value))
        elif key in self.texts:
            self.rows[-1].texts[key] = value
        elif key == "erratum":
            self.rows[-1].errata.append(erratum(place, value.split()))
        elif key == "fact":
            self.rows[-1].facts.append(split(place, value, " = "))
        elif key == "event" and self.begins == "quirk":
            self.rows[-1].events.append(events.parse(place, value))
        elif key == "own":
            self.rows[-1].own.append(split(place, value.removeprefix("struct "), ": "))
        elif key == "value" and self.begins == "liberty":
            self.rows[-1].value = tuple(int(number, 0) for number in split(place, value, " "))
        elif key in ("edit", "add") and self.begins == "quirk" or key == "insert" and self.begins == "liberty":
            self.edit = Edit(f"{place}: {self.begins} {self.rows[-1].name}", *split(place, value, " "),
                             is_added=key == "add", is_inserted=key == "insert")
            self.rows[-1].edits.append(self.edit)
        else:
            raise Problem(f"{place}: there is no key {key!r}")


def erratum(place, parts):
    """Returns the Erratum of an `erratum:` line. A name may have a number after its maker's: AMD 990."""
    if parts[1:] and parts[1].isdecimal():
        parts = [" ".join(parts[:2]), *parts[2:]]
    words = [part for part in parts[2:] if "=" in part]
    stepping = next((word for word in words if word.startswith("stepping=")), "")
    tests = [part for part in parts[2:] if "=" not in part]
    if not stepping or len(tests) > 1:
        raise Problem(f"{place}: erratum: ID CPU stepping=N WORD... TEST")
    words.remove(stepping)
    return Erratum(parts[0], parts[1], tuple(words), stepping, "".join(tests))


def split(place, value, between):
    """Returns both halves of a value."""
    first, found, second = value.partition(between)
    if not found:
        raise Problem(f"{place}: {value!r} lacks {between!r}")
    return first.strip(), second.strip()


def read(folder=FOLDER):
    """Returns all rows, `always` first. Raises Problem if a file makes no sense."""
    found = read_files(sorted(folder.glob("*.quirks")), Reader("quirk", TEXTS))
    check(found, "quirk", NEEDED)
    return sorted(found, key=lambda row: row.name != ALWAYS)


@functools.cache
def liberties(folder=FOLDER):
    """Returns all liberties. Raises Problem if a file makes no sense, or two set one fact to different values."""
    found = read_files(sorted(folder.glob("*.liberties")), Reader("liberty", FREE_TEXTS))
    check(found, "liberty", FREE_NEEDED)
    said = {}
    for row in found:
        for field, value in row.facts:
            if said.setdefault(field, value) != value:
                raise Problem(f"{row.place}: liberty {row.name} makes {field} {value}, another one {said[field]}")
    return found


def read_files(paths, reader):
    for path in paths:
        name = layout.shown(path)
        lines = [(f"{name}:{number}", line)
                 for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), 1)]
        for place, line in repeated(lines):
            reader.take(place, line)
        reader.edit = None
    return reader.rows


def repeated(lines):
    """Yields the (place, line) of a file. A paragraph with `each:` comes once for each of its rows of values."""
    paragraph, each = [], [{}]
    for place, line in [*lines, ("", "")]:
        if line.startswith("each: "):
            each = values(place, line.removeprefix("each: "))
        elif line:
            paragraph.append((place, line))
        else:
            for words in each:
                yield from ((where, put(text, words)) for where, text in [*paragraph, (place, "")])
            paragraph, each = [], [{}]


def values(place, text):
    """Returns a dictionary from words to values for each row of an `each:` line."""
    words, found = split(place, text, " = ")
    chosen = [row.split() for row in found.split(",")]
    if any(len(row) != len(words.split()) for row in chosen):
        raise Problem(f"{place}: each: {text}: as many values as words in each row")
    return [dict(zip(words.split(), row)) for row in chosen]


def put(text, words):
    """Returns the text with values in the place of words."""
    for word, value in words.items():
        text = re.sub(rf"\b{word}\b", value, text)
    return text


def check(found, kind, needed):
    names = set()
    for row in found:
        if row.name in names:
            raise Problem(f"{row.place}: there is another {kind} {row.name}")
        names.add(row.name)
        missing = [key for key in needed if not row.texts.get(key)]
        if missing and row.name != ALWAYS:
            raise Problem(f"{row.place}: {kind} {row.name} lacks {', '.join(missing)}")


def quirks(folder=FOLDER):
    """Returns the rows that PMU_QUIRK can name. A quirk's number is its place in them, from 1 on."""
    return [row for row in read(folder) if row.name != ALWAYS]

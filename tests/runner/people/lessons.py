# SPDX-License-Identifier: MIT
"""docs/lessons: reads the lines to type, and the answers that a page expects."""
import dataclasses
import re

from runner import layout
from runner.problems import Problem

FOLDER = layout.ROOT / "docs" / "lessons"
NAME = re.compile(r"(\d\d)-[a-z0-9-]+\.md")
TITLE = re.compile(r"# (\d+) (.+)")
MACHINE = re.compile(r"Machine: `([^`]+)`")
SETTING = re.compile(r"([A-Z_]+)=(\S+)")
PROMPT = re.compile(r"((?:cpu \d+)?> )(\S.*)")
FENCE = re.compile(r"```(.*)")
ABOUT = re.compile(r"<!-- about (\d+) -->")         # in front of a block: its numbers, so far off
ANSWER = re.compile(r"<!-- answer (\d+): (.+) -->")    # of an exercise: what `check` takes, with | between
LEFT_OUT = "..."                # in an answer: anything; a line of its own: any number of lines
PART_OFF = 0.02                 # ... or by this part
NUMBER = re.compile(r"-?\d+\.\d+|-?\b\d[0-9A-F]*H|(?<=\+)[0-9A-F]+H|-?\d+")
BAR = re.compile(r"#+$")        # of a histogram
# Of the kernel's code and data, whose end is behind 4 MB. 41H to 43H begin values of event select registers, too, so with
# these an address is known only by the page's line, which has one in its place.
ADDRESS = re.compile(r"\b(?:[123][0-9A-F]|40)[0-9A-F]{4}H")
FAR_ADDRESS = re.compile(r"\b[1-4][0-9A-F]{5}H")
# Of a branch record: a predictor's tables are chosen by addresses.
MISSED = re.compile(r"(^ *\d+ +\? .*\S) +mispredicted$")


def command(lesson, emulator=""):
    """Returns the command that starts a lesson, NUMBER or NUMBER.PART, in an emulator that was asked for."""
    if layout.IS_INSTALLED:
        return f"{layout.command('learn')} {f'emulator={emulator} ' if emulator else ''}{lesson}"
    return f"make learn LESSON={lesson}{f' EMULATOR={emulator}' if emulator else ''}"


@dataclasses.dataclass
class Step:
    """A line to type, and the lines that follow it in a page."""
    number: int                 # of the line in the page, from 1
    prompt: str
    text: str
    answer: list
    about: int                  # how far off numbers may be; 0: they are exact


@dataclasses.dataclass
class Part:
    """A machine, and what is typed there in one session."""
    target: str
    words: list
    settings: dict              # for the environment
    shown: str                  # as the page has it
    steps: list


class Lesson:
    """A page. Raises Problem with the page's name and line if it is not one."""

    def __init__(self, path, text=None):
        self.path = path
        self.lines = (path.read_text(encoding="utf-8") if text is None else text).splitlines()
        title = TITLE.fullmatch(self.lines[0] if self.lines else "")
        if not title or f"{int(title[1]):02}" != path.name[:2]:
            raise self.problem(1, "a lesson's first line is '# NUMBER TITLE', of its file's number")
        self.number, self.title = int(title[1]), title[2]
        self.parts, self.answers, self.emulator = [], {}, ""
        self._read()
        for part in self.parts or [None]:
            if not part or not part.steps:
                raise self.problem(len(self.lines), "nothing is typed on the lesson's machine")

    @property
    def shown(self):
        return layout.shown(self.path)

    def problem(self, number, sentence):
        return Problem(f"{self.shown}:{number}: {sentence}")

    def _read(self):
        fence, about = None, 0  # the line that a block begins with; what is said of it
        for number, line in enumerate(self.lines, 1):
            mark = FENCE.fullmatch(line)
            if mark and fence is None:
                fence, is_session = number, not mark[1]
            elif mark:
                fence, about = None, 0
            elif fence is not None and is_session:
                self._read_typed(number, line, number == fence + 1, about)
            elif said := ABOUT.fullmatch(line):
                about = int(said[1])
            elif said := ANSWER.fullmatch(line):
                self.answers[int(said[1])] = [answer.strip() for answer in said[2].split("|")]
            elif fence is None and line.startswith("Machine:"):
                self._read_machine(number, line)
        if fence is not None:
            raise self.problem(fence, "this block has no end")

    def _read_machine(self, number, line):
        found = MACHINE.match(line)
        if not found:
            raise self.problem(number, "a machine is 'Machine: `[PMU_QUIRK=NAME] TARGET [WORD...]`'")
        words, settings = found[1].split(), {}
        while words and (setting := SETTING.fullmatch(words[0])):
            settings[setting[1]] = setting[2]
            words = words[1:]
        if not words:
            raise self.problem(number, "there is no target, such as model:p3_katmai")
        target, *words = words
        self.parts.append(Part(target, quickly(words), settings, found[1], []))

    def _read_typed(self, number, line, is_first, about):
        typed = PROMPT.fullmatch(line)
        if typed and not self.parts:
            raise self.problem(number, "no line 'Machine: ...' comes before it")
        if typed and typed[2].split()[0] == "quit":
            raise self.problem(number, "quit ends the machine: nothing can follow, leave it out")
        if typed:
            self.parts[-1].steps.append(Step(number, *typed.groups(), [], about))
        elif is_first:
            raise self.problem(number, "a block begins with what is typed, '> ...'; one that is not "
                               "of the monitor says what it is, as in ```c")
        else:
            self.parts[-1].steps[-1].answer.append(line)


def quickly(words):
    """Returns a machine's words, with those that leave GRUB out if they do not choose a medium."""
    return words if any(word.startswith("via=") for word in words) else [*words, "via=kernel"]


def pages():
    """Returns the path of each lesson's page by the lesson's number."""
    return {int(path.name[:2]): path for path in sorted(FOLDER.iterdir()) if NAME.fullmatch(path.name)}


def load(numbers=()):
    """Returns the lessons with these numbers, or all; raises Problem for an unknown number."""
    known = pages()
    for number in numbers:
        if number not in known:
            there = f"from {min(known)} to {max(known)}" if known else "none yet"
            raise Problem(f"there is no lesson {number}; lessons are {there}")
    return [Lesson(known[number]) for number in numbers or known]


def difference(want, got, about=0):
    """Returns (number from 0, the line of `got` or None if it has ended) for the first line of `want` that differs."""
    at = 0
    for number, line in enumerate(want):
        if line == LEFT_OUT:
            after = want[number + 1:number + 2]
            at = next((i for i in range(at, len(got)) if after and is_alike(after[0], got[i], about)),
                      len(got))
        elif at == len(got) or not is_alike(line, got[at], about):
            return number, got[at] if at < len(got) else None
        else:
            at += 1
    return (len(want), got[at]) if at < len(got) else None


def is_alike(want, got, about):
    """Says whether a line fits; `...` may be anything, and what depends on the build may differ."""
    got = (FAR_ADDRESS if ADDRESS.search(want) else ADDRESS).sub("?", got)
    want, got = (MISSED.sub(r"\1", line) for line in (ADDRESS.sub("?", want), got))
    if about:
        want, got = near(want, got, about)
    return re.fullmatch(".*".join(map(re.escape, want.split(LEFT_OUT))), got) is not None


def near(want, got, about):
    """Returns both lines without parts that may differ: numbers near each other, widths of columns, bars."""
    numbers = NUMBER.findall(want), NUMBER.findall(got)
    want, got = (" ".join(NUMBER.sub("?", BAR.sub("#", line)).split()) for line in (want, got))
    is_near = len(numbers[0]) == len(numbers[1]) and all(map(lambda a, b: is_off(a, b) <= about, *numbers))
    return want, got if is_near or LEFT_OUT in want else f"{got} {numbers[1]}"


def is_off(a, b):
    """Returns by how much numbers differ, beyond the part of their size that is allowed."""
    a, b = (int(text[:-1], 16) if text.endswith("H") else float(text) for text in (a, b))
    return abs(a - b) - PART_OFF * max(abs(a), abs(b))

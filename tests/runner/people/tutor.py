# SPDX-License-Identifier: MIT
"""A lesson at the monitor's prompt: `next` shows a step, `check` judges what was typed."""
import json
import os
import pathlib
import re
import textwrap

from runner.people import lessons

WIDTH = 78
HIDDEN = re.compile(r"<!--.*-->|Machine: .*")
PICTURE = re.compile(r"!\[.*\]\(pictures/(.*)\.svg\)")
AS_IT_IS = re.compile(r"[|#\s]|\d+\. |\* ")         # a table, a heading, a picture, an item of a list
HELP = ['"next" shows the next step; "check" says whether the last one worked, "check 1 ANSWER" whether',
        "that is the answer of exercise 1."]


class Progress:
    """What a person has done, in a file of the person's; a file that cannot be used is one sentence."""

    def __init__(self):
        state = os.environ.get("XDG_STATE_HOME") or pathlib.Path.home() / ".local" / "state"
        self.path = pathlib.Path(state) / "barecount" / "lessons.json"
        self.done, self.problem = {}, ""
        try:
            kept = json.loads(self.path.read_text(encoding="utf-8"))
            self.done = {key: value for key, value in kept.items() if isinstance(value, int)}
        except FileNotFoundError:
            pass
        except (OSError, ValueError, AttributeError) as problem:
            self._tell("read", problem)

    def of(self, key, most):
        return min(max(self.done.get(key, 0), 0), most)

    def keep(self, key, value):
        self.done[key] = value
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps(self.done, indent=1) + "\n", encoding="utf-8")
        except OSError as problem:
            self._tell("written", problem)

    def _tell(self, what, problem):
        why = getattr(problem, "strerror", None) or "it is not a file of this program"
        self.problem = f"Your progress is not kept: {self.path} cannot be {what}: {why}."


class Tutor:
    """One part of a lesson. `done` is the number of steps that were done, `typed` the last line and its answer."""

    def __init__(self, lesson, number):
        self.lesson, self.number, self.part = lesson, number, lesson.parts[number - 1]
        self.steps, self.key = self.part.steps, f"{lesson.number}.{number}"
        self.progress = Progress()
        self.done = self.progress.of(self.key, len(self.steps))
        self.typed, self.is_good, self.has_seen_exercises = None, False, False
        self.commands = {"next": self._next, "check": self._check}

    def resume(self, session):
        """Types the steps that were done in an earlier session, because the machine is new."""
        for step in self.steps[:self.done]:
            session.command(step.text)
        again = f"Steps 1 to {self.done} were done before: they have been typed again."
        return [*([again] if self.done else []), *self._problem(), *HELP, ""]

    def knows(self, line):
        return line.split()[:1] and line.split()[0] in self.commands

    def obey(self, line):
        """Returns what is to be shown for `next` or `check`."""
        name, *words = line.split()
        return [*self.commands[name](words), *self._problem()]

    def saw(self, typed, answer):
        """Takes a line that was typed, and its answer; a step whose answer it is has been done."""
        self.typed, self.is_good = " ".join(typed.split()), False
        if self.done == len(self.steps):
            return
        step = self.steps[self.done]
        is_telling = any(line.strip(". ") for line in step.answer)
        if fits(step, answer) and (is_telling or self.typed == " ".join(step.text.split())):
            self.is_good, self.done = True, self.done + 1
            self.progress.keep(self.key, self.done)

    def _problem(self):
        problem, self.progress.problem = self.progress.problem, ""
        return [problem] if problem else []

    # -------------------------------------------------------------------- next

    def _next(self, words):
        if words:
            return ['"next" takes no words; it goes on when the step has been done.']
        text = self._text()
        exercises = section(text, "## Exercise")
        if exercises and not self.has_seen_exercises:
            self.has_seen_exercises = True
            answered = [f'"check {number} ANSWER" tries an answer to exercise {number}.'
                        for number in sorted(self.lesson.answers)]
            before = text[:text.index(exercises[0])]
            return [*shown([*before, *exercises]), "", *answered, '"next" shows the page\'s own answers.']
        if self.done == len(self.steps):
            return self._end()
        step = self.steps[self.done]
        text = section(text, "## Answer") if exercises else text
        return [f"Step {self.done + 1} of {len(self.steps)}", *shown(text), "", f"  type: {step.text}"]

    def _text(self):
        """Returns the page's lines between the last step and the next one."""
        before = self.steps[self.done - 1] if self.done else None
        first = before.number + len(before.answer) + 1 if before else 1        # after the end of its block
        if self.done < len(self.steps):
            return self.lesson.lines[first:self.steps[self.done].number - 1]
        later = [part.steps[0].number for part in self.lesson.parts[self.number:]]
        return self.lesson.lines[first:min(later, default=len(self.lesson.lines))]

    def _end(self):
        following = (f"{self.lesson.number}.{self.number + 1}" if self.number < len(self.lesson.parts)
                     else f"{self.lesson.number + 1}")
        return [f"All {len(self.steps)} steps of this machine are done; quit, then: {lessons.command(following)}"]

    # -------------------------------------------------------------------- check

    def _check(self, words):
        if words:
            return [self._judge(words[0], " ".join(words[1:]))]
        if self.typed is None:
            return ['Nothing has been typed yet; "next" shows a step.']
        if self.is_good:
            return [f"Right: step {self.done} of {len(self.steps)} is done; \"next\" shows the next one."]
        if self.done == len(self.steps):
            return self._end()
        step = self.steps[self.done]
        if self.typed != " ".join(step.text.split()):
            return [f"Not yet: step {self.done + 1} is \"{step.text}\"; you typed \"{self.typed}\"."]
        return [f"Not yet: to \"{step.text}\" the page has another answer:", *step.answer,
                "Something programmed before differs; leave by quit, and start again."]

    def _judge(self, number, answer):
        wanted = self.lesson.answers.get(int(number)) if number.isdecimal() else None
        if not wanted:
            known = ", ".join(map(str, sorted(self.lesson.answers))) or "none"
            return f"There is no answer to be checked for exercise {number}; there is for: {known}."
        if not answer:
            return f"The answer is missing: check {number} ANSWER."
        if same(answer) in map(same, wanted):
            return f"Right: {answer} is the answer of exercise {number}."
        return f"Wrong: {answer} is not the answer of exercise {number}."


def fits(step, answer):
    """Says whether an answer is the page's; a terminal may have broken its lines elsewhere."""
    want, got = (" ".join(" ".join(lines).split()) for lines in (step.answer, answer))
    return lessons.is_alike(want, got, step.about)


def same(answer):
    """Returns an answer as it is compared: numbers by their value, letters small or not."""
    words = answer.casefold().split()
    for number, word in enumerate(words):
        if re.fullmatch(r"\d+|0x[0-9a-f]+|\d[0-9a-f]*h", word):
            words[number] = int(word.rstrip("h"), 16 if word[-1] == "h" or "x" in word else 10)
    return words


def drawn(text):
    """Yields a page's lines, with the text of a picture between fences in place of its SVG."""
    for line in text:
        found = PICTURE.fullmatch(line)
        path = lessons.FOLDER / "pictures" / f"{found[1]}.txt" if found else None
        yield from ["```", *path.read_text(encoding="utf-8").splitlines(), "```"] if path else [line]


def section(text, heading):
    """Returns the lines from this heading to the next one."""
    first = next((number for number, line in enumerate(text) if line.startswith(heading)), None)
    if first is None:
        return []
    rest = [number for number, line in enumerate(text) if number > first and line.startswith("## ")]
    return text[first:rest[0] if rest else len(text)]


def shown(text):
    """Returns a page's lines for a terminal: paragraphs are filled again, the rest stays."""
    lines, paragraph, is_fenced = [], [], False
    for line in [*drawn(text), ""]:
        is_fence = line.startswith("```")
        if line and not (is_fence or is_fenced or AS_IT_IS.match(line) or HIDDEN.fullmatch(line)):
            paragraph.append(line)
            continue
        lines += textwrap.wrap(" ".join(paragraph), WIDTH) if paragraph else []
        paragraph, is_fenced = [], is_fenced ^ is_fence
        if not is_fence and not HIDDEN.fullmatch(line) and (line or lines and lines[-1]):
            lines.append(line)
    while lines and not lines[-1]:
        lines.pop()
    return lines

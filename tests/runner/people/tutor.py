# SPDX-License-Identifier: MIT
"""A lesson at the monitor's prompt: `next` shows a step, `check` judges what was typed."""
import json
import os
import pathlib
import re

from runner.people import lessons, pages

HELP = ['"next" shows the next step, "check" judges what you typed, "check 1 ANSWER"',
        'your answer to exercise 1, "hint" helps, "skip", "back" and "goto N" choose',
        'the step.']
EXPLAINED = {                   # what `help WORD` says
    "next": ["next: shows the next step of the lesson, and the line to type"],
    "check": ["check [N ANSWER]: says whether the line that you typed did what the page shows, or whether",
              "ANSWER is the answer of exercise N"],
    "skip": ["skip: types the next step for you, and goes on behind it"],
    "back": ["back: shows the step before the next one again"],
    "goto": ["goto N: goes to step N; steps before it that were not done are typed for you"],
    "hint": ["hint [N]: says what the next step's answer begins with, or the answer of exercise N"],
}


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
        self.session, self.size = None, None    # columns and rows, if a terminal has told them
        self.commands = {"next": self._next, "check": self._check, "skip": self._skip, "back": self._back,
                         "goto": self._goto, "hint": self._hint, "help": self._help}

    def resume(self, session):
        """Types the steps that were done in an earlier session, because the machine is new."""
        self.session = session
        for step in self.steps[:self.done]:
            session.command(step.text)
        again = f"Steps 1 to {self.done} were done before: they have been typed again."
        return [*([again] if self.done else []), *self._problem(), *HELP, ""]

    def knows(self, line):
        first, *words = line.split() or [""]
        return first in self.commands if first != "help" else words[:1] and words[0] in EXPLAINED

    def obey(self, line):
        """Returns what is to be shown for one of the lesson's commands."""
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

    @property
    def _width(self):
        return self.size[0] - 1 if self.size else pages.MOST

    def _shown(self, text):
        return pages.shown(text, self._width, self.size is not None)

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
            return [*self._shown([*before, *exercises]), "", *answered, '"next" shows the page\'s own answers.']
        if self.done == len(self.steps):
            return self._end()
        step = self.steps[self.done]
        text = section(text, "## Answer") if exercises else text
        return [f"Step {self.done + 1} of {len(self.steps)}", *self._shown(text), "", f"  type: {step.text}"]

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
        is_last = self.number == len(self.lesson.parts) and self.lesson.number == max(lessons.pages())
        onward = "this was the last lesson" if is_last else f"quit, then: {lessons.command(following, self.lesson.emulator)}"
        return [f"All {len(self.steps)} steps of this machine are done; {onward}"]

    # -------------------------------------------------------------------- skip, back, goto, hint, help

    def _type(self, steps):
        """Types steps for the person; the guest must not stop for a page meanwhile."""
        if self.size:
            self.session.command("page off")
        lines = []
        for step in steps:
            lines = [f"typed for you: {step.text}", *self.session.command(step.text)]
        if self.size:
            self.session.command("page {} {}".format(*self.size))
        return lines

    def _move(self, done):
        self.done, self.typed, self.is_good = done, None, False
        self.progress.keep(self.key, done)

    def _skip(self, words):
        if words:
            return ['"skip" takes no words: "goto N" goes to step N.']
        if self.done == len(self.steps):
            return self._end()
        said = self._type([self.steps[self.done]])
        self._move(self.done + 1)
        return [*said, f"Step {self.done} of {len(self.steps)} was skipped; \"next\" goes on."]

    def _back(self, words):
        if words:
            return ['"back" takes no words: "goto N" goes to step N.']
        if not self.done:
            return ["This is the first step."]
        self._move(self.done - 1)
        return self._next([])

    def _goto(self, words):
        number = int(words[0]) if len(words) == 1 and words[0].isdecimal() else 0
        if not 0 < number <= len(self.steps):
            return [f"goto N: this machine has steps 1 to {len(self.steps)}."]
        missed = self.steps[self.done:number - 1]
        self._type(missed)
        told = [f"Steps {self.done + 1} to {number - 1} were typed for you."] if missed else []
        self._move(number - 1)
        return [*told, *self._next([])]

    def _hint(self, words):
        if words:
            return [self._hint_of_answer(words[0])]
        if self.done == len(self.steps):
            return self._end()
        step = self.steps[self.done]
        name = step.text.split()[0]
        told = next((line for line in step.answer if line.strip(". ")), None)
        answer = f"its answer begins: {told}" if told else "nothing that it prints matters"
        return [f"Step {self.done + 1} is \"{step.text}\"; {answer}",
                f'"help {name}" explains the command, "skip" types it.']

    def _hint_of_answer(self, number):
        wanted = self.lesson.answers.get(int(number)) if number.isdecimal() else None
        if not wanted:
            return self._judge(number, "")
        words = wanted[0].split()
        return (f"The answer of exercise {number} has {len(words)} word{'s' * (len(words) > 1)} and begins with "
                f"\"{words[0][0]}\".")

    def _help(self, words):
        return EXPLAINED[words[0]]

    # -------------------------------------------------------------------- check

    def _check(self, words):
        if words:
            return [self._judge(words[0], " ".join(words[1:]))]
        if self.typed is None:
            return ['Nothing has been typed yet; "next" shows a step.']
        if self.is_good:
            return [f"Right: step {self.done} of {len(self.steps)} is done; \"next\" goes on."]
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
    words = answer.casefold().replace(",", " ").split()
    for number, word in enumerate(words):
        if re.fullmatch(r"\d+|0x[0-9a-f]+|\d[0-9a-f]*h", word):
            words[number] = int(word.rstrip("h"), 16 if word[-1] == "h" or "x" in word else 10)
    return words


def section(text, heading):
    """Returns the lines from this heading to the next one."""
    first = next((number for number, line in enumerate(text) if line.startswith(heading)), None)
    if first is None:
        return []
    rest = [number for number, line in enumerate(text) if number > first and line.startswith("## ")]
    return text[first:rest[0] if rest else len(text)]

# SPDX-License-Identifier: MIT
"""tests/lessons: types the lines of the lessons, and compares the monitor's answers."""
import dataclasses
import multiprocessing
import os

from runner import program
from runner.people import lessons, pictures
from runner.problems import BROKEN, FAILED, PASSED, Problem
from runner.session import Session
from targets import bochs, model

USAGE = """\
usage: tests/lessons [--write] [NUMBER...]

Types each line of the lessons with these NUMBERs (all without one) in docs/lessons on the lesson's
machine, compares the monitor's answers with the page, and prints the first difference.
--write puts the present answers into the pages, and makes their pictures.
Exit status: 0 all answers are as in the pages, 1 one differs, 2 the lessons cannot be typed.
"""


@dataclasses.dataclass
class Outcome:
    """The outcome of one lesson."""
    title: str
    answers: list = dataclasses.field(default_factory=list)     # (Step, prompt, lines) of today
    difference: str = ""        # the first one, in a sentence
    broken: str = ""            # why it ended before its time

    @property
    def wrong(self):
        return "\n".join(filter(None, (self.difference, self.broken)))


def main(arguments):
    return program.ended("tests/lessons", work, arguments)


def work(arguments):
    is_writing = "--write" in arguments
    numbers = [argument for argument in arguments if argument != "--write"]
    if any(not number.isdecimal() for number in numbers):
        print(USAGE, end="")
        return PASSED if numbers[0] in ("-h", "--help") else BROKEN
    pages = lessons.load([int(number) for number in numbers])
    if is_writing:
        pictures.write()
    status = PASSED
    for page, outcome in zip(pages, replay_all(pages)):
        if is_writing:
            outcome.difference = ""
            write(page, outcome)
        print(outcome.wrong or f"ok     {page.shown}: {len(outcome.answers)} lines typed", flush=True)
        status = FAILED if outcome.wrong else status
    return status


def replay_all(pages, environment=None):
    """Outcomes in the order of the pages, by as many processes as there are processors."""
    bochs.share(model.MODULE)
    jobs = [(page, environment or {}) for page in pages]
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        yield from pool.imap(replay, jobs)


def replay(job):
    """Returns one lesson's outcome, in a process that may change its environment."""
    page, environment = job
    outcome = Outcome(page.title)
    try:
        for part in page.parts:
            replay_part(page, part, environment, outcome)
    except Problem as problem:
        outcome.broken = f"{page.shown}: {problem}"
    return outcome


def replay_part(page, part, environment, outcome):
    os.environ.pop(model.QUIRK, None)
    os.environ.update({**part.settings, **environment})
    with Session(part.target, part.words) as session:
        for step in part.steps:
            prompt = session.prompt
            got = [line.rstrip() for line in session.command(step.text)]
            outcome.answers.append((step, prompt, got))
            outcome.difference = outcome.difference or compare(page, step, prompt, got)


def compare(page, step, prompt, got):
    """Returns a sentence about the first difference, or ""."""
    where = f"{page.shown}:{step.number}"
    if prompt != step.prompt:
        return f"{where}: the prompt is {prompt!r}, the page has {step.prompt!r}"
    found = lessons.difference(step.answer, got, step.about)
    if not found:
        return ""
    number, line = found
    want = step.answer[number] if number < len(step.answer) else None
    return (f"{page.shown}:{step.number + 1 + number}: after \"{step.text}\"\n"
            f"  got:  {shown(line)}\n  want: {shown(want)}")


def shown(line):
    return "nothing more" if line is None else line


def write(page, outcome):
    """Puts today's answers into the page; says so if that changes it."""
    changed = 0
    for step, prompt, got in reversed(outcome.answers):
        if prompt != step.prompt or lessons.difference(step.answer, got, step.about):
            page.lines[step.number - 1:step.number + len(step.answer)] = [prompt + step.text, *got]
            changed += 1
    if changed:
        page.path.write_text("".join(f"{line}\n" for line in page.lines), encoding="utf-8")
        print(f"wrote  {page.shown}: {changed} answers")

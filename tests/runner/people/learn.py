# SPDX-License-Identifier: MIT
"""tests/learn: opens the monitor on a lesson's machine, or on any of the model's."""
import os
import re

from runner import cli, layout, nearest
from runner.people import lessons, monitor, tutor
from runner.problems import Problem

NAME = layout.command("learn")
USAGE = f"""\
usage: {NAME} [emulator=bochs|qemu] [LESSON[.PART]] [TARGET [WORD...]]

Starts the monitor on the machine of a lesson in {layout.shown(lessons.FOLDER)}, or on TARGET, at this terminal, and first
names the page to open. PART is the number of the page's machine (1). With a TARGET the lesson is done on
that. Without words lesson 1 starts. emulator=qemu takes qemu-model:CPU in the place of model:CPU.

"""
LESSON = re.compile(r"(\d+)(?:\.(\d+))?")
EMULATORS = {"bochs": "model", "qemu": "qemu-model"}       # and their targets with the reference PMU
EMULATOR = "emulator="
LEAVING = ["CTRL-] leaves, as the command \"quit\" does.", ""]


def main(arguments):
    return cli.start(NAME, lambda: USAGE, run, arguments or ["1"])


def run(first, rest):
    emulator = ""
    if first.startswith(EMULATOR):
        emulator = first.removeprefix(EMULATOR)
        if emulator not in EMULATORS:
            raise Problem(f"there is no {first}{nearest.hint(emulator, EMULATORS)}; it is {' or '.join(EMULATORS)}")
        first, *rest = rest or ["1"]
    chosen = LESSON.fullmatch(first)
    if not chosen:
        return monitor.run(target_in(emulator, first), lessons.quickly(rest), [*index(), *LEAVING])
    lesson = in_emulator(emulator, lessons.load([int(chosen[1])])[0])
    number = int(chosen[2] or 1)
    if not 0 < number <= len(lesson.parts):
        raise lesson.problem(1, f"the lesson has no part {number}; it has {len(lesson.parts)}")
    if rest:
        return monitor.run(target_in(emulator, rest[0]), lessons.quickly(rest[1:]), [*page(lesson), *LEAVING])
    part = lesson.parts[number - 1]
    os.environ.update(part.settings)
    return monitor.run(part.target, part.words, [*page(lesson, part), *LEAVING], tutor.Tutor(lesson, number))


def target_in(emulator, target):
    """Returns the emulator's target in the place of model:CPU; other targets stay."""
    return re.sub("^model:", f"{EMULATORS.get(emulator, 'model')}:", target)


def in_emulator(emulator, lesson):
    """Moves the lesson's machines to this emulator; returns the lesson."""
    lesson.emulator = emulator
    for part in lesson.parts:
        target = target_in(emulator, part.target)
        part.shown, part.target = part.shown.replace(part.target, target), target
    return lesson


def index():
    return ["", f"Lessons, to be opened beside this terminal, in {layout.shown(lessons.FOLDER)}:",
            *(f"{lesson.number:4} {lesson.title}" for lesson in lessons.load())]


def page(lesson, part=None):
    """Returns the sentence that names the page to open and the first line to type."""
    lines = [*(index() if lesson.number == 1 else ()), "", f"Lesson {lesson.number}: {lesson.title}",
             f"  open this beside the terminal: {lesson.shown}"]
    if part:
        lines += [f"  this machine is: {part.shown}", f"  the first line to type: {part.steps[0].text}"]
    if part and len(lesson.parts) > 1:
        lines += ["  its machines, each to be started when the page comes to it:"]
        lines += [f"    {lessons.command(f'{lesson.number}.{number}', lesson.emulator)}   {other.shown}"
                  for number, other in enumerate(lesson.parts, 1)]
    return lines

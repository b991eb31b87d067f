# SPDX-License-Identifier: MIT
"""The command line of tests/boot as a whole: its options, its targets, and the words for all of them."""
import dataclasses

from runner import machine, nearest, targets
from runner.problems import Problem, Unavailable

JUNIT = "--junit"
OPTIONS = (JUNIT, "--help", "--version")


@dataclasses.dataclass(frozen=True)
class Asked:
    """What the command line asks for; each target gets all words."""

    targets: tuple
    words: tuple
    junit: str = ""             # the file for JUnit XML


def read(arguments):
    """Returns what the arguments ask for; raises Problem for an option that is none, and without a target."""
    words, junit, rest = [], "", iter(arguments)
    for word in rest:
        name, equals, value = word.partition("=")
        if not word.startswith("--"):
            words.append(word)
        elif name != JUNIT:
            raise Problem(f"{name} is not an option{nearest.hint(name, OPTIONS)}; the options are {JUNIT} FILE, --help and --version")
        else:
            junit = file_name(value if equals else next(rest, ""))
    if not words:
        raise Problem(f"there is no target: name EMULATOR:CPU, or {targets.ANY}")
    chosen = [word for word in words if targets.is_target(word)] or words[:1]
    return Asked(tuple(chosen), tuple(word for word in words if word not in chosen), junit)


def file_name(value):
    """Returns the value of --junit; raises Problem if it was forgotten."""
    if not value or targets.is_target(value) or value.startswith("--"):
        raise Problem(f"{JUNIT} is not followed by the name of a file: {JUNIT} FILE TARGET")
    return value


def check(asked):
    """Raises Problem for a mistake that would break the run on one of several targets, before the first one boots."""
    board, _, _ = machine.split(asked.words)
    for target in asked.targets:
        try:
            if target != targets.ANY:
                targets.find(target, board)
        except Unavailable:
            pass                        # which its own run says

# SPDX-License-Identifier: MIT
"""Says which results of programs failed, and why, because prove prints no more than their numbers."""
from runner import tap
from runner.people import ending, show
from runner.program import shown
from runner.turns import junit

LINES = 20                      # shown of what a result says; of more the last ones, where a traceback has its error
RESULTS = 20                    # shown of all; more have one cause most of the time


def said(texts, folder):
    """Yields the lines for a person; texts has the TAP of each program, and folder is where it can be read."""
    found = [(name, line, rest) for name, text in texts.items() for line, rest in failed(text)]
    for name, line, rest in found[:RESULTS]:
        yield f"{name}: {line}"
        yield from reason(rest)
    if found:
        more = f"{len(found) - RESULTS} more failed results, and " if len(found) > RESULTS else ""
        yield f"{more}all that the programs printed: {folder}/"


def of_program(name, text, outcome, repeat):
    """Returns an ending.Failure for each failed result of a program, or one on the program: prove's own sentence."""
    found = [of_result(name, line, rest, repeat) for line, rest in failed(text)]
    return found or [ending.Failure(name, [outcome or "it said nothing"], repeat)]


def of_result(name, line, rest, repeat):
    """Returns a failure with the checks of the result's block, or with the last lines if that cannot be read."""
    result = junit.expanded(junit.RESULT.match(line), rest)[0]
    try:
        if result.block:
            checks = show.failure([result])
            return ending.Failure(f"{name}: {result.id}", checks.said, checks.repeat or repeat)
    except ValueError:
        pass
    said = [text.lstrip("# ") for text in reason(rest) if text not in (tap.BLOCK_START, tap.BLOCK_END)]
    return ending.Failure(f"{name}: {result.id}", said[-ending.FACT_LINES:], repeat)


def failed(text):
    """Yields each failed result's line and the lines that follow it; a TODO is no failure."""
    for line, rest in junit.split(text):
        result = junit.RESULT.match(line)
        if result and result[1] and (result[3] or "").upper() != "TODO":
            yield line, rest


def reason(rest):
    """Returns the lines of the result's YAML block, or its comments."""
    block = junit.block_of(rest)
    if not block:
        end = next((number for number, line in enumerate(rest) if not line.startswith("#")), len(rest))
        block = [f"  {line}" for line in rest[:end]]
    return [shown(line) for line in block[-LINES:]]


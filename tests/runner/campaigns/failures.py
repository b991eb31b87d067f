# SPDX-License-Identifier: MIT
"""Says which results of programs failed, and why, because prove prints no more than their numbers."""
from runner.campaigns import junit

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
    return [plain(line) for line in block[-LINES:]]


def plain(line):
    """Returns the line with escapes in the place of what a terminal would obey."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in line)

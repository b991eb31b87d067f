# SPDX-License-Identifier: MIT
"""tests/where: the file and the line of any test, by its id, as the built kernels' symbols tell."""
import fnmatch
import re
import subprocess
import sys

from runner import layout, nearest, program
from runner.problems import BROKEN, FAILED, PASSED, Problem
from runner.whole import contents

USAGE = """\
usage: tests/where ID|GLOB...

Prints where each test is written, as "FILE:LINE: ID": the line of its TEST(), or of the macro that makes it.
The end of an id in a log, such as "@cpu1", may be there. Asks the kernels in build/ (make).
Exit status: 0 all were found, 1 an ID or a GLOB is no test's, 2 the kernels are missing.
"""
SYMBOL = re.compile(r"^(\w+) \w \w+\t(\S+:\d+)$", re.M)


def places_in(debug):
    """Returns "FILE:LINE" of each symbol of a kernel by its address."""
    said = subprocess.run(["nm", "-l", debug], text=True, check=True, capture_output=True).stdout
    # The sources' folder is "." in the kernel's symbols.
    return {int(address, 16): place.removeprefix("./") for address, place in SYMBOL.findall(said)}


def places():
    """Returns the place of each test of either kernel, by its id. Raises Problem without kernels."""
    found = {}
    for bits, kernel in layout.KERNELS.items():
        debug = kernel.with_name(f"{kernel.name}.debug")
        for path in (kernel, debug):
            if not path.exists():
                raise Problem(f"{layout.shown(path)} is missing; run make first")
        lines = places_in(debug)
        found |= {name: lines[at] for name, at in contents.addresses_in(kernel.read_bytes(), debug, bits).items()}
    return found


def search(words):
    """Prints the places of what the words name; returns the exit status."""
    found, status = places(), PASSED
    for word in words:
        ids = sorted(fnmatch.filter(found, word.partition("@")[0]))
        for name in ids:
            print(f"{found[name]}: {name}")
        if not ids:
            program.complain("tests/where", f"{word} is no test{nearest.hint(word, found)}")
            status = FAILED
    return status


def main(words):
    """Returns the exit status for these words."""
    if not words or words[0] in ("-h", "--help"):
        print(USAGE, end="", file=sys.stdout if words else sys.stderr)
        return PASSED if words else BROKEN
    try:
        program.check_output()
        return search(words)
    except BrokenPipeError:
        program.drop_output()
    except (Problem, OSError, subprocess.CalledProcessError) as error:
        program.complain("tests/where", error)
    return BROKEN

# SPDX-License-Identifier: MIT
"""Finds functions that a comment names, with () behind the name, and that no source has: a name that changed, or went."""
import re
import sys

from runner import layout
from runner.checks import layers
from runner.problems import FAILED, PASSED

C_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
COMMENT = {".c": C_COMMENT, ".h": C_COMMENT, ".cc": C_COMMENT,
           ".py": re.compile(r'""".*?"""|(?<!\S)#[^\n]*', re.DOTALL), ".asm": re.compile(r";[^\n]*")}
NAMED = re.compile(r"\b([A-Za-z_]\w*)\(\)")
# What is called, defined or declared, is a pointer to a function, or a label.
KNOWN = re.compile(r"\b(\w+)\s*\(|\*(\w+)\)\s*\(|^[ \t]*#define[ \t]+(\w+)|^(\w+):", re.MULTILINE)
ELSEWHERE = {"intel_pmu_init", "intel_pmu_broken_perf_cap"}         # of Linux


def suffix(path):
    return path[path.rfind("."):]


def known(sources):
    """Returns the names of functions in the sources' code; sources: text by path."""
    return {name for path, text in sources.items() for names in KNOWN.findall(code(path, text)) for name in names}


def code(path, text):
    return COMMENT[suffix(path)].sub("", text) if suffix(path) in COMMENT else text


def breaches(sources):
    """Yields a line for each name of a function that no source has."""
    names = known(sources) | ELSEWHERE
    for path, text in sources.items():
        for comment in COMMENT[suffix(path)].finditer(text) if suffix(path) in COMMENT else ():
            for found in NAMED.finditer(comment[0]):
                if found[1] not in names:
                    line = text.count("\n", 0, comment.start() + found.start()) + 1
                    yield f"{path}:{line}: a comment names {found[0]}, and there is no such function"


def main():
    found = list(breaches(layers.read()))
    print(*found, sep="\n", end="\n" if found else "")
    return FAILED if found else PASSED


if __name__ == "__main__":
    sys.exit(main())

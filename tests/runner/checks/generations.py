# SPDX-License-Identifier: MIT
"""Only pmu/drivers/ knows the classes of PMU: finds everything else that asks which one this processor has.

All others ask for a fact of the class's row, or call an operation that the row reaches (pmu/core/pmu.h), so that a
new class is a row and no search for the places that forgot it.
"""
import re
import sys

from runner import layout
from runner.problems import FAILED, PASSED

FOLDERS = ("arch", "kernel", "monitor", "pmu", "tests/suites")
WHO_KNOWS = "pmu/drivers/"
ROWS = layout.ROOT / WHO_KNOWS / "classes.c"
WORD = re.compile(r'\.word = "(\w+)"')
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
ASKS = (
    r"(?:->|\.)generation\b", r"\benum pmu_generation\b",                       # a number of the class
    r"\bpmu_driver_\w+", r"[!=]= *&event_source_\w+",                           # whose driver, whose events
    r"\bclass *[!=]= *&?\w*class\w*", r"[!=]= *&pmu_classes\b",                 # which row
    r"\bstr\w*cmp\([^;]*\bclass->(?:word|name)\b",                              # its words
)


def pattern(rows):
    """Returns what asks for a class: the words of uarch= in the table of classes, too, as a number's name."""
    names = "|".join(word.upper() for word in WORD.findall(rows))
    return re.compile("|".join((rf"\bPMU_(?:{names})\b", *ASKS)))


def sources():
    """Paths and texts of the kernel's sources, but for those that know the classes."""
    for folder in FOLDERS:
        for path in sorted((layout.ROOT / folder).rglob("*.[ch]")):
            if not layout.shown(path).startswith(WHO_KNOWS):
                yield layout.shown(path), path.read_text(encoding="ascii")


def breaches(texts, rows):
    asks = pattern(rows)
    for name, text in texts:
        text = COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)
        for found in asks.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            yield f"{name}:{line}: {found[0]}: ask for a fact of the class's row; only {WHO_KNOWS} knows the classes"


def main():
    found = list(breaches(sources(), ROWS.read_text(encoding="ascii")))
    print(*found, sep="\n", end="\n" if found else "")
    return FAILED if found else PASSED


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Finds the known names that somebody most likely meant by an unknown one."""
import difflib
import re
import sys

from runner import layout, machine

LEAST = 0.6             # how alike two names must be, as difflib measures it: 1 is equal
MOST = 3                # names in a sentence
PART = 4                # letters of a name that are enough to mean it: "ryzen", "haswell"
UNKNOWN_WORD = re.compile(r'unknown word "([^"=]+)')            # of the kernel
KERNEL_WORD = re.compile(r'^\t\{ \.name = "(\w+)".*?\},?$', re.M | re.S)
NO_TEST = re.compile(r"only=(\S+) selects no test(?: \((the 32-bit kernel))?")
ID = re.compile(r"^\d+,([a-z0-9_.]+),live,", re.M)              # of a row of tests/ids.csv


def nearest(name, known):
    """Returns the known names that are like this one, the most similar first, three at most, or those it is a part of."""
    by_lower = {each.lower(): each for each in known}
    alike = difflib.get_close_matches(name.lower(), by_lower, n=MOST, cutoff=LEAST)
    parts = [each for each in by_lower if len(name) >= PART and name.lower() in each]
    return [by_lower[found] for found in alike or parts[:MOST]]


def hint(name, known):
    """Returns a part for a sentence about an unknown name: ' (did you mean X, Y or Z?)', or nothing."""
    *others, last = nearest(name, known) or [""]
    return f" (did you mean {', '.join(others)}{' or ' if others else ''}{last}?)" if last else ""


def hint_for_bail_out(sentence):
    """Returns the same for the kernel's sentence about a word, or a pattern of only=, that it does not know."""
    if found := UNKNOWN_WORD.search(sentence):
        return hint(found[1], [*machine.WORDS, *kernel_words()])
    if found := NO_TEST.search(sentence):
        return ": add bits=32" if found[2] else hint(found[1], set(patterns()) - {found[1]})
    return ""


def kernel_words():
    """Returns the words of the kernel's command line that have a help text."""
    return [row[1] for row in KERNEL_WORD.finditer(read("kernel/run/cmdline.c")) if ".help" in row[0]]


def patterns():
    """Returns every test's id, and a pattern for each of its beginnings."""
    ids = ID.findall(read("tests/ids.csv"))
    return [*ids, *{f"{each[:dot.start()]}.*" for each in ids for dot in re.finditer(r"\.", each)}]


def read(name):
    """Returns a source's text, or nothing where only this program was copied."""
    path = layout.ROOT / name
    return path.read_text(encoding="ascii") if path.exists() else ""


if __name__ == "__main__":
    print(hint(sys.argv[1], sys.argv[2:]))

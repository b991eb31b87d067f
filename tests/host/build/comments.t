#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Lint's check of comments: a function that a comment names exists."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402  (finds the runner)
from runner.checks import comments, layers          # noqa: E402


def said(**sources):
    """Returns the breaches of a.c, a.py and so on."""
    return list(comments.breaches({f"a.{ending}": text for ending, text in sources.items()}))


class Comments(unittest.TestCase):

    def test_good(self):
        """a function, a pointer to one, a macro and a label may be named, and be in another file"""
        self.assertEqual(said(h="/* one() two() three() four() */\n", asm="four:\n",
                              cc="int one(void);\nvoid f(void (*two)(int));\n#define three 3\n// f()\n"), [])

    def test_bad(self):
        """a name that only comments have is named, with its line; a type's and a variable's name are none of a function"""
        wanted = "a comment names gone(), and there is no such function"
        self.assertEqual(said(c="int a;\n/*\n * gone() */\nstruct gone g;\n"), [f"a.c:3: {wanted}"])
        self.assertEqual(said(cc="int a; // gone()\n"), [f"a.cc:1: {wanted}"])
        self.assertEqual(said(py='"""Calls gone()."""\n# gone()\n'), [f"a.py:{line}: {wanted}" for line in (1, 2)])

    def test_sources(self):
        """no comment of the sources has such a name"""
        self.assertEqual(list(comments.breaches(layers.read())), [])


if __name__ == "__main__":
    taptest.main()

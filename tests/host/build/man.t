#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The man page: man finds no mistake in it, and it has all words of the kernel and of tests/boot."""
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import machine                          # noqa: E402

MAKE = (taptest.TESTS / "generate/man-page", "docs/commandline.md", "1.2.3")


def run(*command, **options):
    return subprocess.run(command, cwd=taptest.ROOT, text=True, check=False, capture_output=True, **options)


class Man(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.page = run(*MAKE).stdout

    def test_words(self):
        """the words are those of build/words and of tests/boot, in their order"""
        listed = run(taptest.ROOT / "build/words").stdout.splitlines()[1:]
        words = [line.split("\t")[0] for line in listed] + list(machine.WORDS)
        described = re.findall(r"^\.TP\n\\fB([a-z0-9_]+)(?:=.*)?\\fR$", self.page, re.M)
        self.assertEqual(described, words)

    def test_name(self):
        """the page names the program as it is installed, and its version"""
        self.assertIn('"Barecount 1.2.3"', self.page)
        self.assertNotIn("tests/boot", self.page)

    @unittest.skipUnless(shutil.which("man"), "man is not installed")
    def test_warnings(self):
        """man shows the page without a warning"""
        shown = run("man", "--warnings", "--local-file", "-", input=self.page,
                    env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        self.assertIn("only=GLOB", shown.stdout)


if __name__ == "__main__":
    taptest.main()

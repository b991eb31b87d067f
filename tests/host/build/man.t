#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The man page: man finds no mistake in it, and it has all words of the kernel and of tests/boot."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
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

    def test_links(self):
        """each page that it names is one that the package installs; the files of a checkout are not named"""
        named = set(re.findall(r"[\w-]+\.md", self.page.replace("\\-", "-")))
        self.assertGreater(len(named), 5)
        self.assertEqual([name for name in named if not (taptest.ROOT / "docs" / name).exists()], [])
        self.assertNotIn("](", self.page)
        self.assertEqual(re.findall(r"\\fB(?:tests|build|iso|kernel)/\S+", self.page), [])

    def test_columns(self):
        """an example too long for a terminal is continued in the next line; no blank is lost"""
        page = "# x\n\n    tests/boot " + "word " * 40 + "\n"
        with tempfile.NamedTemporaryFile("w", suffix=".md") as file:
            file.write(page)
            file.flush()
            made = run(MAKE[0], file.name, "1.2.3").stdout.replace("\\e", "\\")
        example = made.partition(".EX\n")[2].partition(".EE")[0]
        self.assertLessEqual(max(map(len, example.splitlines())), 74)
        self.assertEqual(example.replace("\\\n", " ").split(), ["barecount", *["word"] * 40])

    @unittest.skipUnless(shutil.which("man"), "man is not installed")
    def test_warnings(self):
        """man shows the page without a warning"""
        shown = run("man", "--warnings", "--local-file", "-", input=self.page,
                    env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        self.assertIn("only=GLOB", shown.stdout)
        self.assertEqual([line for line in shown.stdout.splitlines() if len(line) > 80], [])


if __name__ == "__main__":
    taptest.main()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A lesson's page at a terminal: rows broken between words, tables, bold words."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner.people import lessons, pages            # noqa: E402

WIDTH = 40
TABLE = ["| field | meaning |", "| --- | --- |",
         "| OS | count at CPL 0, where an operating system runs |", "| USR | others |"]


class Pages(taptest.Case):

    def test_paragraph(self):
        """a paragraph is filled again, an item keeps its place, a link its text; fenced lines stay"""
        text = ["one two", "three", "", "1. " + "word " * 9, "* [a page](x.md)", "", "```", "> a   b", "```",
                "<!-- x -->"]
        self.assertEqual(pages.shown(text, WIDTH), [
            "one two three", "", "1. " + " ".join(["word"] * 7), "   word word", "* a page", "", "> a   b"])

    def test_table(self):
        """a table's columns are one under the other, and long cells are broken between words"""
        self.assertEqual(pages.shown(TABLE, WIDTH), [
            "field  meaning", "OS     count at CPL 0, where an", "       operating system runs", "USR    others"])

    def test_bold(self):
        """bold words are bold at a terminal, in each row of theirs, and plain elsewhere"""
        text = ["a **bold " + "word " * 9 + "end** b"]
        plain = pages.shown(text, WIDTH)
        bold = pages.shown(text, WIDTH, True)
        self.assertEqual(plain, ["a bold " + " ".join(["word"] * 6), "word word word end b"])
        self.assertEqual(bold, ["a \x1b[1mbold " + " ".join(["word"] * 6) + "\x1b[0m",
                                "\x1b[1mword word word end\x1b[0m b"])

    def test_all(self):
        """no row of any lesson is wider than a terminal of 80 columns, and no word is lost"""
        for page in lessons.load():
            rows = pages.shown(page.lines, 79)
            with self.subTest(page.shown):
                self.assertLessEqual(max(map(len, rows)), 79)
                words = [word for line in pages.drawn(page.lines) if not pages.RULE.fullmatch(line)
                         for word in pages.LINK.sub(r"\1", line).replace("**", "").replace("|", " ").split()
                         if not word.startswith("```")]
                self.assertEqual(sorted(" ".join(rows).replace("|", " ").split()), sorted(words))


if __name__ == "__main__":
    taptest.main()

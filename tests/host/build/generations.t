#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Lint's check that only pmu/drivers/ asks which class of PMU this is."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402  (finds the runner)
from runner.checks import generations               # noqa: E402

ROWS = '\t{ .name = "P5", .word = "p5" },\n\t{ .name = "AMD", .word = "amd_core" },\n'


def said(text):
    """Returns what asks for a class, and where."""
    return [line.split(": ask")[0] for line in generations.breaches([("a.c", text)], ROWS)]


class Generations(unittest.TestCase):

    def test_good(self):
        """facts and operations of the row are no question, and comments may name a class"""
        self.assertEqual(said("/* PMU_P5, and\n * p->class->generation */\nif (pmu_has(PMU_HAS_CESR) && PMU_P55)\n"
                              "\tp->class->driver->running(p);\nprint(p->class->name);\n"), [])

    def test_bad(self):
        """a number's name, of any row, a driver, a source of events, a row and its words are questions"""
        for text in ("PMU_P5", "PMU_AMD_CORE", "->generation", "pmu_driver_p6", "== &event_source_p5",
                     "class == other_class", "!= &pmu_classes", "strcmp(p->class->word"):
            self.assertEqual(said(f"\n/* a\n * b */\nif ({text})\n"), [f"a.c:4: {text}"])

    def test_sources(self):
        """no source asks, and the table of classes has words"""
        rows = generations.ROWS.read_text(encoding="ascii")
        self.assertIn("netburst", generations.WORD.findall(rows))
        self.assertEqual(list(generations.breaches(generations.sources(), rows)), [])


if __name__ == "__main__":
    taptest.main()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Lint's check of the reference: rules that do not differ, names of quirks, tests for a generation are found."""
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402  (finds the runner)
from runner.checks import truth                     # noqa: E402

RULES = """\
struct model_counter_rules {
\tuint8_t width, count;          /* of what
\t                                * there is */
\tbool has_lies;
};
struct model_rules {
\tconst char *name;
\tuint32_t leaf[4];
\tconst struct model_generation *generation;
\tstruct model_counter_rules counters;
};
"""


def with_reference(text, name="model/core/a.c"):
    with mock.patch.object(truth, "reference", lambda: [(name, text)]), mock.patch.object(truth, "lies", list):
        return list(truth.breaches())


class Truth(unittest.TestCase):

    def test_fields(self):
        """fields are found by group; pointers, which stand for a generation's tables, are not looked at"""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rules.h"
            path.write_text(RULES)
            with mock.patch.object(truth, "RULES", path):
                self.assertEqual(sorted(truth.fields()),
                                 ["counters.count", "counters.has_lies", "counters.width", "leaf"])

    def test_lie(self):
        """a field that all processors share is named"""
        with mock.patch.object(truth, "PUT_IN", set()):
            self.assertEqual(truth.lies(), ["netburst.has_threads"])

    def test_reference(self):
        """the reference itself has no breach"""
        self.assertEqual(list(truth.breaches()), [])

    def test_names(self):
        """a quirk's name, the word, and asking for a generation are breaches"""
        self.assertEqual(with_reference("int a;"), [])
        self.assertEqual(with_reference('"pmi-never"'), ['model/core/a.c: it names a quirk: "pmi-never"'])
        self.assertEqual(with_reference("/* a quirk */"), ["model/core/a.c: it names a quirk: quirk"])
        self.assertIn("is_netburst: which generation", with_reference("if (m->is_netburst)")[0])
        self.assertEqual(with_reference("if (m->is_netburst)", truth.WHO_KNOWS), [])


if __name__ == "__main__":
    taptest.main()

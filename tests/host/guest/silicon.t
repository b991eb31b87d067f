#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""docs/silicon.md: the model's counts, made again, beside the published ones, and the errata that suites allow for."""
import fnmatch
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import layout                           # noqa: E402

PAGE = taptest.ROOT / "docs" / "silicon.md"
OTHERS = ("linux.",)            # results of programs other than the kernel


def load():
    """Returns tests/generate/silicon-page as a module."""
    path = str(taptest.TESTS / "generate" / "silicon-page")
    loader = importlib.machinery.SourceFileLoader("silicon_page", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


SILICON = load()
LISTING = subprocess.run([layout.BUILD / "silicon"], text=True, check=True, capture_output=True).stdout


class Silicon(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = SILICON.read()
        SILICON.measure(cls.rows)

    def test_counts(self):
        """no count of the model contradicts a published one, unless its row says why"""
        self.assertEqual([row.problem() for row in self.rows if row.problem()], [])

    def test_page(self):
        """docs/silicon.md is up to date: `make docs` makes it"""
        self.assertEqual(PAGE.read_text().splitlines(), SILICON.document(self.rows, LISTING).splitlines())

    def test_wrong(self):
        """another published count, and a reason that nothing needs, are named"""
        row = next(row for row in self.rows if row.verdict == SILICON.SAME)
        self.assertIn("published 7", SILICON.dataclasses.replace(row, published="7").problem())
        self.assertIn("says why not", SILICON.dataclasses.replace(row, why="so").problem())

    def test_tests(self):
        """each test that the two tables name exists"""
        ids = [line.split(",")[1] for line in (taptest.TESTS / "ids.csv").read_text().splitlines()
               if not line.startswith("#") and not line.endswith("retired")]
        allowed = [line.split("\t")[3] for line in LISTING.splitlines()[1:]]
        for name in " ".join([*(row.tests for row in self.rows), *allowed]).split():
            if not name.startswith(OTHERS):
                self.assertTrue(fnmatch.filter(ids, name), name)


taptest.main()

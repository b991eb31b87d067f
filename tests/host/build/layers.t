#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The table of folders: forbidden uses, full folders and ambiguous names are found."""
import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner.checks import circles, layers                  # noqa: E402


class Table(unittest.TestCase):
    """Breaches in made-up sources are found."""

    def said(self, sources):
        """Returns the breaches of these sources, without kernels."""
        return layers.breaches(sources, [])

    def test_good(self):
        """a folder may use itself and the folders in its row"""
        self.assertEqual(self.said({
            "kernel/run/a.c": "#include <kernel/run/a.h>\n#include <stddef.h>\n#include <arch/cpu/b.h>\n",
            "tests/suites/p5/c.c": "#include <tests/suites/common/events/d.h>\n#include <pmu/core/e.h>\n",
            "model/core/f.h": "#include <model/refpmu.h>\n#include <arch/regs/g.h>\n"}), [])

    def test_up(self):
        """a folder must not use folders above it, in C and in assembly"""
        self.assertEqual(self.said({
            "kernel/lib/a.c": "\n#include <kernel/console/b.h>\n",
            "arch/cpu/c.asm": '%include "pmu/workload/workload.inc"\n',
            "model/core/d.c": "#include <kernel/lib/string.h>\n"}),
            ["kernel/lib/a.c:2: kernel/lib must not include kernel/console/b.h",
             "arch/cpu/c.asm:1: arch/cpu must not include pmu/workload/workload.inc",
             "model/core/d.c:1: model/core must not include kernel/lib/string.h"])

    def test_families(self):
        """a family of suites must not use another one"""
        self.assertEqual(self.said({"tests/suites/p6/a.c": "#include <tests/suites/p5/p5_suite.h>\n"}),
                         ["tests/suites/p6/a.c:1: tests/suites/p6 must not include tests/suites/p5/p5_suite.h"])

    def test_calls(self):
        """a call is found even without an include"""
        used = {"console_write": {"kernel/lib/format", "kernel/run/tap"}, "memcpy": {"kernel/lib/format"}}
        self.assertEqual(list(layers.check_calls({"console_write": "kernel/console/console"}, used)),
                         ["kernel/lib/format: kernel/lib must not use console_write, "
                          "which is in kernel/console/console"])

    def test_folders(self):
        """a folder without a row, and one with too many sources, are named"""
        self.assertEqual(self.said({"tests/strange/a.c": ""}),
                         ["tests/strange: which folders may it use? Give it a row in tests/runner/checks/layers.py"])
        full = {f"pmu/core/a{i}.c": "" for i in range(layers.MOST + 1)}
        self.assertEqual(self.said(full), ["pmu/core: 33 sources, at most 32: make folders in it"])
        full.popitem()
        self.assertEqual(self.said(full), [])
        scripts = {f"tests/runner/a{i}.py": "" for i in range(layers.MOST + 1)}
        self.assertEqual(self.said(scripts), ["tests/runner: 33 sources, at most 32: make folders in it"])

    def test_names(self):
        """a file name means one thing, except for variants by the kernel's width"""
        self.assertEqual(self.said({"pmu/core/lbr.c": "", "model/core/lbr.h": ""}),
                         ["lbr: a file name means one thing, and this one is in model/core and pmu/core"])
        self.assertEqual(self.said({"arch/cpu/frame.h": "", "arch/cpu/x86_32/frame.h": "",
                                    "arch/cpu/x86_64/frame.h": "", "arch/cpu/frame.c": ""}), [])

    def test_circle(self):
        """a row names rows above it only, so that no circle can be written"""
        with mock.patch.dict(layers.LAYERS, {"arch/regs": "kernel/lib"}):
            self.assertEqual(self.said({}), ["runner/checks/layers.py: arch/regs names kernel/lib, "
                                             "which no row above it has"])

    def test_circle_of_includes(self):
        """files that include each other, even by a detour, are named together"""
        self.assertEqual(self.said({"kernel/lib/a.h": "#include <kernel/lib/b.h>\n",
                                    "kernel/lib/b.h": "#include <kernel/lib/c.h>\n",
                                    "kernel/lib/c.h": "#include <kernel/lib/a.h>\n",
                                    "kernel/lib/d.h": "#include <kernel/lib/a.h>\n"}),
                         ["kernel/lib/a.h kernel/lib/b.h kernel/lib/c.h: these include each other in a circle"])

    def test_circle_of_calls(self):
        """files that call each other are named, unless a row allows it; so is a row that nothing needs"""
        defined = {"up": "a.c", "down": "b.c", "enter": "e.asm"}
        used = {"up": {"b.c", "e.asm"}, "down": {"a.c"}, "enter": {"a.c"}}
        uses = circles.calls(defined, used)
        with mock.patch.dict(circles.ALLOWED, clear=True):
            self.assertEqual(list(circles.check_calls([uses])), ["a.c b.c: these call each other in a circle"])
        with mock.patch.dict(circles.ALLOWED, {"a.c b.c": "a reason"}, clear=True):
            self.assertEqual(list(circles.check_calls([uses])), [])
            self.assertEqual(list(circles.check_calls([{}])),
                             ["runner/checks/circles.py: a.c b.c call each other no more"])


class Checkout(unittest.TestCase):
    """A forbidden call in this checkout's kernels and model is found."""

    def test_kernels(self):
        """both kernels' calls are read: with a row that allows less there is a breach"""
        with mock.patch.dict(layers.LAYERS, {"kernel/run": "arch kernel/lib"}):
            for bits in (32, 64):
                defined, used = layers.symbols(layers.layout.BUILD / str(bits))
                said = list(layers.check_calls(defined, used))
                self.assertIn("kernel/run/tap.c: kernel/run must not use print, which is in "
                              "kernel/console/console.c", said)

    def test_model(self):
        """the model's calls are read, too: a call upwards, or to another generation, is a breach"""
        with mock.patch.dict(layers.LAYERS, {"model/netburst": "arch/regs model/state model/core"}):
            said = list(layers.check_calls(*layers.symbols(layers.layout.BUILD / "unit")))
            self.assertIn("model/netburst/netburst_pipeline.c: model/netburst must not use model_wait, "
                          "which is in model/units/units.c", said)


if __name__ == "__main__":
    taptest.main()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The workloads: their records agree with the kernel's code, and tests/recount finds differences."""
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

HEADER = taptest.ROOT / "pmu/core/program.h"
RECOUNT = taptest.TESTS / "recount"


def load_recount():
    """Returns the script as a module."""
    loader = importlib.machinery.SourceFileLoader("recount", str(RECOUNT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("recount", loader))
    loader.exec_module(module)
    return module


def run(*arguments):
    """Runs tests/recount; returns its exit status and its output."""
    done = subprocess.run([RECOUNT, *arguments], text=True, check=False, capture_output=True)
    return done.returncode, done.stdout + done.stderr


class Workloads:
    """Runs tests/recount on a kernel, and on broken copies."""
    bits: int

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.copy = pathlib.Path(folder.name) / "copy"
        self.path = taptest.ROOT / "build" / f"barecount{self.bits}.elf.debug"
        self.kernel = load_recount().Kernel(self.path)

    def shortDescription(self):
        return f"{self.bits}-bit kernel: {super().shortDescription()}"

    def patched(self, change, *addresses):
        """Returns the kernel with the bytes at these addresses changed."""
        image = bytearray(self.kernel.image)
        for offset in map(self.kernel.offset, addresses):
            image[offset] = change(image[offset])
        self.copy.write_bytes(image)
        return run(self.copy)

    def test_kernel(self):
        """the records, and the constants of the window, agree with the code"""
        status, said = run(self.path)
        self.assertEqual(status, 0, said)

    def test_records(self):
        """a number of a record that is wrong by one is named"""
        table = self.kernel.symbols["workload_loop"]
        fields = ("insns", "insns_each", "branches", "branches_each", "taken", "taken_each")
        places = [table + self.kernel.fields_at + 4 * number for number in range(len(fields))]
        for step in (1, -1):
            status, said = self.patched(lambda b, by=step: (b + by) & 0xff, *places)
            self.assertEqual(status, 1, said)
            for field in fields:
                with self.subTest(field, step=step):
                    self.assertIn(f"loop.{field}: the record says", said)

    def test_needs(self):
        """a workload with instructions that its record does not mention is named"""
        needs = self.kernel.symbols["workload_mmx_add"] + self.kernel.fields_at * 3 // 4
        status, said = self.patched(lambda b: b + 1, needs)
        self.assertEqual((status, said), (1, "mmx_add: the record says that it needs mx, the code mmx\n"))

    def test_code(self):
        """an instruction that became another one is named"""
        status, said = self.patched(lambda b: 0xcc, self.kernel.symbols["code_nops.sled"] + 100)
        self.assertEqual((status, said), (1, "nops: the sled is not of one-byte NOPs\n"))
        status, said = self.patched(lambda b: 0x90, self.kernel.symbols["code_loop.round_end"])
        self.assertEqual(status, 1, said)
        self.assertIn("loop.branches: the record says 1, the code has 0", said)

    def test_window(self):
        """a constant of the window that is wrong is named"""
        text = HEADER.read_text(encoding="ascii")
        self.copy.write_text(text.replace("PMU_WINDOW_INSNS      4", "PMU_WINDOW_INSNS      5"),
                             encoding="ascii")
        self.assertEqual(run(self.path, self.copy),
                         (1, "PMU_WINDOW_INSNS: the header says 5, the code has 4\n"))


class Workloads32(Workloads, unittest.TestCase):
    """Checks the 32-bit kernel."""
    bits = 32


class Workloads64(Workloads, unittest.TestCase):
    """Checks the 64-bit kernel."""
    bits = 64


if __name__ == "__main__":
    taptest.main()

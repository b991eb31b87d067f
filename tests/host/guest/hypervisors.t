#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The lines to copy for hypervisors: QEMU's is read from the pages and run; its status is the documented one."""
import os
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

PAGES = ("docs/commandline.md", "docs/hypervisors.md")
LINE = re.compile(r"^    (qemu-system-x86_64 .*)$", re.M)
STATUSES = re.compile(r"twice the value plus 1:\s(\d) passed, (\d) failed, (\d) broken, (\d) no PMU\.")
QEMU = 60                       # seconds; the run takes less than one


def page(name):
    return (taptest.ROOT / name).read_text(encoding="utf-8")


def run(command):
    return subprocess.run(command, cwd=taptest.ROOT, text=True, check=False, capture_output=True, timeout=QEMU,
                          stdin=subprocess.DEVNULL)


class Hypervisors(unittest.TestCase):

    def ends_with(self, words, number):
        """Runs the line with other words for the kernel; its status must be the one with this number."""
        command = shlex.split(LINE.search(page(PAGES[0]))[1])
        command[command.index("-append") + 1] = words
        done = run(command)
        self.assertEqual(done.returncode, int(STATUSES.search(page(PAGES[0]))[number + 1]), done.stderr)
        self.assertTrue(done.stdout.replace("\r", "").endswith(f"# end of run: status {number}\n"))

    def test_same(self):
        """both pages have the same line"""
        self.assertEqual(*(LINE.findall(page(name)) for name in PAGES))

    def test_line(self):
        """the line prints a whole log and ends with the status of a machine that has no PMU"""
        done = run(shlex.split(LINE.search(page(PAGES[0]))[1]))
        self.assertTrue(done.stdout.startswith("TAP version 13"), done.stderr)
        self.assertIn("# verdict: PASS", done.stdout)
        self.assertEqual(done.returncode, int(STATUSES.search(page(PAGES[0]))[4]), "QEMU's own emulator has no PMU")

    def test_statuses(self):
        """a failure and a broken run have the statuses of the page"""
        self.ends_with("broken only=broken.fails leave=f4", 1)
        self.ends_with("no-such-word leave=f4", 2)

    def test_machines(self):
        """QEMU's other machines have verdicts of via=kernel, and a sentence without"""
        for name in ("q35", "microvm", "isapc"):
            done = taptest.Run("qemu:Nehalem", f"machine={name}", "via=kernel", "only=rdtsc.*,platform.pit.*")
            self.assertEqual(done.status, 0, done)
        refused = taptest.Run("qemu:Nehalem", "machine=q35")
        self.assertEqual((refused.status, refused.err[-1][:62]),
                         (2, "tests/boot: machine=q35 goes with via=kernel and via=pvh alone"))

    def example(self, change=("", "")):
        """Runs the step of examples/ci.yml that boots the ISO, with a text of it changed; returns its status."""
        step = re.search(r"- name: Boot the ISO\n +run: \|\n((?: {10}.*\n)+)", page("examples/ci.yml"))[1]
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(taptest.ROOT / "build/barecount.iso", f"{folder}/barecount.iso")
            script = textwrap.dedent(step).replace(*change)
            return subprocess.run(["sh", "-e", "-c", script], cwd=folder, check=False, capture_output=True, timeout=QEMU).returncode

    def test_example(self):
        """the example for CI passes as it is; it fails if a test does, if QEMU does not start, and if the log is cut off"""
        self.assertEqual(self.example(), 0)
        for change in (("skip=rdpmc.*,", "skip="), ("-m 128", "-m no-size"), ("|| status=$?", "|| status=$?; sed -i '$d' barecount.tap")):
            with self.subTest(change[1]):
                self.assertEqual(self.example(change), 1)


if __name__ == "__main__":
    taptest.main()

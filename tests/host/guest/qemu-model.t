#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""qemu-model: for one's own kernel: the example counts, the page's and the CI example's commands work, and a lesson does."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import qemutest                                     # noqa: E402
import taptest                                      # noqa: E402
from runner.people import lessons, replay           # noqa: E402
from runner.people.learn import in_emulator         # noqa: E402

PAGE = taptest.ROOT / "docs" / "qemu-model.md"
EXAMPLE = taptest.ROOT / "examples" / "counts.asm"
WORKFLOW = taptest.ROOT / "examples" / "kernel.yml"
SAYS = "2003 instructions"
LESSON = 1
WHY_NOT = qemutest.why_not()


def shell(script, folder):
    return subprocess.run(["sh", "-e", "-c", script], cwd=folder, text=True, capture_output=True, check=False,
                          timeout=taptest.NEVER_LONGER)


@unittest.skipIf(WHY_NOT, WHY_NOT)
class OwnKernel(unittest.TestCase):

    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        os.symlink(taptest.ROOT, self.folder / "barecount")

    def test_page(self):
        """the page's own lines assemble the example and boot it, and it prints what the page says"""
        block, said = re.search(r"```\n(nasm .*?)```\n.*?```\n(\d+ instructions)\n```", PAGE.read_text(), re.DOTALL).groups()
        self.assertEqual(said, SAYS)
        done = shell(block.replace("counts.bin", f"{self.folder}/counts.bin"), taptest.ROOT)
        self.assertEqual((done.stdout.replace("\r", ""), done.returncode), (f"{SAYS}\n", 1), done)

    def test_exact(self):
        """each turn of the example's loop adds two instructions"""
        source = EXAMPLE.read_text()
        for turns in (1, 2, 999, 100_000):
            with self.subTest(turns=turns):
                (self.folder / "own.asm").write_text(source.replace("equ 1000", f"equ {turns}"))
                self.assertEqual(self.example("own.asm", (SAYS, f"{2 * turns + 3} instructions")), 0)

    def example(self, source="barecount/examples/counts.asm", change=("", "")):
        """Runs the step of the workflow that boots the kernel, with a text of it changed; returns its status."""
        step = re.search(r"- name: Boot the kernel\n +run: \|\n((?: {10}.*\n)+)", WORKFLOW.read_text())[1]
        subprocess.run(["nasm", "-o", self.folder / "counts.bin", self.folder / source], check=True)
        return shell(textwrap.dedent(step).replace(*change), self.folder).returncode

    def test_workflow(self):
        """the example for CI passes; it fails if the count is another, and if there is no PMU"""
        self.assertEqual(self.example(), 0)
        for change in ((SAYS, "2004 instructions"), (",refpmu=on", ""), ("-kernel counts.bin", "-kernel nothing.bin")):
            with self.subTest(change[1]):
                self.assertEqual(self.example(change=change), 1)


@unittest.skipIf(WHY_NOT, WHY_NOT)
class Learn(taptest.Case):

    def test_lesson(self):
        """a lesson's page is right on QEMU, too"""
        lesson = in_emulator("qemu", lessons.load([LESSON])[0])
        outcome = replay.replay((lesson, {}))
        self.assertEqual((outcome.wrong, len(outcome.answers) > 0), ("", True))

    def test_learn(self):
        """tests/learn emulator=qemu opens the lesson's machine there, and names the next lesson with it"""
        run = taptest.Run("emulator=qemu", str(LESSON), program="learn", input="")
        self.check(run, 0)
        said = "\n".join(run.out)
        self.assertIn("this machine is: qemu-model:corei7_haswell_4770", said)


class Refused(taptest.Case):

    def test_emulator(self):
        """an emulator that is none is a sentence"""
        self.check(taptest.Run("emulator=quemu", program="learn", input=""), 2,
                   "there is no emulator=quemu (did you mean qemu?); it is bochs or qemu")


if __name__ == "__main__":
    taptest.main()

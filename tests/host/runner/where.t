#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/where: every test of the kernels has its place."""
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

from runner import bootable, layout, numbers     # noqa: E402  (taptest has put its folder into the path)
from runner.whole import contents                   # noqa: E402

PLACE = re.compile(r"(\S+):(\d+): (\S+)")
BOTH = r"(platform|rdpmc|rdtsc|msr)\."
MAKES = re.compile(r"[A-Z][A-Z0-9_]*\(|static const struct test")          # TEST(, another macro


def where(*words):
    return subprocess.run([taptest.TESTS / "where", *words], capture_output=True, text=True, check=False)


class Where(taptest.Case):
    """The places of all tests, and what is no test."""

    @classmethod
    def setUpClass(cls):
        cls.found = {name: (pathlib.Path(file), int(line))
                     for file, line, name in PLACE.findall(where("*").stdout)}

    def test_all(self):
        """every test of either kernel is found"""
        self.assertEqual(self.found.keys(), contents.of(32).tests.keys() | contents.of(64).tests.keys())

    def test_lines(self):
        """each place is a line that makes a test"""
        wrong = [name for name, (file, line) in self.found.items() if not MAKES.search(
            (taptest.ROOT / file).read_text(encoding="ascii").splitlines()[line - 1])]
        self.assertEqual(wrong, [])

    def test_manuals(self):
        """tests that run on Intel's and on AMD's processors have sources of both"""
        elf = layout.KERNELS[64].read_bytes()
        memory = bootable.flat(elf)[1]
        said = {}
        for _, name, _, source, *_ in contents.structs(elf, f"{layout.KERNELS[64]}.debug", 64):
            if source and re.match(BOTH, name):
                said[name] = memory[source - bootable.IMAGE:][:999].split(b"\0", 1)[0].decode("ascii")
        wrong = [name for name, text in said.items() if "SDM" in text and not re.search("APM|AMD|BKDG|PPR", text)]
        self.assertGreater(len(said), 100)
        self.assertEqual(wrong, [], said and sorted({said[each] for each in wrong}))

    def test_words(self):
        """an id of a log may name a processor; an unknown id gets a hint; a retired one is no test"""
        retired = min(set(numbers.names().values()) - self.found.keys())
        run = where("arch.pmi.delivery.fixed@cpu3", "arch.pmi.delivery.fixd", retired)
        file, line = self.found["arch.pmi.delivery.fixed"]
        self.assertEqual((run.returncode, run.stdout), (1, f"{file}:{line}: arch.pmi.delivery.fixed\n"))
        self.assertIn("arch.pmi.delivery.fixd is no test (did you mean arch.pmi.delivery.fixed", run.stderr)
        self.assertIn(f"{retired} is no test", run.stderr)


if __name__ == "__main__":
    taptest.main()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/boot --complete, and the shell's completion that asks it."""
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

ASK = """\
compopt() { echo "compopt $*"; }
source tests/completion.bash
COMP_LINE=$1 COMP_POINT=${#1}
_barecount "${1%% *}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def completed(line, **more):
    """Returns what bash would offer for the last word of a line, or put in its place."""
    done = subprocess.run(["bash", "--norc", "-c", ASK, "bash", line], cwd=taptest.ROOT, env={**os.environ, **more},
                          capture_output=True, text=True, check=True, timeout=taptest.NEVER_LONGER)
    return done.stdout.split("\n")[:-1] + done.stderr.split("\n")[:-1]


class Completion(unittest.TestCase):
    """What follows the last colon or equals sign is all that readline replaces."""

    def test_targets(self):
        """emulators, then the processors of one; what is unfinished gets no blank"""
        self.assertEqual(completed("tests/boot mod"), ["compopt -o nospace", "model:"])
        self.assertEqual(completed("tests/boot model:corei7_h"), ["corei7_haswell_4770"])
        self.assertIn("bochs:", completed("tests/boot "))
        self.assertIn("best", completed("tests/boot "))
        self.assertIn("Nehalem", completed("tests/boot qemu:Neh"))
        self.assertEqual(completed("tests/boot nothing:"), [""])

    def test_words(self):
        """words that the target offers, the kernel's, and their values"""
        self.assertEqual(completed("tests/boot model:ryzen cac"), ["compopt -o nospace", "caches="])
        self.assertEqual(completed("tests/boot qemu:max cac"), [""])
        self.assertEqual(completed("tests/boot model:ryzen caches="), ["empty", "kept", "warm"])
        self.assertEqual(completed("tests/boot model:ryzen exa"), ["exact"])
        self.assertEqual(completed("tests/boot model:ryzen as=zen5"), ["zen5"])
        self.assertEqual(completed("tests/boot model:ryzen like=caches-warm,clocks-v"), ["caches-warm,clocks-vary"])

    def test_ids(self):
        """ids grow by their parts; after a comma another one begins; a retired one is none"""
        self.assertEqual(completed("tests/boot model:ryzen only=arch.pm"), ["compopt -o nospace", "arch.pmi."])
        offered = completed("tests/boot model:ryzen only=p6.*,arch.pmi.")
        self.assertIn("p6.*,arch.pmi.*", offered)
        self.assertIn("p6.*,arch.pmi.mask", offered)
        self.assertEqual(completed("tests/boot model:ryzen only=netburst.branch_retired.mispredicted_x"), [""])

    def test_installed(self):
        """the package's program has commands of its own"""
        self.assertIn("monitor", completed("tests/boot ", BARECOUNT_INSTALLED="yes"))
        self.assertEqual(completed("tests/boot monitor mod", BARECOUNT_INSTALLED="yes"), ["compopt -o nospace", "model:"])
        self.assertNotIn("monitor", completed("tests/boot "))


if __name__ == "__main__":
    taptest.main()

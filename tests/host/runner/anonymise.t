#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/anonymise: what identifies is gone, all else stays, and the log is still one whole log."""
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import damage                                       # noqa: E402
import taptest                                      # noqa: E402
from taptest import checked                         # noqa: E402
from runner import logfile, version                 # noqa: E402
from runner.people import anonymise                 # noqa: E402
from runner.problems import Problem                 # noqa: E402

MUTATIONS = 3000
SECRET = "ACME-PC of bob, 00:11:22:33:44:55"
LOG = checked(f"""\
TAP version 13
{version.head("64-bit")}
# cpu: GenuineIntel family 6H model 3CH stepping 3H, microcode 28H
# brand: {SECRET}
# boot: multiboot 1 by GRUB 2.06, BIOS, 127 MB
1..1
ok 1 - a.b
# passed 1, failed 0, errata 0, errors 0, skipped 0
# verdict: PASS, all 1 tests that ran
# end of run: status 0
""")
CAPTURE = f"Serial number: {SECRET}\n\x1b[2J{LOG}login of {SECRET}:\n# seconds: 1.5\n".replace("\n", "\r\n")
SOLD = ("Intel(R) Core(TM) i7-4770 CPU @ 3.40GHz", "Intel(R) Core(TM)2 Duo CPU     T9600  @ 2.80GHz",
        "11th Gen Intel(R) Core(TM) i5-1135G7 @ 2.40GHz", "Intel(R) Xeon(R) CPU E5-2676 v3 @ 2.40GHz",
        "AMD EPYC 7R13 48-Core Processor", "AMD Ryzen 7 5800X3D 8-Core Processor", "QEMU Virtual CPU version 2.5+")
NOT_SOLD = ("Genuine Intel(R) CPU 0000 @ 2.00GHz", "AMD Eng Sample: 100-000000163-40_39/28_N", SECRET,
            "Intel Xeon of bob", "Intel Xeon 0123456789")


class Anonymise(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="barecount, a log ")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "desk.log")

    def run_on(self, text, stdout=subprocess.PIPE):
        self.path.write_bytes(text.encode())
        done = subprocess.run([taptest.TESTS / "anonymise", self.path], stdout=stdout, stderr=subprocess.PIPE,
                              text=True, check=False)
        self.assertEqual(self.path.read_bytes(), text.encode(), "the file itself was changed")
        return done

    def test_taken_out(self):
        """text around the log and the name of no processor on sale are gone, what tells of errata stays"""
        done = self.run_on(CAPTURE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("took out the brand string and 4 lines around the log", done.stderr)
        for secret in ("bob", "ACME", "00:11"):
            self.assertNotIn(secret, done.stdout)
        wanted = [line for line in LOG.splitlines() if "brand" not in line and "check" not in line]
        self.assertEqual([line for line in done.stdout.splitlines() if "brand" not in line and "check" not in line],
                         wanted)

    def test_again(self):
        """the result is a log that tests/compare finds equal, and it stays as it is a second time"""
        once = self.run_on(CAPTURE).stdout
        again = self.run_on(once)
        self.assertEqual(again.stdout, once)
        self.assertIn("took out nothing", again.stderr)
        (self.path.parent / "before.log").write_text(CAPTURE)
        same = subprocess.run([taptest.TESTS / "compare", self.path, self.path.parent / "before.log"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(same.returncode, 0, same.stderr)

    def test_brands(self):
        """names of processors on sale stay, others do not"""
        for brand in SOLD:
            self.assertTrue(anonymise.is_product(brand), brand)
        for brand in NOT_SOLD:
            self.assertFalse(anonymise.is_product(brand), brand)

    def test_refusals(self):
        """a log that is not whole, a file that is not there and a full disk: one sentence, status 2"""
        self.assertRegex(self.run_on(LOG[:200]).stderr, r"desk\.log:\d+: the log is cut off")
        self.assertIn("no log of Barecount", self.run_on("hello\n").stderr)
        changed = self.run_on(LOG.replace("3CH", "3DH"))
        self.assertEqual((changed.returncode, changed.stdout), (2, ""))
        none = subprocess.run([taptest.TESTS / "anonymise", self.path.parent / "none"], capture_output=True,
                              text=True, check=False)
        self.assertEqual((none.returncode, none.stdout), (2, ""))
        self.assertIn("No such file", none.stderr)
        with open("/dev/full", "w", encoding="ascii") as full:
            self.assertEqual(self.run_on(LOG, full).returncode, 2)

    def test_damaged(self):
        """whatever the file has, the result is a whole log without what was around it, or a refusal"""
        generator = random.Random(22)
        good = [LOG.encode(), CAPTURE.encode()]
        for index in range(MUTATIONS):
            data = damage.mutated(good, generator)
            try:
                logfile.Reader("x", True).read(data)
                text, _ = anonymise.anonymised(data.decode("utf-8", "replace"))
            except Problem:
                continue
            with self.subTest(index=index, data=data):
                logfile.Reader("y", True).read(text.encode())
                self.assertNotIn("bob", text)


if __name__ == "__main__":
    taptest.main()

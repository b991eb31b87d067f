#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/parts: what it prints of parts that pass, fail or take long."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import taptest                                      # noqa: E402

MAKEFILE = "test-good:\n\t@echo good\ntest-slow:\n\t@sleep 0.6\ntest-bad:\n\t@false\n"
MOST = 240                      # seconds that `make test` may take


def make(*words):
    """Returns the exit status of `make -n`, and what it says."""
    environment = {key: value for key, value in os.environ.items()
                   if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "QUIRKS")}
    done = subprocess.run(["make", "-n", "--no-print-directory", *words], cwd=taptest.ROOT, text=True, check=False,
                          capture_output=True, env=environment)
    return done.returncode, done.stdout + done.stderr


class Programs(taptest.Checkout):
    """A checkout with parts of its own."""

    def setUp(self):
        super().setUp()
        shutil.copy(taptest.TESTS / "parts", self.root / "tests")
        (self.root / "Makefile").write_text(MAKEFILE)

    def run_program(self, name, *arguments):
        return taptest.Run(*arguments, root=self.root, program=name)

    def times(self):
        return (self.root / "build" / "test-times.tsv").read_text().splitlines()


class Parts(Programs):

    def test_good(self):
        """each part has a row on the screen and in the file, and all together one"""
        run = self.run_program("parts", "good", "700", "slow", "500")
        self.check(run, 0)
        self.assertEqual([line.split()[::2] for line in run.out[-4:]],
                         [["part", "budget"], ["good", "700"], ["slow", "500"], ["all", "1200"]])
        self.assertRegex("\n".join(self.times()),
                         r"^part\tseconds\tbudget\ngood\t\d+\.\d\t700\nslow\t\d+\.\d\t500$")

    def test_slow(self):
        """one that takes longer than its budget has a note, and fails nothing"""
        run = self.run_program("parts", "good", "700", "slow", "0")
        self.check(run, 0)
        self.assertEqual([line.endswith(" *") for line in run.out[-4:-1]], [False, True, False])
        self.assertIn("* took longer than its budget", run.out[-1])

    def test_bad(self):
        """one that fails is named, is the last one that runs, and has its row"""
        run = self.run_program("parts", "bad", "1", "good", "7")
        self.assertEqual((run.status, run.err[-1]),
                         (1, "make test: the part bad failed (its messages are above)"), run)
        self.assertNotIn("good", run.out)
        self.assertEqual([line.split()[0] for line in self.times()], ["part", "bad"])

    def test_usage(self):
        """a part without a number is refused"""
        for words in ([], ["good"], ["good", "x"]):
            self.check(self.run_program("parts", *words), 2, "PART BUDGET")


class Makefile(taptest.Case):
    """make test."""

    def test_budgets(self):
        """the budgets are those of all parts, four minutes at most"""
        status, said = make("test")
        words = said[said.index("tests/parts "):].split()
        self.assertEqual(status, 0, said)
        budgets = dict(zip(words[1::2], map(int, words[2::2])))
        self.assertEqual(list(budgets), ["build", "checks", "tests", "quirks", "size"])
        self.assertLessEqual(sum(budgets.values()), MOST)

    def test_quirks(self):
        """QUIRKS is all or third, else refused with a sentence, before anything runs"""
        self.assertIn("tests/quirks --short --third\n", make("test-quirks")[1])
        self.assertNotIn("--third", make("test-quirks", "QUIRKS=all")[1])
        for word in ("half", "", "al"):
            status, said = make("test", f"QUIRKS={word}")
            self.assertEqual((status, said.count("\n")), (2, 1), said)
            self.assertIn(f'QUIRKS is all, or third for the third whose turn it is with this commit; not "{word}"', said)


if __name__ == "__main__":
    taptest.main()

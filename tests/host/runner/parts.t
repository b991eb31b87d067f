#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/parts and tests/nightly: their output about parts that pass, fail, take long or are cut off."""
import os
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner.campaigns import matrix                 # noqa: E402

LEFT = """{"good": %s, "verdict": "%s, 1 of 2 quirks", "suites": {"historical": {"passed": 1, "failed": 1}}, "seconds": 1,
"failures": [{"name": "leaves", "said": ["SURVIVED"], "repeat": "tests/quirks leaves"}], "heads": [],
"tails": [["log", "quirks.tap"], ["next", "no"]]}"""
MAKEFILE = f"""
test-good matrix-good:
\t@echo good
test-slow:
\t@sleep 0.6
test-bad matrix-bad:
\t@false
test-left:
\t@echo '{" ".join(LEFT.split()) % ("false", "FAIL")}' > $$BARECOUNT_ENDINGS/left.json; false
"""
PASSED = "echo '  quirks   2 of 2 caught'; echo 'PASS, 3 programs, 70 results; 2 of 2 caught (5.0 s)'; echo 'log  x'; echo end"
FAILED = "echo '  fuzz     words, 1 s'; echo 'a | finding'; exit 3"
HEAD = ["| command | date | result | time |", "| --- | --- | --- | --- |"]
MOST = 240                      # seconds that `make test` may take


def make(*words, how=("-n", "--no-print-directory")):
    """Returns the exit status of make, and what it says."""
    environment = {key: value for key, value in os.environ.items()
                   if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "QUIRKS", "PARTS")}
    done = subprocess.run(["make", *how, *words], cwd=taptest.ROOT, text=True, check=False,
                          capture_output=True, env=environment)
    return done.returncode, done.stdout + done.stderr


class Programs(taptest.Checkout):
    """A checkout with parts of its own."""

    def setUp(self):
        super().setUp()
        for name in ("parts", "nightly"):
            shutil.copy(taptest.TESTS / name, self.root / "tests")
        (self.root / "Makefile").write_text(MAKEFILE)

    def run_program(self, name, *arguments):
        return taptest.Run(*arguments, root=self.root, program=name)

    def times(self, command="test"):
        return (self.root / "build" / f"{command}-times.tsv").read_text().splitlines()

    def table(self):
        return (self.root / "build" / "nightly.md").read_text().splitlines()


class Parts(Programs):

    def test_good(self):
        """the verdict is first; each part has a row on the screen and in the file, and all together one"""
        run = self.run_program("parts", "test", "good", "700", "slow", "500")
        self.check(run, 0)
        self.assertRegex(run.out[-6], r"^PASS, 2 parts \(\d\.\d s\)$")
        self.assertEqual([line.split() for line in run.out[-5:-1]],
                         [["passed", "failed", "seconds", "budget"], ["good", "1", "-", "-", "700"],
                          ["slow", "1", "-", "1", "500"], ["all", "2", "-", "1", "1200"]])
        self.assertRegex("\n".join(self.times()),
                         r"^part\tseconds\tbudget\ngood\t\d+\.\d\t700\nslow\t\d+\.\d\t500$")

    def test_slow(self):
        """a part that takes longer than its budget has a note, and fails nothing; a budget of 0 is none"""
        run = self.run_program("parts", "test", "good", "700", "slow", "0")
        self.check(run, 0)
        self.assertNotIn("late", str(run))
        (self.root / "Makefile").write_text(MAKEFILE.replace("0.6", "1.1"))
        run = self.run_program("parts", "test", "good", "700", "slow", "1")
        self.check(run, 0)
        self.assertIn("late     slow: longer than the budget", "\n".join(run.out))

    def test_bad(self):
        """a part that fails is named with its command, is the last one that runs, and has its row"""
        run = self.run_program("parts", "test", "bad", "1", "good", "7")
        self.assertEqual(run.status, 1, run)
        said = "\n".join(run.out)
        self.assertIn(["bad", "-", "1", "1"], [line.split() for line in run.out])
        for wanted in ("FAIL, 1 of 2 parts: bad failed (", "\nFAILED   the part bad\n",
                       "\nrepeat   make test-bad\n"):
            self.assertIn(wanted, said)
        self.assertNotIn("good", said)
        self.assertEqual([line.split()[0] for line in self.times()], ["part", "bad"])

    def test_left(self):
        """what a part has left is in the ending: numbers, failures, logs; nothing of an earlier command is"""
        (self.root / "build" / "endings").mkdir(parents=True, exist_ok=True)
        (self.root / "build" / "endings" / "good.json").write_text(LEFT % ("true", "PASS"))
        run = self.run_program("parts", "test", "good", "1", "left", "1")
        said = "\n".join(run.out)
        self.assertEqual(run.status, 1, run)
        for wanted in ("FAIL, 2 parts: left failed; 1 of 2 quirks (", "\ngood        1        - ", "\nleft        1        1 ",
                       "\nFAILED   leaves\n         SURVIVED\nrepeat   tests/quirks leaves\nlog      quirks.tap\nnext "):
            self.assertIn(wanted, said)

    def test_goes_on(self):
        """the matrix goes on after a part that fails"""
        run = self.run_program("parts", "matrix", "bad", "0", "good", "0")
        self.assertEqual((run.status, [line.split()[0] for line in self.times("matrix")]), (1, ["part", "bad", "good"]), run)
        self.assertIn("FAIL, 2 parts: bad failed (", "\n".join(run.out))

    def test_usage(self):
        """a part without a number is refused"""
        for words in ([], ["test"], ["test", "good"], ["test", "good", "x"]):
            self.check(self.run_program("parts", *words), 2, "PART BUDGET")


class Nightly(Programs):

    def test_rows(self):
        """every command has a row with its own summary; a failing command changes only the exit status"""
        run = self.run_program("nightly", PASSED, FAILED, "true")
        self.check(run, 1)
        self.assertEqual(self.table()[:2], HEAD)
        cells = [re.split(r" (?<!\\)\| ", line.strip("| ")) for line in self.table()[2:]]
        self.assertEqual([row[2] for row in cells],
                         ["3 programs, 70 results; 2 of 2 caught",
                          "**failed**, status 3: words, 1 s; a \\| finding", "says nothing"])
        for row in cells:
            self.assertRegex(" ".join([row[1], row[3]]), r"^\d{4}-\d\d-\d\d \d+ s$")
        self.assertEqual(run.out[-5:], self.table())
        self.assertIn("[2/3] ", "\n".join(run.out))
        self.check(self.run_program("nightly", "true"), 0)

    def test_cut(self):
        """if it is stopped, what is done is in the file, and what runs is ended"""
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)):
            pid = self.root / "pid"
            pid.write_text("")
            process = subprocess.Popen([self.root / "tests" / "nightly", "echo one", f"echo $$ > '{pid}'; exec sleep 6543"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)       # cleanups run in the opposite order
            self.assertTrue(taptest.wait_until(pid.read_text))
            (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
            self.assertEqual(process.wait(taptest.SOON), status)
            self.assertTrue(taptest.wait_until(lambda: not taptest.is_alive(int(pid.read_text()))))
            self.assertRegex(self.table()[-1], r"^\| `echo one` \| .* \| one \| 0 s \|$")


class Makefile(taptest.Case):
    """The commands that call them."""

    def test_budgets(self):
        """the budgets are those of all parts, four minutes at most"""
        status, said = make("test")
        words = said[said.index("tests/parts test "):].split()[1:]
        self.assertEqual(status, 0, said)
        budgets = dict(zip(words[1::2], map(int, words[2::2])))
        self.assertEqual(list(budgets), ["build", "checks", "tests", "quirks", "liberties", "size"])
        self.assertLessEqual(sum(budgets.values()), MOST)

    def test_jobs(self):
        """-j changes nothing: the parts run one after the other, and make inside of them has jobs of its own"""
        for jobs in ((), ("-j2",), ("-j",)):
            status, said = make("test", "BUDGETS=size 9", how=jobs)
            self.assertEqual((status, said.count("  all objects"), "warning" in said), (0, 1, False), said[-500:])

    def test_check(self):
        """what `make check` runs, `make test` runs, too"""
        status, said = make("check")
        self.assertEqual(status, 0, said)
        row = re.search(r"^tests/run-matrix (.*)$", said, re.MULTILINE)[1].split()
        rows = {name for name in row if "/" not in name}
        self.assertGreater(len(rows), 4)
        self.assertLessEqual(rows, {each.name for each in matrix.rows().values() if each.place == "test"})
        self.assertIn(" ".join(name for name in row if "/" in name), make("test-tests")[1])

    def test_quirks(self):
        """QUIRKS is all or some, else refused with a sentence, before anything runs"""
        self.assertIn("tests/quirks --short --some\n", make("test-quirks")[1])
        self.assertNotIn("--some", make("test-quirks", "QUIRKS=all")[1])
        self.assertIn("tests/liberties --packed --some\n", make("test-liberties")[1])
        self.assertNotIn("--some", make("test-liberties", "QUIRKS=all")[1])
        for word in ("half", "", "al"):
            status, said = make("test", f"QUIRKS={word}")
            self.assertEqual((status, said.count("\n")), (2, 1), said)
            self.assertIn(f'QUIRKS is all, or some for the fifth that the commit chooses; not "{word}"', said)

    def test_programs(self):
        """each program for the host is run by CI or by the nightly matrix, and each name in a list is a file"""
        said = make("test-tests", "QUIRKS=all")[1] + make("matrix-tests", "PLACE=nightly")[1]
        named = re.findall(r"tests/host/\S+\.t\b", said)
        for word, program in (("MOVED", "moved.t"), ("SNAPSHOTS", "qemu-snapshots.t")):
            said = make("matrix-tests", f"{word}=2")[1]
            self.assertEqual([name for name in ("debian.t", "kvm.t", "moved.t", "qemu-snapshots.t") if f"/{name}" in said], [program])
        self.assertEqual(sorted(named), sorted(str(path.relative_to(taptest.ROOT)) for path in taptest.TESTS.glob("host/*/*.t")))

    def test_mutants(self):
        """TABLES=1, and nothing else, has the mutants change tables, and the build is as without it"""
        for words, has_tables in (([], False), (["TABLES=1"], True)):
            status, said = make("mutants", *words)
            self.assertEqual((status, "--tables" in said), (0, has_tables), said)

    def test_place(self):
        """PLACE is matrix or nightly, else refused with a sentence, before anything runs"""
        self.assertIn("tests/parts matrix tests 0 quirks 0 liberties 0\n", make("matrix")[1])
        self.assertIn("tests/run-matrix --matrix", make("matrix-tests")[1])
        self.assertIn("tests/run-matrix --nightly", make("matrix-tests", "PLACE=nightly")[1])
        self.assertIn("tests/quirks --short\n", make("matrix-quirks")[1])
        self.assertIn("tests/liberties --packed --some\n", make("matrix-liberties")[1])
        status, said = make("matrix", "PLACE=nightyl")
        self.assertEqual((status, said.count("\n")), (2, 1), said)
        self.assertIn('not "nightyl"', said)

    def test_nightly(self):
        """PARTS chooses, in its order, with the numbers that are given; an unknown part is refused"""
        said = make("nightly", "PARTS=alarms fuzz", "RUNS=1", "ALARMS=model.p5", "SECONDS=2")[1]
        self.assertRegex(said, r"""tests/nightly 'make alarms RUNS=1 ALARMS="model.p5"' 'make -k -j\d+ fuzz SECONDS=2'\n""")
        said = make("nightly")[1]
        for word in ("make matrix PLACE=nightly && QEMU=", "make quirks && tests/quirks --inexact'", "tests/liberties --cross", "SAMPLE=all'", "RUNS=200'", "SECONDS=600'", "tests/bench/host-code"):
            self.assertIn(word, said)
        status, said = make("nightly", "PARTS=fuzz none")
        self.assertEqual((status, 'there is no "none"' in said), (2, True), said)


if __name__ == "__main__":
    taptest.main()

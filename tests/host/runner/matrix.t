#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/run-matrix: its failures, the rows that it leaves out, its progress, its end."""
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from unittest import mock
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner.campaigns import matrix                           # noqa: E402
from runner.people import ending                    # noqa: E402
from runner.problems import Problem                 # noqa: E402
from targets import qemu                            # noqa: E402

PASSING = taptest.checked(f"TAP version 13\n{taptest.HEAD}1..1\nok 1 - a\n# end of run: status 0\n")
OTHER = "#!/bin/sh\n{}\n"       # a program for another prefix
# The test finds the fake emulator's process by this time; nothing else sleeps so long.
SLEEP = "echo $$ >> '{}'; exec sleep 6543"


class Matrix(taptest.Checkout):
    """A checkout with a table of its own, and a fake emulator that obeys the test."""

    def setUp(self):
        super().setUp()
        shutil.copy(taptest.TESTS / "run-matrix", self.root / "tests")
        self.emulator(PASSING)
        self.program("linux/run", f"printf '{PASSING}'".replace("\n", "\\n"))
        self.program("fleet/lava", "echo 'tests/fleet/lava: no dispatcher' >&2; exit 77")

    def program(self, name, script):
        path = self.root / "tests" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(OTHER.format(script))
        path.chmod(0o755)

    def table(self, *rows):
        (self.root / "tests" / "matrix").write_text("\n".join([*rows, ""]))

    def start(self, *arguments, **variables):
        environment = {name: value for name, value in os.environ.items() if name not in ("V", "BARECOUNT_ENDINGS")}
        environment |= {"PATH": f"{self.bin}:{os.environ['PATH']}", **variables}
        return subprocess.Popen([self.root / "tests" / "run-matrix", *arguments], text=True,
                                env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                start_new_session=True)

    def run_all(self, *arguments, **variables):
        """Returns the exit status and all output."""
        with self.start(*arguments, **variables) as process:
            said = process.communicate(timeout=taptest.NEVER_LONGER)[0]
        return process.returncode, said

    def log(self, name):
        return (self.root / "build" / "tap" / "build" / "matrix" / f"{name}.t").read_text()

    def test_green(self):
        """passes and permitted skips pass; with V=1 each has a line with the progress"""
        self.table("@all mem=16", "a must test qemu:fake @all", "b must matrix linux:x",
                   "c may matrix lava:x")
        status, said = self.run_all(V="1")
        self.assertEqual(status, 0, said)
        for wanted in (r"\[./3 \d:\d\d\] build/matrix/a\.t \.+ ok", r"b\.t \.+ ok",
                       r"c\.t \.+ skipped: no dispatcher", r"\[3/3 "):
            self.assertRegex(said, wanted)
        for name in "abc":
            self.assertRegex(self.log(name).splitlines()[-1], r"^# seconds: \d+\.\d$")
        self.assertIn("# target: qemu:fake mem=16", self.log("a"))
        suites = ET.parse(self.root / "build" / "junit.xml").getroot()
        self.assertEqual([suite.get("name") for suite in suites], [f"build/matrix/{name}.t" for name in "abc"])
        self.assertGreater(float(suites.get("time")), 0)
        self.assertEqual((suites.get("failures"), suites.get("errors"), suites.get("skipped")), ("0", "0", "1"))

    def test_ending(self):
        """without V=1 it is one screen, the verdict first: a row a family, what was skipped and why, where it all is"""
        self.table("a must test qemu:fake", "b must test linux:x", "c may test lava:x")
        status, said = self.run_all()
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"^PASS, 3 programs, 2 results \(\d+\.\d s\)\n")
        rows = [line.split() for line in said.splitlines()]
        for wanted in (["passed", "failed", "skipped"], ["linux", "1", "-", "-"], ["qemu", "1", "-", "-"], ["all", "2", "-", "1"]):
            self.assertIn(wanted, rows)
        self.assertIn("\nskipped  1 program: c (no dispatcher)\nlog      build/tap/", said)
        with tempfile.TemporaryDirectory() as folder:       # a program that a part runs is no part itself
            self.program("linux/run", f'[ "$BARECOUNT_ENDINGS" ] || printf \'{PASSING}\''.replace("\n", "\\n"))
            said = self.run_all(BARECOUNT_ENDINGS=folder)[1]
            self.assertEqual(said, "  tests    PASS, 3 programs, 2 results\n")
            left = ending.read(folder)["tests"]
        self.assertEqual((left.good, left.suites["qemu.fake"]), (True, {"passed": 1}))

    def test_place(self):
        """each command runs its own rows and those of shorter ones; a glob chooses"""
        self.table("a must test qemu:fake", "b must matrix linux:x", "ab must test linux:x", "c must ci linux:x",
                   "d must nightly linux:x")
        for arguments, ran in ((("--test",), "a ab"), (("--ci",), "a ab c"), (("--matrix",), "a ab b c"), ((), "a ab b c d"),
                               (("a*",), "a ab"), (("d",), "d"), (("--matrix", "d"), None),
                               (("--test", "b"), None)):
            status, said = self.run_all(*arguments, V="1")
            names = sorted(re.findall(r"build/matrix/(\w+)\.t \.", said))
            self.assertEqual((status, names), (0, ran.split()) if ran else (2, []), said)

    def test_red(self):
        """a missing target that must be there, a broken run and a failure fail the matrix, with a reason"""
        self.table("good must test linux:x", "absent must test lava:x", "broken must test qemu:fake")
        self.emulator(PASSING.replace("# end", "# nothing"))
        status, said = self.run_all()
        self.assertNotEqual(status, 0)
        self.assertIn("no dispatcher", said)
        self.assertIn(["all", "1", "2"], [line.split() for line in said.splitlines()])
        self.assertRegex(said, r"\nFAIL, 2 of 3 programs, \d results \(")
        for name in ("absent", "broken"):
            self.assertRegex(said, rf"\nFAILED   build/matrix/{name}\.t: .*\n(.*\n)*repeat   tests/run-matrix {name}\n")
        self.assertIn("- absent must be available here, and is not: no dispatcher", self.log("absent"))
        self.assertIn("- broken is a broken run: the output stops", self.log("broken"))
        self.assertIn("broken is a broken run: the output stops", said)

    def test_reasons(self):
        """at the end each failed result is named, with what it says; what passes or is a TODO is not"""
        block = r'  ---\n  what: "x"\n  got: "1\033H"\n  want: "2H"\n  ...\n'
        self.program("linux/run", rf"printf '1..3\nok 1 - a\nnot ok 2 - b\n{block}# end\nnot ok 3 - c # TODO erratum\n'; exit 1")
        self.table("bad must test linux:x")
        status, said = self.run_all()
        self.assertEqual(status, 1)
        self.assertIn("\n         ".join(["FAILED   build/matrix/bad.t: b", 'what: "x"', 'got: "1\\x1bH"', 'want: "2H"'])
                      + "\nrepeat   tests/run-matrix bad\n", said)
        status, said = self.run_all(V="1")
        wanted = ["build/matrix/bad.t: not ok 2 - b", "  ---", '  what: "x"', r'  got: "1\x1bH"', '  want: "2H"', "  ...",
                  "all that the programs printed: build/tap/"]
        self.assertEqual(said.splitlines()[-len(wanted):], wanted)
        self.assertNotIn("not ok 3", said)

    def test_repeat(self):
        """a failed test of the guest has what it found, and its own command; a program that ends early has prove's words"""
        self.program("linux/run", r"""printf '1..1\nnot ok 1 - b\n  ---\n  what: "x"\n  got: "1"\n  want: "2"\n  why: "y"\n"""
                     r"""  repeat: "tests/boot x only=b"\n  ...\n'; exit 1""")
        self.table("bad must test linux:x")
        self.program("short.t", "echo 1..2; echo ok 1")
        status, said = self.run_all(self.root / "tests" / "short.t", "bad")
        self.assertEqual(status, 1, said)
        self.assertIn("bad.t: b\n         x: got 1, want 2; y\nrepeat   tests/boot x only=b\n", said)
        self.assertRegex(said, r"FAILED   tests/short\.t\n(.*\n)*?.*Bad plan.*\n(.*\n)*repeat   prove -v --exec env tests/short\.t\n")

    def test_own_death(self):
        """a run that QEMU ended by an error of its own that is known is made again, once"""
        self.table("a must test qemu:fake")
        died, die = self.root / "died", f"echo {shlex.quote(qemu.DIES_BY_ITSELF)} >&2; exit 134"
        plan, ok, rest = PASSING.partition("ok")
        (self.root / "rest").write_text(ok + rest)
        self.emulator(plan, f"[ -e '{died}' ] || {{ touch '{died}'; {die}; }}; cat '{self.root}/rest' >> \"$serial\"")
        self.assertEqual(self.run_all()[0], 0, self.log("a"))
        self.assertIn("# a run that QEMU ended by its own error", self.log("a"))
        self.emulator(plan, die)
        self.assertNotEqual(self.run_all()[0], 0)
        self.assertIn("- a is a broken run: the output stops", self.log("a"))

    def test_rows(self):
        """a line that is not a row is named, and nothing runs"""
        self.table("a must test qemu:fake", "b must qemu:fake")
        status, said = self.run_all()
        self.assertEqual((status, said.startswith("tests/run-matrix: tests/matrix:2: not a row")),
                         (2, True), said)

    def test_signals(self):
        """however it is ended, no emulator stays"""
        self.table("a must test qemu:fake", "b must test qemu:fake mem=16")
        pids = self.root / "pids"
        for number, whole_group in ((signal.SIGINT, True), (signal.SIGTERM, False),
                                    (signal.SIGKILL, False)):
            with self.subTest(number):
                pids.write_text("")
                self.emulator(PASSING.partition("ok")[0], SLEEP.format(pids))
                with self.start("--jobs", "2") as process:
                    self.assertTrue(taptest.wait_until(lambda: len(pids.read_text().split()) == 2))
                    kill = os.killpg if whole_group else os.kill
                    kill(process.pid, number)
                    process.communicate(timeout=taptest.SOON)
                for pid in pids.read_text().split():
                    self.assertTrue(taptest.wait_until(lambda pid=pid: not taptest.is_alive(pid)))

    def test_full_disk(self):
        """a full disk gets a sentence, because prove does not report it"""
        with mock.patch.object(matrix.shutil, "disk_usage", return_value=mock.Mock(free=0)):
            with self.assertRaisesRegex(Problem, "the disk is full: build/tap"):
                matrix.check_disk()
        matrix.check_disk()
        (self.root / "build" / "matrix").write_text("in the way")
        self.table("a must test qemu:fake")
        status, said = self.run_all()
        self.assertEqual((status, said), (2, f"tests/run-matrix: {self.root}/build/matrix: File exists\n"))


if __name__ == "__main__":
    taptest.main()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/show: it shows a run on one screen, and keeps the command's own exit status."""
import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

RUN = """\
TAP version 13
# target: model:x
# cpu: a test
1..6
ok 1 - arch.a.one
not ok 2 - arch.a.two
  ---
  severity: fail
  what: "IA32_PMC0"
  got: "1"
  want: "2"
  why: "it counts"
  repeat: "tests/boot x"
  ...
ok 3 - arch.b.one # SKIP version 1
not ok 4 - arch.b.two # TODO known (manual)
not ok 5 - arch.b.three # TODO erratum SKL091: it counts twice
ok 6 - p5.a.one # SKIP not P5
# verdict: FAIL, 1 of 4
# end of run: status 1
"""


SEVERAL = """\
TAP version 13
# cpu 0: APIC ID 0
# cpu 1: APIC ID 1
# cpu 2: APIC ID 2
1..6
ok 1 - arch.a.one # SKIP version 1
ok 2 - arch.a.one@cpu1 # SKIP version 1
ok 3 - arch.a.one@cpu2 # SKIP version 1
not ok 4 - arch.a.two
  ---
  what: "IA32_PMC0"
  got: "1"
  ...
not ok 5 - arch.a.two@cpu1
  ---
  what: "IA32_PMC0"
  got: "1"
  ...
not ok 6 - arch.a.two@cpu2
  ---
  what: "IA32_PMC0"
  got: "2"
  ...
# verdict: FAIL
# end of run: status 1
"""


def show(*command, **variables):
    """Runs tests/show with these variables, and a folder of its own for logs; its `kept` is what it left there."""
    environment = {name: value for name, value in os.environ.items() if name not in ("V", "NO_COLOR")}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([taptest.TESTS / "show", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, check=False, timeout=taptest.NEVER_LONGER,
                              env={**environment, "BARECOUNT_LOGS": folder, **variables})
        kept = pathlib.Path(folder, "run.tap")
        done.kept = kept.read_text() if kept.exists() else ""
    return done


def printed(text):
    """Returns a command that prints this text and fails."""
    return "sh", "-c", f"cat <<'END'\n{text}END\nexit 1"


def many(failures, families=1, passed=0, why="y", words="only={}"):
    """Returns a run with so many failures in each of so many families, and so many families that pass."""
    ids = [f"f{family:02}.suite.t{number}" for family in range(families) for number in range(failures)]
    block = f'  ---\n  what: "x"\n  got: "1"\n  want: "2"\n  why: "{why}"\n  repeat: "tests/boot x {words}"\n  ...\n'
    results = [f"not ok {{}} - {name}\n{block.format(name)}" for name in ids]
    results += [f"ok {{}} - p{family:02}.suite.t\n" for family in range(passed)]
    return "TAP version 13\n" + "".join(result.format(number) for number, result in enumerate(results, 1)) + \
        "# verdict: FAIL\n"


def read_some(terminal):
    """Returns what a terminal got; nothing once nobody has it open any more."""
    try:
        return os.read(terminal, 1 << 12)
    except OSError:
        return b""


class Show(unittest.TestCase):

    def test_ending(self):
        """the verdict is first; families that are here, suites and tests that failed, the rest in a line each"""
        done = show(*printed(RUN))
        lines = [line.split() for line in done.stdout.splitlines()]
        self.assertEqual((done.returncode, done.kept), (1, RUN))
        self.assertTrue(done.stdout.startswith("FAIL, 1 of 4 ("), done.stdout)
        for wanted in (["passed", "failed", "erratum", "known", "skipped"], ["arch", "1", "1", "1", "1", "1"],
                       ["arch.a", "1", "1", "-", "-", "-"], ["all", "1", "1", "1", "1", "2"], ["FAILED", "arch.a.two"],
                       ["IA32_PMC0:", "got", "1,", "want", "2;", "it", "counts"], ["repeat", "tests/boot", "x"]):
            self.assertIn(wanted, lines)
        keys = [line[0] for line in lines if line]
        self.assertEqual([key for key in keys if key in ("target", "all", "FAILED", "skipped", "log", "next")],
                         ["target", "all", "FAILED", "skipped", "log", "next"])
        self.assertNotIn("p5", keys)                # a family that was skipped whole has no row
        self.assertIn("\nskipped  2: all of p5, 1 more; ", done.stdout)
        self.assertRegex(done.stdout, r"\nlog .*run\.tap")
        self.assertRegex(done.stdout, r"\nnext .*docs/results\.md")
        self.assertNotIn("arch.b", done.stdout)
        self.assertNotIn("\033", done.stdout)       # colours are for terminals

    def test_turns(self):
        """of several runs those that failed are shown, one that bailed out, too; what follows the last one is the end"""
        good = RUN.replace("FAIL", "PASS").replace("model:x", "model:good")
        gave_up = "TAP version 13\n# target: model:y\nBail out! no test\n# end of run: status 2\n"
        done = show(*printed(f"{good}{RUN}{gave_up}# target  verdict\n# model:y  broken\n"))
        lines = done.stdout.splitlines()
        self.assertEqual([line for line in lines if re.match("FAIL,|the run has no|target|model", line)][1::2],
                         ["target   model:x", "target   model:y", "model:y  broken"], lines)
        self.assertEqual(lines[-2:], ["target  verdict", "model:y  broken"])
        self.assertNotIn("model:good", done.stdout)

    def test_at_length(self):
        """with V=1 head, all suites, failures, skips with reasons, and the verdict last"""
        done = show(*printed(RUN), V="1")
        lines = [line.split() for line in done.stdout.splitlines()]
        for wanted in (["cpu:", "a", "test"], ["arch.a", "1", "1", "-", "-", "-"],
                       ["arch.b", "-", "-", "1", "1", "1"], ["p5.a", "-", "-", "-", "-", "1"],
                       ["FAILED", "arch.a.two"], ["what", "IA32_PMC0"], ["want", "2"],
                       ["skipped:", "version", "1:", "arch.b.one"]):
            self.assertIn(wanted, lines)
        self.assertTrue(done.stdout.splitlines()[-1].startswith("FAIL, 1 of 4"))

    def test_processors(self):
        """results on all processors are one suite; equal failures are shown once, skips by test"""
        lines = [line.split() for line in show(*printed(SEVERAL), V="1").stdout.splitlines()]
        for wanted in (["arch.a", "-", "3", "-", "-", "3"], ["FAILED", "arch.a.two", "arch.a.two@cpu1"],
                       ["FAILED", "arch.a.two@cpu2"],
                       ["skipped:", "version", "1:", "arch.a.one"]):
            self.assertIn(wanted, lines)
        self.assertEqual(lines.count(["what", "IA32_PMC0"]), 2)
        said = show(*printed(SEVERAL)).stdout
        self.assertEqual(re.findall("FAILED +(.*)", said), ["arch.a.two arch.a.two@cpu1", "arch.a.two@cpu2"])

    def test_one_screen(self):
        """however much fails, it is at most 30 lines, with a failure and its command, and how many more there are"""
        for failures, families in ((1, 1), (4, 1), (40, 1), (1, 40), (9, 40)):
            said = show(*printed(many(failures, families))).stdout
            lines = said.splitlines()
            whole = failures * families
            seen = sum(line.startswith("FAILED   f") for line in lines)
            self.assertLessEqual(len(lines), 29, said)
            self.assertEqual((seen >= 1, seen), (True, sum(line.startswith("repeat ") for line in lines)))
            self.assertEqual(f"and {whole - seen} more" in said, whole > seen, said)
            self.assertIn(["all", "-", str(whole)], [line.split() for line in lines])

    def test_much_said(self):
        """a failure has three lines at most of what was seen, its command is whole; a second one is there if it fits"""
        said = show(*printed(many(2, why="so it is " * 90, words="a=b " * 200 + "end"))).stdout
        lines = said.splitlines()
        self.assertEqual([line.split()[0] for line in lines if line.startswith(("FAILED", "repeat"))],
                         ["FAILED", "repeat", "FAILED"])
        self.assertIn("FAILED   and 1 more", said)
        self.assertEqual(sum(line.startswith(" " * 9) and "so it is" in line for line in lines), 3)
        self.assertTrue(next(line for line in lines if line.startswith("repeat")).endswith(" end"), said)
        self.assertLessEqual(sum(max(1, -(-len(line) // 80)) for line in lines), 29)

    def test_room(self):
        """with more families than fit only those with a failure have a row, and all numbers are in the sum"""
        few, lots = (show(*printed(many(1, passed=passed))).stdout for passed in (4, 40))
        self.assertRegex(few, r"\np00 +1 +-")
        self.assertNotIn("\np00", lots)
        for said, passed in ((few, "4"), (lots, "40")):
            self.assertIn(["f00", "-", "1"], [line.split() for line in said.splitlines()])
            self.assertIn(["all", passed, "1"], [line.split() for line in said.splitlines()])

    def test_terminal(self):
        """a terminal has colours, unless NO_COLOR is set, and no line longer than 80 columns"""
        for variables, has_colour in (({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False)):
            here, there = pty.openpty()
            fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
            with tempfile.TemporaryDirectory() as folder:
                environment = {key: value for key, value in os.environ.items() if key not in ("V", "NO_COLOR", "COLUMNS")}
                process = subprocess.Popen([taptest.TESTS / "show", *printed(RUN)], stdout=there,
                                           env={**environment, "TERM": "xterm", "BARECOUNT_LOGS": folder, **variables})
                os.close(there)
                said = b"".join(iter(lambda: read_some(here), b"")).decode()
                process.wait()
            os.close(here)
            self.assertEqual("\033[31mFAIL, 1 of 4" in said, has_colour, said)
            self.assertEqual("\033[31m" in said, has_colour, said)
            plain = re.sub(r"\033\[\d*[mK]", "", said)
            self.assertLessEqual(max(len(part) for part in re.split("[\r\n]+", plain)), 80)

    def test_no_output(self):
        """a silent command has no verdict"""
        done = show("sh", "-c", "exit 77")
        self.assertEqual(done.returncode, 77)
        self.assertIn("the run has no verdict", done.stdout)

    def test_unreadable(self):
        """a block that cannot be read is a sentence and status 2, whatever the command's status is"""
        done = show("printf", "TAP version 13\\n1..1\\nnot ok 1 - a\\n  ---\\n  got: \"x\\n  ...\\n# end of run: status 1\\n")
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("a result's block cannot be read", done.stderr)

    def test_no_command(self):
        """a missing command is a sentence and status 2"""
        done = show("/no/such/command")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "^tests/show: /no/such/command: No such file")

    def test_nobody_reads(self):
        """a reader that leaves ends it without a traceback"""
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([taptest.TESTS / "show", "echo", "TAP version 13"], stdout=writer,
                              stderr=subprocess.PIPE, text=True, check=False,
                              timeout=taptest.NEVER_LONGER)
        os.close(writer)
        self.assertEqual((done.returncode, done.stderr), (2, ""))


if __name__ == "__main__":
    taptest.main()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/monitor and tests/learn: the monitor at a terminal, and through a pipe."""
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner.people import lessons, tutor                   # noqa: E402

TARGET = ["model:p3_katmai", "via=kernel"]
PROMPT = b"\n> "
SECONDS = 20


class Terminal:
    """A program at a terminal of its own."""

    def __init__(self, *argv, environment=None, size=(0, 0)):
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.before = termios.tcgetattr(theirs)
        self.theirs, self.seen = theirs, b""
        self.process = subprocess.Popen([taptest.TESTS / argv[0], *argv[1:]], stdin=theirs, stdout=theirs,
                                        stderr=subprocess.PIPE, start_new_session=True,
                                        env={**os.environ, **(environment or {})})

    def wait_for(self, text):
        """Waits for this text; returns all that is shown up to it, without the sequences of editing."""
        end = time.monotonic() + SECONDS
        while text not in self.seen:
            if not select.select([self.ours], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"{text} is not in {self.seen}")
            self.seen += os.read(self.ours, 65536)
        self.seen, said = b"", self.seen
        return said

    def type(self, text):
        os.write(self.ours, text)

    @property
    def emulator(self):
        """The emulator's process."""
        path = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return int(path.read_text().split()[-1])

    def is_restored(self):
        return termios.tcgetattr(self.theirs) == self.before

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stderr.close()
        os.close(self.ours)
        os.close(self.theirs)


def state(pid):
    """Returns a process's state as a letter, or an empty text if no such process or only its number exists."""
    try:
        letter = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return ""
    return "" if letter == "Z" else letter


def becomes(pid, letter):
    """Says whether the process has this state before long."""
    end = time.monotonic() + SECONDS
    while state(pid) != letter and time.monotonic() < end:
        time.sleep(0.02)
    return state(pid) == letter


class AtATerminal(unittest.TestCase):

    def setUp(self):
        self.at = Terminal("monitor", *TARGET)
        self.addCleanup(self.at.close)
        self.at.wait_for(PROMPT)
        self.guest = self.at.emulator

    def assert_gone(self, status):
        self.assertEqual(self.at.process.wait(SECONDS), status)
        self.assertTrue(self.at.is_restored())
        self.assertTrue(becomes(self.guest, ""))

    def test_leave(self):
        """CTRL-] leaves: the terminal is as it was, the emulator is gone; keys before it count"""
        self.at.type(b"help quit\r")
        self.assertIn(b"Example: quit\r\n", self.at.wait_for(PROMPT))
        self.assertFalse(self.at.is_restored())
        self.at.type(b"hel\x1d")
        self.assert_gone(0)

    def test_quit(self):
        """`quit` ends the guest, and so the program"""
        self.at.type(b"quit\r")
        self.assert_gone(0)

    def test_idle(self):
        """at the prompt the emulator stands still until a key comes; no emulator remains"""
        self.assertTrue(becomes(self.guest, "T"))
        self.at.type(b"help quit\r")
        self.at.wait_for(PROMPT)
        self.assertTrue(becomes(self.guest, "T"))
        self.at.process.kill()
        self.assertTrue(becomes(self.guest, ""))

    def test_paste(self):
        """many lines at once, longer than a row, arrive as a whole, one after the other"""
        lines = [f"nothing {'x' * 70 * number}" for number in range(3)]
        self.at.type("".join(f"{line}\r" for line in lines).encode() + b"quit\r")
        said = self.at.wait_for(b"# end of run")
        self.assertEqual(said.count(b"there is no command nothing"), len(lines), said)
        self.assert_gone(0)

    def test_dead(self):
        """a guest that dies is a sentence"""
        os.kill(self.guest, signal.SIGKILL)
        self.assert_gone(2)
        said = self.at.process.stderr.read().decode().splitlines()
        self.assertEqual(len(said), 1, said)
        self.assertIn("the guest ended without `quit`; the raw log is build/logs/", said[0])


class Lesson(unittest.TestCase):
    """Lesson 1, done at a terminal as a person does it."""
    LESSON, PART = "1", "1.1"
    ROWS, COLUMNS = 60, 70

    def setUp(self):
        self.state = tempfile.TemporaryDirectory()
        self.addCleanup(self.state.cleanup)
        self.steps = lessons.load([int(self.LESSON)])[0].parts[0].steps

    def start(self, state=None):
        at = Terminal("learn", self.LESSON, environment={"XDG_STATE_HOME": state or self.state.name},
                      size=(self.ROWS, self.COLUMNS))
        self.addCleanup(at.close)
        self.greeting = plain(at.wait_for(PROMPT))
        self.at = at

    def ask(self, line):
        """Types a line; returns what is shown after it, with one blank between words."""
        self.at.type(line.encode() + b"\r")
        return plain(self.at.wait_for(PROMPT))

    def leave(self):
        self.at.type(b"\x04")
        self.assertEqual(self.at.process.wait(SECONDS), 0)

    def kept(self):
        return json.loads((pathlib.Path(self.state.name) / "barecount" / "lessons.json").read_text())

    def test_whole(self):
        """each step comes by `next`, wrong lines and answers are told, and a session goes on where one ended"""
        self.start()
        self.assertNotIn("TAP version", self.greeting)
        self.assertIn("Nothing has been typed yet", self.ask("check"))
        self.assertIn(f"type: {self.steps[0].text}", self.ask("next"))
        self.ask("rdmsr COUNTER0")
        self.assertIn(f'Not yet: step 1 is "{self.steps[0].text}"; you typed "rdmsr COUNTER0".',
                      self.ask("check"))
        for step in self.steps[:3]:
            self.ask(step.text)
        self.assertIn("Right: step 3 of", self.ask("check"))
        self.ask("wrmsr IA32_PERFEVTSEL0 4100C0H")              # so the next answer is another
        self.ask(self.steps[3].text)
        self.assertIn("the page has another answer", self.ask("check"))
        self.ask(self.steps[2].text)
        self.ask(self.steps[3].text)
        self.assertIn("Right: step 4 of", self.ask("check"))
        self.leave()
        self.assertEqual(self.kept(), {self.PART: 4})
        self.start()
        self.assertIn("Steps 1 to 4 were done before", self.greeting)
        for number, step in enumerate(self.steps[4:], 5):
            said = self.ask("next")
            if "Exercises" in said:
                self.assertIn("Wrong: 999 is not", self.ask("check 1 999"))
                self.assertIn("Right: 3E8H is", self.ask("check 1 3E8H"))
                self.assertIn("no answer to be checked for exercise 77", self.ask("check 77 1"))
                said = self.ask("next")
            self.assertIn(f"Step {number} of {len(self.steps)}", said)
            self.assertIn(f"type: {step.text}", said)
            self.ask(step.text)
            self.assertIn(f"Right: step {number} of", self.ask("check"))
        self.assertIn("steps of this machine are done", self.ask("next"))
        self.leave()
        self.assertEqual(self.kept(), {self.PART: len(self.steps)})

    def test_width(self):
        """no row is wider than the terminal, no word is cut, and output stops after a page"""
        self.ROWS, self.COLUMNS = 12, 50
        self.start()
        self.at.type(b"help\r")
        page = self.at.wait_for(b"-- more -- ").decode()
        for row in page.replace("\r", "").split("\n")[1:]:
            self.assertLessEqual(len(row), self.COLUMNS, page)
        self.assertEqual(page.count("\n"), self.ROWS)
        self.at.type(b" ")
        self.at.wait_for(b"-- more -- ")
        self.at.type(b"q")
        self.at.wait_for(b"\r> ")
        self.at.type(b"help\r")
        self.at.wait_for(b"-- more -- ")
        said = self.ask("help page")                                # "h" is no answer to the question
        self.assertIn("lines are then broken between words, and long output stops after a page.", said.lower())

    def test_choose(self):
        """skip, back and goto choose the step, what they pass is typed; hint and help explain"""
        self.start()
        self.assertIn("This is the first step.", self.ask("back"))
        self.assertIn(f'Step 1 is "{self.steps[0].text}"; its answer begins: ', self.ask("hint"))
        self.assertIn('The answer of exercise 1 has 1 word and begins with "', self.ask("hint 1"))
        self.assertIn("no answer to be checked for exercise 77", self.ask("hint 77"))
        self.assertIn(f"typed for you: {self.steps[0].text}", self.ask("skip"))
        self.assertIn("Step 2 of", self.ask("next"))
        said = self.ask("goto 9")
        self.assertIn("Steps 2 to 8 were typed for you. Step 9 of", said)
        self.ask(self.steps[8].text)                                # a count, which needs the steps before it
        self.assertIn("Right: step 9 of", self.ask("check"))
        self.assertIn("Step 9 of", self.ask("back"))
        self.assertEqual(self.kept(), {self.PART: 8})
        for wrong in ("goto", "goto 0", "goto 999", "goto x"):
            self.assertIn(f"goto N: this machine has steps 1 to {len(self.steps)}.", self.ask(wrong))
        for word in ("next", "check", "skip", "back", "goto", "hint"):
            self.assertIn(f"{word}", self.ask(f"help {word}"))
            self.assertNotIn("there is no command", self.ask(f"help {word}"))

    def test_pages(self):
        """a long text stops after a page as the guest's does; a blank, Enter and q go on or end it"""
        self.ROWS, self.COLUMNS = 12, 60
        self.start()
        self.at.type(b"next\r")
        page = self.at.wait_for(b"-- more -- ").decode()
        self.assertEqual(page.count("\n"), self.ROWS)              # with the line that was typed
        for row in page.replace("\r", "").split("\n")[1:]:
            self.assertLess(len(re.sub("\x1b.[014]*m", "", row)), self.COLUMNS, page)
        self.at.type(b"\r")
        self.assertEqual(self.at.wait_for(b"-- more -- ").count(b"\n"), 1)
        self.at.type(b"\x01 ")
        self.at.wait_for(b"-- more -- ")
        self.at.type(b"q")
        self.at.wait_for(b"\r> ")
        self.at.type(b"next\r")
        self.at.wait_for(b"-- more -- ")
        self.assertIn("Nothing has been typed yet", self.ask("check"))

    def test_not_kept(self):
        """a progress that cannot be kept is one sentence, and the lesson goes on"""
        path = pathlib.Path(self.state.name) / "file"
        path.write_text("")
        self.start(str(path))
        self.assertIn(f"Your progress is not kept: {path}/barecount/lessons.json cannot be read:", self.greeting)
        self.ask(self.steps[0].text)
        said = self.ask("check")
        self.assertIn("Right: step 1 of", said)
        self.assertIn("cannot be written:", said)


class End(unittest.TestCase):

    def test_onward(self):
        """after a lesson's last step comes the next lesson, and after the last lesson none"""
        first, *_, last = lessons.load()
        for lesson, onward in ((first, f"quit, then: {lessons.command(2)}"), (last, "this was the last lesson")):
            with self.subTest(lesson.title):
                at = tutor.Tutor(lesson, len(lesson.parts))
                at.done = len(at.steps)
                self.assertEqual(at.commands["skip"]([]),
                                 [f"All {len(at.steps)} steps of this machine are done; {onward}"])


def plain(said):
    return " ".join(said.decode().split())


class ThroughAPipe(taptest.Case):

    def run_with(self, text, *argv):
        return taptest.Run(*argv[1:], program=argv[0], input=text)

    def test_lines(self):
        """lines are typed one after the other, each with its prompt and its answer; nothing follows quit"""
        for words in ([], ["serial=com1"]):             # answers come by the debug console, or a UART
            with self.subTest(words):
                run = self.run_with("help quit\nquit\nhelp\n", "monitor", *TARGET, *words)
                self.check(run, 0)
                self.assertTrue(run.out[0].startswith("TAP version"), run)
                self.assertEqual([line for line in run.out if line.startswith("> ")],
                                 ["> help quit", "> quit"], run)
                self.assertIn("Example: quit", run.out[run.out.index("> help quit"):], run)

    def test_no_target(self):
        """an unknown target is a sentence"""
        self.check(self.run_with("", "monitor", "model:nothing"), 2, "Bochs has no model named 'nothing'")

    def test_learn(self):
        """tests/learn names the page, the machine and the first line to type; an unknown lesson is named"""
        page = lessons.load()[-1]
        run = self.run_with("", "learn", str(page.number))
        self.check(run, 0)
        said = "\n".join(run.out)
        for wanted in (page.title, page.shown, page.parts[0].shown, page.parts[0].steps[0].text, "CTRL-]"):
            self.assertIn(wanted, said)
        self.check(self.run_with("", "learn", "77"), 2, "there is no lesson 77; lessons are from 1 to")
        self.check(self.run_with("", "learn", f"{page.number}.77"), 2, "the lesson has no part 77; it has")


if __name__ == "__main__":
    taptest.main()

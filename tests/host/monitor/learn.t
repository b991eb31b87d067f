#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/monitor and tests/learn: the monitor at a terminal, and through a pipe."""
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import termios
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner.people import lessons                          # noqa: E402

TARGET = ["model:p3_katmai", "via=kernel"]
PROMPT = b"\n> "
SECONDS = 20


class Terminal:
    """A program at a terminal of its own."""

    def __init__(self, *argv):
        self.ours, theirs = pty.openpty()
        self.before = termios.tcgetattr(theirs)
        self.theirs, self.seen = theirs, b""
        self.process = subprocess.Popen([taptest.TESTS / argv[0], *argv[1:]], stdin=theirs, stdout=theirs,
                                        stderr=subprocess.PIPE, start_new_session=True)

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

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The monitor at a console: the keys of a PC's keyboard, the screen, and `-- more --`."""
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import watch                            # noqa: E402
from runner.people.qemu_console import QemuConsole, Keyboard              # noqa: E402
from runner.session import Session                  # noqa: E402

CPU = "pentium"
ROWS, COLUMNS = 25, 80
MORE = "-- more --"
LONG = "work"                   # a command that prints some pages
PLAIN = "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./"
SHIFTED = '~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:"ZXCVBNM<>?'


def rows_of(lines):
    """Returns the rows as the screen shows them: a word that does not fit begins the next row."""
    rows = []
    for line in lines:
        rows.append("")
        for blanks, word in re.findall(r"( *)([^ ]*)", line):
            if rows[-1] and len(rows[-1] + blanks + word) > COLUMNS:
                rows.append(word)
            else:
                rows[-1] += blanks + word
    return [row.rstrip() for row in rows]


class Machines:
    """Two machines, one with a screen alone, one also with a serial line; and the rows of LONG."""


def setUpModule():
    Machines.console = unittest.enterModuleContext(QemuConsole(CPU, ["via=kernel"]))
    Machines.session = unittest.enterModuleContext(
        Session(f"qemu:{CPU}", ["via=kernel"], has_monitor=True))
    Machines.rows = rows_of([f"> {LONG}", *Machines.session.command(LONG), ">"])
    Machines.console.wait_for_prompt()


class OnTheConsole(unittest.TestCase):
    """A machine without a serial line."""

    def setUp(self):
        """Begins each test with an empty line, whatever the test before left."""
        self.console, self.rows = Machines.console, Machines.rows
        self.keyboard = self.console.keyboard
        self.keyboard.press("q")
        self.keyboard.press("ctrl", "u")
        self.console.wait_for_last(">")

    def sees(self, line, cursor):
        """Waits for this last line, and this column of the cursor in it."""
        self.console.wait_for(f"{line!r} as the last line, the cursor in column {cursor}", lambda console:
                           console.lines[-1:] == [line] and console.cursor
                           and console.cursor[:2] == (len(console.lines) - 1, cursor))

    def test_characters(self):
        """every key with a character, alone and with shift, and caps lock"""
        for text in (PLAIN, SHIFTED):
            self.keyboard.type(text)
            self.sees(f"> {text}", 2 + len(text))
            self.keyboard.press("ctrl", "u")
        self.keyboard.press("caps_lock")
        self.keyboard.type("az1{")
        self.keyboard.press("caps_lock")
        self.keyboard.type("a")
        self.sees("> AZ1{a", 7)

    def test_editing(self):
        """the cursor's keys, and what they change"""
        self.keyboard.type("repXt 3 rdpmc")
        for key in ("home", "right", "right", "right", "delete"):
            self.keyboard.press(key)
        self.keyboard.type("ea")
        self.sees("> repeat 3 rdpmc", 7)
        self.keyboard.press("ctrl", "k")
        self.keyboard.press("left")
        self.keyboard.press("backspace")
        self.sees("> repa", 5)
        self.keyboard.press("end")
        self.keyboard.press("ctrl", "w")
        self.sees(">", 2)

    def test_history_and_tab(self):
        """a command runs, comes back by the arrow key; the tab key completes"""
        command = "help pce"
        answer = rows_of([f"> {command}", *Machines.session.command(command), ">"])
        self.keyboard.type("he\t\tpce\n")
        self.console.wait_for(f"{answer} in the end", lambda console: console.lines[-len(answer):] == answer)
        self.keyboard.press("up")
        self.sees(f"> {command}", 2 + len(command))
        self.keyboard.press("down")
        self.sees(">", 2)

    def begin_paging(self):
        self.keyboard.type(f"{LONG}\n")
        self.page_from(0)

    def page_from(self, first):
        """Waits for the page that begins with this row and asks for a key."""
        want = self.rows[first:first + ROWS - 1]
        self.console.wait_for(f"{MORE} below rows {first} to {first + ROWS - 2} of {LONG!r}, which are\n"
                           + "\n".join(want), lambda console:
                           console.lines[-1].startswith(MORE) and console.lines[:-1] == want)

    def test_pages(self):
        """a command's output is shown page by page, without a lost row; Enter shows one more row"""
        self.begin_paging()
        self.keyboard.press("ret")
        self.page_from(1)
        first = 1
        while first + ROWS < len(self.rows):
            self.keyboard.press("spc")
            first += ROWS - 1
            if first + ROWS < len(self.rows):
                self.page_from(first)
        self.console.wait_for("the last rows, and the prompt", lambda console:
                           console.lines == self.rows[-len(console.lines):] and len(console.lines) > 1)

    def test_enough(self):
        """q leaves the rest out, and the prompt comes"""
        self.begin_paging()
        self.keyboard.press("left")
        self.keyboard.press("q")
        self.console.wait_for("the prompt below the page's last row", lambda console:
                           console.lines[-2:] == [self.rows[ROWS - 1], ">"])
        self.keyboard.type("help quit\n")
        self.console.wait_for("the next command's text", lambda console:
                           console.lines[-2:] == ["Example: quit", ">"])

    def test_type_on(self):
        """another character leaves the rest out, too, and is the next command's first one"""
        self.begin_paging()
        self.keyboard.type("help quit\n")
        self.console.wait_for("the next command's text", lambda console:
                           console.lines[-2:] == ["Example: quit", ">"])


class AtBoth(unittest.TestCase):
    """A machine with a serial line and a keyboard."""

    def test_both(self):
        """both type one line, either first; long output does not wait for a key"""
        session = Machines.session
        keyboard = Keyboard(watch.Monitor(session.handover.monitor))
        want = session.command("help quit")
        keyboard.type("help Xuit")
        for key in ("left",) * 4:
            keyboard.press(key)
        session.type(b"q\x1b[3~\r")
        self.assertEqual(session.until_prompt(session.silence)[1:], want)
        session.type(b"help Xuit" + 4 * b"\x1b[D" + b"q")
        session.wait_for_echo(b"qXuit")
        keyboard.press("delete")
        keyboard.press("ret")
        self.assertEqual(session.until_prompt(session.silence)[1:], want)
        self.assertGreater(len(Machines.rows), 2 * ROWS, f"{LONG} prints pages")


if __name__ == "__main__":
    taptest.main()

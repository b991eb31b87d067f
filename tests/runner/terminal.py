# SPDX-License-Identifier: MIT
"""The monitor at a person's terminal: passes keys to the guest, and its output back."""
import contextlib
import os
import re
import select
import signal
import sys
import termios
import tty

from runner.line import READ_BYTES
from runner.problems import PASSED, Problem

LEAVE = b"\x1d"                 # CTRL-]
IDLE_SECONDS = 0.5
LEAST_COLUMNS, LEAST_ROWS = 40, 4       # that the monitor's command `page` takes
# The line that the cursor is on: the prompt and what has been typed so far, maybe with the escape
# sequences that moved the cursor.
ASKING = re.compile(rb"(?:^|\r|\x1b\[[0-9;]*[A-Za-z])(?:cpu \d+)?> [^\n]*\Z|-- more -- [^\n]*\Z")
ASKS = re.compile(rb"(?:.*\r)?(?:cpu \d+)?> ")       # \r: after the pager's question
TYPED = re.compile(r"(?:cpu \d+)?> ?(.*)")
QUIT = ("quit", "exit", "q")
QUESTION = b"-- more -- blank: a page, Enter: a line, q: enough "      # as the guest asks (kernel/input/pager.c)
ROWS_WANTED = {b" ": sys.maxsize, b"\r": 1, b"\n": 1, b"q": 0, b"\x03": 0, b"": 0}
BARE_NEWLINE = re.compile(rb"(?<!\r)\n")
ESCAPE = re.compile(rb"\x1b\[[0-9;]*[A-Za-z]")


def interact(session, greeting=(), tutor=None):
    """Returns the exit status when the person leaves, or the guest ends by `quit`.

    A tutor (runner/people/tutor.py) has commands of its own, and sees what is typed and answered.
    """
    for line in greeting:
        print(line)
    sys.stdout.flush()
    if not sys.stdin.isatty():
        return read_lines(session, tutor)
    size = tell_size(session)
    if tutor:
        tutor.size = size
    return Bridge(session, tutor).run()


def tell_size(session):
    """Tells the guest the terminal's size and returns it; a terminal that has none keeps whole lines."""
    columns, rows = os.get_terminal_size(sys.stdin.fileno())
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        return None
    session.command(f"page {columns} {rows}")
    return columns, rows


def read_lines(session, tutor=None):
    """Types each line of a standard input that is no terminal, when the line before it has been answered."""
    for line in sys.stdin:
        text = line.rstrip("\r\n")
        print(f"{session.prompt}{text}", flush=True)
        if text.strip() in QUIT:
            session.type(b"quit\r")
            session.guest.leave()
            break
        for said in answers(session, tutor, text):
            print(said, flush=True)
    return PASSED


def answers(session, tutor, text):
    """Returns the tutor's answer to a line, or the guest's, which the tutor sees."""
    if tutor and tutor.knows(text):
        return tutor.obey(text)
    said = session.command(text)
    if tutor:
        tutor.saw(text, said)
    return said


def plain(line):
    """Returns the final text of a line: editing goes back and writes over it."""
    shown, at = [], 0
    for character in ESCAPE.sub(b"", line).decode("utf-8", "replace"):
        if character in "\r\b":
            at = 0 if character == "\r" else max(at - 1, 0)
        else:
            shown[at:at + 1] = [character]
            at += 1
    return "".join(shown)


@contextlib.contextmanager
def raw(fd):
    """Takes away the terminal's line discipline, and restores it however this ends."""
    before = termios.tcgetattr(fd)
    try:
        tty.setraw(fd)
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


class Bridge:
    """Between standard input and output and the session's line.

    A guest at its prompt polls for a key, which would keep a processor of the host busy for nothing.  So the
    emulator is stopped meanwhile, and with it the guest's clocks.
    """

    def __init__(self, session, tutor=None):
        self.session, self.tutor = session, tutor
        self.typed, self.answer = "", []        # the line that is being answered, and its answer so far
        self.is_hiding = False                  # the guest's answer, because the tutor has another
        self.group = session.guest.process.pid
        self.keys, self.screen = sys.stdin.fileno(), sys.stdout.fileno()
        self.line = session.prompt.encode()     # that the cursor is on
        self.is_stopped = self.has_quit = False

    def run(self):
        with raw(self.keys):
            self._show(self.line)
            while self._step():
                pass
        print()
        return PASSED

    def _step(self):
        """Returns False when the session is over."""
        may_stop = not self.is_stopped and ASKING.search(self.line)
        ready = select.select([self.keys, self.session.line], [], [], IDLE_SECONDS if may_stop else None)[0]
        if not ready:
            self._stop(True)
        if self.session.line in ready and not self._from_guest():
            return False
        return self.keys not in ready or self._from_keys()

    def _from_keys(self):
        typed, leaves, _ = os.read(self.keys, READ_BYTES).partition(LEAVE)
        self._stop(False)
        with contextlib.suppress(OSError):      # it has ended, which the next read shows
            self.session.type(typed)
        return bool(typed) and not leaves

    def _from_guest(self):
        data = self.session.read_some()
        if not data:
            if self.has_quit:
                return False
            raise Problem("the guest ended without `quit`; the raw log is "
                          f"{self.session.log.shown}")
        for piece in re.findall(rb"[^\n]*\n|[^\n]+", data):
            self._take(piece)
        return True

    def _take(self, piece):
        """Takes a piece of a line; answers of the tutor stand in place of the guest's."""
        self.line += piece
        is_asking = ASKS.match(self.line)
        if is_asking and self.is_hiding:
            self._show_pages(self.tutor.obey(self.typed))
            self._show(self.line)
        elif not self.is_hiding:
            self._show(piece)
        if is_asking and self.typed:
            self._answered()
        if piece.endswith(b"\n"):
            self._ended(plain(self.line.rstrip(b"\r\n")).rstrip())
            self.line = b""

    def _answered(self):
        if self.tutor and not self.is_hiding:
            self.tutor.saw(self.typed, self.answer)
        self.typed, self.is_hiding = "", False

    def _ended(self, line):
        """Takes a whole line, which was typed, or is a part of the answer."""
        typed = TYPED.fullmatch(line)
        if not typed:
            self.answer.append(line)
            return
        self.typed, self.answer = typed[1], []
        self.has_quit |= self.typed in QUIT
        self.is_hiding = bool(self.tutor and self.tutor.knows(self.typed))

    def _show_pages(self, lines):
        """Shows the tutor's lines, and asks after each page whether that is enough, as the guest's pager does."""
        left = rows = self.tutor.size[1] - 1 if self.tutor.size else len(lines)
        for line in lines:
            if not left:
                self._show(QUESTION)
                left = self._rows_wanted(rows)
                self._show(b"\r" + b" " * len(QUESTION) + b"\r")
            if not left:
                return
            self._show(f"{line}\n".encode())
            left -= 1

    def _rows_wanted(self, page):
        """Waits for a key that says how many rows are to follow; another character begins the next line."""
        key = None
        while key not in ROWS_WANTED:
            key = os.read(self.keys, 1)
            if b"!" <= key <= b"~" and key not in ROWS_WANTED:
                self.session.type(key)
                return 0
        return min(ROWS_WANTED[key], page)

    def _show(self, data):
        data = BARE_NEWLINE.sub(b"\r\n", data)         # a debug console has no carriage returns
        while data:
            data = data[os.write(self.screen, data):]

    def _stop(self, yes):
        if yes != self.is_stopped:
            os.killpg(self.group, signal.SIGSTOP if yes else signal.SIGCONT)
            self.is_stopped = yes

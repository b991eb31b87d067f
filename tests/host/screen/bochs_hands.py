# SPDX-License-Identifier: MIT
"""A machine in Bochs with somebody who looks at its screen: the library's machines, hybrids among them.

Bochs runs without a window, so its text page is read out of its process, and drawn with the font of every VGA.
"""
import contextlib
import os
import pathlib
import re
import signal
import tempfile
import time

import taptest                                      # noqa: F401  (it says where runner is)
from runner import cli, machine, screen, targets
from runner.guest import Guest
from runner.handover import Handover
from runner.problems import Problem
from targets import bochs

COLUMNS, LINES = 80, 25
PAGE_BYTES = 2 * COLUMNS * LINES                    # a character, then its colours
POLL_SECONDS = 0.05
# VGA's memory is a mapping of its own of malloc(), which bochs.TUNABLES would not make: before it are 8 bytes of 0, and
# its size, with bit 1 set.
OWN_MAPPINGS = "glibc.malloc.mmap_threshold=131072"
ALIGNED, HEAD_BYTES = 1 << 12, 16
HEAD = re.compile(rb"\0{8}\x02[\x10-\xf0].{2}\0{4}", re.DOTALL)
# Words as cells: one is on each screen of the kernel.
WORD = re.compile(b"|".join(re.sub(rb"(.)", rb"\1.", word) for word in (b"Barecount", b"elapsed")), re.DOTALL)
PALETTE = [bytes(85 * (2 * (code >> bit & 1) + (code >> 3 & 1)) for bit in (2, 1, 0)) for code in range(16)]
PALETTE[6] = bytes((170, 85, 0))                    # brown, where the rule has a dark yellow


class Machine(contextlib.ExitStack):
    """Boots a target with these words of tests/boot; at the end it stays, where tests/boot would end it."""

    def __init__(self, target, *words):
        super().__init__()
        board, _, kernel_words = machine.split(words)
        module, cpu = targets.find(target, board)
        os.environ[bochs.TUNABLES[0]] = OWN_MAPPINGS
        given = [word for word in cli.words_for(module, board, kernel_words) if word != bochs.LEAVE]
        with contextlib.ExitStack() as so_far:
            handover = so_far.enter_context(contextlib.closing(Handover(board, given)))
            argv = module.command(cpu, board, handover)
            log = so_far.enter_context(tempfile.TemporaryFile())
            guest = so_far.enter_context(Guest(argv, handover, log, 0))
            self.view = View(guest.process)
            self.push(so_far.pop_all().__exit__)

    def screen_until(self, holds, seconds, must_rest=True):
        """Returns the screen's lines as soon as holds(lines) and, unless tests may go on, nothing is being drawn."""
        end = time.monotonic() + seconds
        while self.view.look() and must_rest or not holds(self.view.lines):
            if time.monotonic() > end:
                raise Problem("the screen is not as it should be after %g s:\n%s" % (seconds, "\n".join(self.view.lines)))
            time.sleep(POLL_SECONDS)
        return self.view.lines


class View:
    """The guest's screen as lines of text; `ppm` is a picture of it."""

    def __init__(self, process):
        self.process, self.place, self.page, self.lines = process, None, b"", []

    def look(self):
        """Reads the page; returns True if it differs from the one before."""
        if self.process.poll() is not None:
            raise EOFError("Bochs has ended")
        before, self.page = self.page, self.read()
        self.lines = [self.page[at:at + 2 * COLUMNS:2].decode("cp437").replace("\0", " ").rstrip()
                      for at in range(0, len(self.page), 2 * COLUMNS)]
        return self.page != before

    def read(self):
        """Returns the page's bytes. Bochs stands still meanwhile: the first search takes as long as many tests."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            return self.read_still()
        finally:
            self.process.send_signal(signal.SIGCONT)

    def read_still(self):
        with open(f"/proc/{self.process.pid}/mem", "rb", 0) as memory:
            if self.place is None:
                self.place = place_of(memory, self.process.pid)
            if self.place is None:
                return b""
            memory.seek(self.place)
            return memory.read(PAGE_BYTES)

    @property
    def ppm(self):
        glyphs = {character: cell for cell, character in screen.vga_font().items()}
        rows = [bytearray() for _ in range(LINES * screen.ROWS)]
        for at in range(0, len(self.page), 2):
            cell = glyphs.get(self.page[at:at + 1].decode("cp437"), glyphs[" "])
            colours = {screen.ON[0]: PALETTE[self.page[at + 1] & 15], screen.OFF[0]: PALETTE[self.page[at + 1] >> 4 & 7]}
            for y in range(screen.ROWS):
                rows[at // (2 * COLUMNS) * screen.ROWS + y] += b"".join(
                    colours[dot] for dot in cell[y * screen.COLUMNS:(y + 1) * screen.COLUMNS])
        return b"P6 %d %d 255\n" % (COLUMNS * screen.COLUMNS, len(rows)) + b"".join(rows)


def place_of(memory, pid):
    """Returns where in the process the page is; None before a screen of the kernel is on it."""
    for line in pathlib.Path(f"/proc/{pid}/maps").read_text().splitlines():
        begin, end = (int(number, 16) for number in line.split()[0].split("-"))
        if " rw-p " not in line:
            continue
        memory.seek(begin)
        data = memory.read(end - begin)
        for found in WORD.finditer(data):
            page = found.start() // ALIGNED * ALIGNED
            if HEAD.match(data, page):
                return begin + page + HEAD_BYTES
    return None

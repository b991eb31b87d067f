# SPDX-License-Identifier: MIT
"""A machine in QEMU with somebody in front of it, who presses reset and keys and looks at the screen.

There is no exit port and a reset does not end it, as with a real machine.
"""
import contextlib
import os
import re
import select
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

import taptest                                      # noqa: F401  (it says where runner is)
from runner import machine, screen, watch
from runner.guest import Guest
from runner.handover import Handover
from runner.problems import Problem
from targets import qemu

BOOT_SECONDS = 30
POLL_SECONDS = 0.05


class Machine(contextlib.ExitStack):
    """Boots with these words of tests/boot, without a target, and these additional lines of barecount.cfg."""

    def __init__(self, cpu, *words, configuration=()):
        super().__init__()
        board, _, kernel_words = machine.split(words)
        self.said, self.line = "", None
        with contextlib.ExitStack() as so_far:
            self.handover = so_far.enter_context(contextlib.closing(
                Words(board, kernel_words, configuration)))
            if board.serial != "no":
                self.line = self.handover.open_line()
                so_far.callback(self.line.close)
            log = so_far.enter_context(tempfile.TemporaryFile())
            so_far.enter_context(Guest(command(cpu, board, self.handover), self.handover, log, 0))
            self.view = watch.Screen(self.handover)
            self.view.fonts = self.view.fonts[:1]       # VGA's; a framebuffer's reader takes all
            self.push(so_far.pop_all().__exit__)

    def until(self, text, seconds=BOOT_SECONDS):
        """Waits for this text on the serial line; returns the output up to its end."""
        end = time.monotonic() + seconds
        while text not in self.said:
            if not select.select([self.line], [], [], max(0, end - time.monotonic()))[0]:
                raise Problem(f"{text!r} did not come in {seconds} s; what came: {self.said[-2000:]}")
            self.said += self.line.read().decode("utf-8", "replace").replace("\r", "")
        before, text, self.said = self.said.partition(text)
        return before + text

    def type(self, text):
        self.line.write(text.encode())

    def press(self, *keys):
        """Keys by QEMU's names, all at once."""
        self.view.monitor.execute("send-key", keys=[{"type": "qcode", "data": key} for key in keys])

    def reset(self, *kernel_words):
        """Presses the reset button; the machine boots with these words."""
        if self.handover.words_fd is not None:
            self.handover.rewrite(kernel_words)
        self.said = ""
        self.view.monitor.execute("system_reset")

    def screen_until(self, holds, seconds=BOOT_SECONDS):
        """Returns the screen's lines as soon as holds(lines), and nothing is being drawn."""
        end = time.monotonic() + seconds
        while True:
            is_still = not self.view.look()
            if is_still and holds(self.view.lines):
                return self.view.lines
            if time.monotonic() > end:
                raise Problem("the screen is not as it should be after %g s:\n%s" %
                              (seconds, "\n".join(self.view.lines)))
            time.sleep(POLL_SECONDS)

    def choose(self, title):
        """Chooses the entry of GRUB's menu that begins so, by the arrow keys; the chosen line is lit."""
        def places(lines):
            return ([row for row, line in enumerate(lines) if line.startswith(f" \u2502 {title}")],
                    [row for row, line in enumerate(lines) if screen.UNKNOWN in line])
        here = self.screen_until(lambda lines: all(places(lines)))
        (wanted, *_), (lit, *_) = places(here)
        for _ in range(abs(wanted - lit)):
            self.press("down" if wanted > lit else "up")
            time.sleep(POLL_SECONDS)            # GRUB reads the keyboard between two redraws
        self.screen_until(lambda lines: places(lines)[1] == [wanted])
        self.press("ret")

    def qr_code(self):
        """Returns the text of the one QR code on the screen, as zbarimg reads it; "" if it reads none."""
        self.view.look()
        return read_qr(self.view.ppm)


class Words(Handover):
    """The disk of words can be written again while the machine has it."""

    def __init__(self, board, kernel_words, configuration=()):
        super().__init__(board, kernel_words)
        self.configuration = configuration
        self.words_fd = None                # of the disk of words, if the machine has one

    def _configuration(self):
        return "\n".join([super()._configuration(), *self.configuration, ""])

    def words_disk(self):
        name = super().words_disk()
        self.words_fd = os.dup(int(name.rpartition("/")[2]))
        return name

    def rewrite(self, kernel_words):
        with contextlib.closing(Handover(self.machine, kernel_words)) as other:
            with open(other.words_disk(), "rb") as disk:
                os.pwrite(self.words_fd, disk.read(), 0)

    def close(self):
        if self.words_fd is not None:
            os.close(self.words_fd)
        super().close()


def command(cpu, board, handover):
    """Returns QEMU's command line, but QEMU stays at the end, where tests/boot would end it."""
    argv = [word for word in qemu.command(cpu, board, handover) if word != "-no-reboot"]
    if board.serial != "no":
        at = argv.index("isa-debug-exit,iobase=0xf4,iosize=0x4")
        argv[at - 1:at + 1] = ["-chardev", f"socket,id=monitor,fd={handover.monitor_socket()}",
                               "-mon", "chardev=monitor,mode=control"]
    return argv


def write_png(path, ppm):
    """Writes a binary PPM as a PNG of a palette."""
    head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", ppm)
    width, height = int(head[1]), int(head[2])
    pixels = [ppm[at:at + 3] for at in range(head.end(), len(ppm), 3)]
    palette = sorted(set(pixels))
    number = {pixel: index for index, pixel in enumerate(palette)}
    rows = b"".join(b"\0" + bytes(number[pixel] for pixel in pixels[y * width:(y + 1) * width])
                    for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
                     + chunk(b"PLTE", b"".join(palette)) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def read_qr(ppm):
    if not shutil.which("zbarimg"):
        raise Problem("zbarimg is not installed; install zbar-tools")
    with tempfile.NamedTemporaryFile(suffix=".ppm") as file:
        file.write(ppm)
        file.flush()
        return subprocess.run(["zbarimg", "--nodbus", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable",
                               file.name], text=True, capture_output=True, check=False).stdout


def text_on(lines):
    """Returns the lines without the cells of a QR code, and without lines that are then empty."""
    blocks = str.maketrans("", "", "\N{FULL BLOCK}\N{UPPER HALF BLOCK}\N{LOWER HALF BLOCK}" + screen.UNKNOWN)
    return [line for line in (line.translate(blocks).rstrip() for line in lines) if line]

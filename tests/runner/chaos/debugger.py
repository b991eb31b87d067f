# SPDX-License-Identifier: MIT
"""A client of an emulator's debugger, GDB's remote protocol, that reads and writes physical memory."""
import re
import socket

REPLY = re.compile(rb"\$([^#]*)#..")
ANSWER_SECONDS = 5
MOST_BYTES = 1024               # of one packet


class Debugger:
    """A context manager: connecting stops the machine, leaving lets it run again."""

    def __init__(self, path):
        self.pending = b""
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(ANSWER_SECONDS)
        self.socket.connect(str(path))
        self.ask("?")
        self.ask("Qqemu.PhyMemMode:1")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.ask("D")
        finally:
            self.socket.close()

    def ask(self, text):
        """Returns the answer to a command."""
        self.socket.sendall(b"$%s#%02x" % (text.encode(), sum(text.encode()) & 255))
        while not REPLY.search(self.pending):
            data = self.socket.recv(1 << 16)
            if not data:
                raise EOFError("the emulator has ended")
            self.pending += data
        found = REPLY.search(self.pending)
        self.pending = self.pending[found.end():]
        self.socket.sendall(b"+")
        return found[1].decode()

    def read(self, address, size):
        """Returns bytes of memory; raises ValueError where there is none."""
        parts = (self.ask(f"m{address + at:x},{min(MOST_BYTES, size - at):x}") for at in range(0, size, MOST_BYTES))
        return b"".join(map(bytes.fromhex, parts))

    def flip(self, address, bit):
        self.ask(f"M{address:x},1:{self.read(address, 1)[0] ^ 1 << bit:02x}")

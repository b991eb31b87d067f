# SPDX-License-Identifier: MIT
"""Clients of a running QEMU: of its debugger, GDB's remote protocol, and of its monitor."""
import contextlib
import re
import socket

from runner.watch import Monitor

REPLY = re.compile(rb"\$([^#]*)#..")
ANSWER_SECONDS = 5
MOST_BYTES = 1024               # of one packet
POINTER = 16                    # digits of a 64-bit register in a packet
RIP = 16                        # its place among QEMU's registers: sixteen general ones are before it


def attach(boot):
    """Gives the boot's emulator a debugger and a monitor; returns the paths of their sockets."""
    debugger, monitor = boot.folder / "gdb", boot.folder / "monitor"
    boot.wrap(f"exec $real \"$@\" -gdb unix:'{debugger}',server=on,wait=off "
              f"-chardev socket,id=chaos,path='{monitor}',server=on,wait=off -mon chardev=chaos,mode=control")
    return debugger, monitor


@contextlib.contextmanager
def monitor_at(path):
    """Is a Monitor of the QEMU that listens there."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        yield Monitor(connection)


def ask_person(monitor, text):
    """Returns the answer to a command of the monitor for people, which has commands that the other lacks."""
    return monitor.execute("human-monitor-command", **{"command-line": text})


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
        """Returns the answer to a command; passes over reports that the machine has stopped, which nobody asked for."""
        self.socket.sendall(b"$%s#%02x" % (text.encode(), sum(text.encode()) & 255))
        while (answer := self._packet()).startswith("T") and text != "?":
            pass
        return answer

    def _packet(self):
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

    def write(self, address, data):
        """Writes bytes of memory, or of a device; raises ValueError where there is neither."""
        if self.ask(f"M{address:x},{len(data):x}:{data.hex()}") != "OK":
            raise ValueError(f"no memory at {address:#x}")

    def flip(self, address, bit):
        self.write(address, bytes([self.read(address, 1)[0] ^ 1 << bit]))

    def jump(self, processor, address):
        """Lets one processor go on at this address."""
        self.ask(f"Hg{processor + 1:x}")
        registers = self.ask("g")
        at, text = RIP * POINTER, address.to_bytes(POINTER // 2, "little").hex()
        if self.ask("G" + registers[:at] + text + registers[at + POINTER:]) != "OK":
            raise ValueError(f"QEMU does not let processor {processor} jump")

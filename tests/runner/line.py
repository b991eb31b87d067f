# SPDX-License-Identifier: MIT
"""A guest's serial line that goes both ways: this program's end of it, and the emulator's."""
import contextlib
import os
import pty
import select
import socket
import tty

from runner.problems import Problem

READ_BYTES = 1 << 16
LOOPBACK = "127.0.0.1"                # by number: a new installation may have no file that names it
CONNECT_SECONDS = 20


class Terminal:
    """A terminal that the emulator opens by its name, as QEMU does: it reads what its UART has room for."""

    def __init__(self, handover):
        self.fd, theirs = pty.openpty()
        tty.setraw(theirs)
        self.name = os.ttyname(theirs)
        handover.fds.append(theirs)

    def connect(self, _):
        """Returns at once, because there is nothing to wait for."""

    def fileno(self):
        return self.fd

    def read(self):
        """Waits for bytes and returns them; returns none if the other end is closed."""
        try:
            return os.read(self.fd, READ_BYTES)
        except OSError:                 # EIO
            return b""

    def write(self, data):
        os.write(self.fd, data)

    def close(self):
        os.close(self.fd)


class Call:
    """A connection that the emulator makes to this program, as Bochs does.

    From a connection Bochs takes a byte when the guest has read the one before it; from a terminal it takes more
    bytes than its UART has room for, and loses them. The guest's output may come by the debug console instead,
    which costs the guest no time.
    """

    def __init__(self, handover):
        self.debug_console = handover.serial_reader if handover.debug_console else None
        self.listener = socket.create_server((LOOPBACK, 0), family=socket.AF_INET)
        self.name = f"{LOOPBACK}:{self.listener.getsockname()[1]}"
        self.socket = None

    def connect(self, process):
        """Waits for the emulator; Problem, if it ends instead."""
        for _ in range(CONNECT_SECONDS * 10):
            if select.select([self.listener], [], [], 0.1)[0]:
                self.socket, _ = self.listener.accept()
                self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return
            if process.poll() is not None:
                break
        raise Problem("the emulator did not open its serial line")

    def fileno(self):
        return self.debug_console or self.socket.fileno()

    def read(self):
        """Does the same as Terminal.read()."""
        if self.debug_console:
            return os.read(self.debug_console, READ_BYTES)
        # The guest's bytes are packets of their own, held back until the one before is acknowledged.
        with contextlib.suppress(OSError):
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
            return self.socket.recv(READ_BYTES)
        return b""

    def write(self, data):
        with contextlib.suppress(OSError):      # it has ended, which the next read shows
            self.socket.sendall(data)

    def close(self):
        self.listener.close()
        if self.socket:
            self.socket.close()

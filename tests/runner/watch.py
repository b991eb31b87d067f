# SPDX-License-Identifier: MIT
"""A run without a serial line: takes screenshots until the guest's last line is on the screen."""
import json
import os
import time

from runner import screen, tap
from runner.guest import OVERALL
from runner.problems import BROKEN, Problem

POLL_SECONDS = 0.2
REPLY_SECONDS = 20              # a monitor answers within milliseconds, if its machine is alive
REPLY_BYTES = 1 << 16


class Monitor:
    """QEMU's machine protocol (QMP) on an open socket; raises EOFError when QEMU is gone."""

    def __init__(self, connection):
        connection.settimeout(REPLY_SECONDS)
        self.connection = connection
        self.pending = b""
        self._message()                                     # the greeting
        self.execute("qmp_capabilities")

    def execute(self, name, **arguments):
        """Executes a command and returns its result."""
        request = {"execute": name, "arguments": arguments}
        try:
            self.connection.sendall(json.dumps(request).encode())
            while True:
                message = self._message()
                if "error" in message:
                    raise Problem(f"QEMU's monitor refuses {name}: {message['error']['desc']}")
                if "return" in message:
                    return message["return"]
        except (BrokenPipeError, ConnectionResetError):
            raise EOFError from None
        except TimeoutError:
            raise Problem("QEMU's monitor does not answer") from None

    def _message(self):
        while b"\n" not in self.pending:
            data = self.connection.recv(REPLY_BYTES)
            if not data:
                raise EOFError
            self.pending += data
        line, _, self.pending = self.pending.partition(b"\n")
        return json.loads(line)


class Screen:
    """The guest's screen as lines of text; `ppm` is the last screenshot."""

    def __init__(self, handover):
        self.path, self.fd = handover.screenshot
        self.monitor = Monitor(handover.monitor)
        self.fonts = screen.known_fonts()
        self.ppm, self.lines = b"", []

    def look(self):
        """Takes a screenshot; returns True if it differs from the one before."""
        self.monitor.execute("screendump", filename=self.path)
        ppm = os.pread(self.fd, os.fstat(self.fd).st_size, 0)
        if ppm == self.ppm:
            return False
        self.ppm, self.lines = ppm, screen.read(screen.Image(ppm), self.fonts)
        return True


def status_on(lines):
    """Returns the status that the guest's last line shows, or None if it is not there yet."""
    found = [match for match in map(tap.END.match, lines) if match]
    return int(found[-1][1]) if found else None


def watch(handover, boot_seconds, silence):
    """Looks until the run's end is on the screen; returns the lines and a sentence on what is wrong, or "".

    A screen that does not change means a silent guest. The limit is boot_seconds, then, once the kernel's first
    line is there, `silence` seconds.
    """
    limit, view = boot_seconds, None
    changed = start = time.monotonic()
    try:
        view = Screen(handover)
        while status_on(view.lines) is None:
            now = time.monotonic()
            if view.look():
                changed = now
            elif now - changed > limit:
                return view, f"the screen did not change for {limit:g} s"
            if now - start > OVERALL * silence:
                return view, f"the run was not over after {OVERALL * silence:g} s"
            if any(line.startswith(("# Barecount", "Barecount")) for line in view.lines):
                limit = silence
            time.sleep(POLL_SECONDS)
    except EOFError:
        return view, "the emulator ended without an end of the run on the screen: a triple fault"
    return view, ""


def what_is_broken(view):
    """Returns the reason why a run that has shown its end is broken nevertheless, or ""."""
    if status_on(view.lines) != BROKEN:
        return ""
    said = [line for line in view.lines if tap.BAIL_OUT.match(line) or tap.VERDICT.match(line)]
    return f"the guest calls its own run broken: {said[-1] if said else 'it does not say why'}"


def as_tap(view):
    """Returns the screen as TAP: one result, and the screen's text as comments."""
    status = status_on(view.lines)
    good = "not " if status else ""
    shown = [f"# | {line}" for line in view.lines if line]
    return ["TAP version 13", "1..1", *shown, f"{good}ok 1 - screen.verdict",
            f"# end of run: status {status}"]

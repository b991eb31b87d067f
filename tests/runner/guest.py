# SPDX-License-Identifier: MIT
"""A running guest: starts the emulator, reads its serial line, and always ends it."""
import contextlib
import ctypes
import os
import pathlib
import select
import signal
import subprocess
import time

from runner import layout, program
from runner.problems import Problem, Unavailable

PR_SET_PDEATHSIG = 1            # linux/prctl.h
LIBC = ctypes.CDLL(None)        # loaded before any fork: the child must not load anything
READ_BYTES = 1 << 16
LINE_BYTES = 1 << 16            # a longer line is cut, so that no guest fills the memory
LOG_BYTES = 1 << 26             # a guest that prints without end does not fill the disk
OVERALL = 30                    # a run may last this many times as long as it may be silent
SLICE_SECONDS = 0.5             # of a silence, after each of which the host's load is looked at
GAVE_UP = 1                     # an emulator's exit status, where it lacks a file or a feature
LEAVE_SECONDS = 5               # after its last line a guest has this long to end its emulator

# The ways in which a guest's output can end.
CLOSED, SILENT, OVERLONG, FLOOD = "closed", "silent", "overlong", "flood"


def die_with(parent, number=signal.SIGKILL):
    """Runs in the child: requests this signal for the end of the parent, even if the parent is killed."""
    LIBC.prctl(PR_SET_PDEATHSIG, number, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


class Guest:
    """An emulator in a process group of its own; a context manager that kills it on the way out.

    Reading it yields the lines of the serial port, without their ends; then `ending` says how the output ended
    and `rest` has the bytes after the last line end.  The caller may change `silence` (seconds) while reading.
    Time in which the emulator waits for a processor of a busy host is no silence.
    """

    def __init__(self, argv, handover, emulator_log, silence):
        self.silence = silence
        self.ending = None
        self.rest = b""
        self.reader = handover.serial_reader
        try:
            self.process = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stderr=emulator_log,
                stdout=handover.debug_console or emulator_log,
                pass_fds=handover.fds, start_new_session=True,
                preexec_fn=lambda parent=os.getpid(): die_with(parent))
        except FileNotFoundError:
            raise Unavailable(f"{argv[0]} is not installed") from None
        except OSError as error:
            raise Problem(f"{argv[0]} cannot be started: {error.strerror}") from None
        handover.handed_over()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def lines(self, raw_log, overall):
        """Yields line after line, copying every byte to raw_log; stops as soon as the output ends.

        After `overall` seconds the run is stopped even if the guest still prints.
        """
        end, logged = time.monotonic() + overall, 0
        name = layout.shown(getattr(raw_log, "name", "the raw log"))    # one in memory has none
        while self.ending is None:
            data = self._read(end)
            with program.writing(name):
                raw_log.write(data)
            logged += len(data)
            if logged > LOG_BYTES:
                self.ending = FLOOD
            *lines, self.rest = (self.rest + data).split(b"\n")
            if len(self.rest) > LINE_BYTES:
                lines, self.rest = [*lines, self.rest], b""
            yield from map(text_of, lines)

    def _read(self, end):
        """Returns some bytes; or none, after setting `ending`."""
        silent_until, used = time.monotonic() + self.silence, {}
        while (now := time.monotonic()) < min(silent_until, end):
            if select.select([self.reader], [], [], min(silent_until, end, now + SLICE_SECONDS) - now)[0]:
                data = os.read(self.reader, READ_BYTES)
                self.ending = None if data else CLOSED
                return data
            before, used = used, self._used()
            starved = [time.monotonic() - now - used[name] + before[name] for name in used if name in before and name[1] == "R"]
            silent_until += max(starved, default=0)
        self.ending = OVERLONG if end - time.monotonic() <= 0 else SILENT
        return b""

    def _used(self):
        """Returns {(number, state): processor time in seconds} of the emulator's threads; R is a state of those that can run."""
        used = {}
        with contextlib.suppress(OSError):      # the emulator has ended, or this kernel does not count
            for path in pathlib.Path("/proc", str(self.process.pid), "task").iterdir():
                state = (path / "stat").read_text().rpartition(") ")[2][0]
                used[path.name, state] = int((path / "schedstat").read_text().split()[0]) / 1e9
        return used

    def death(self, has_spoken):
        """Returns how the emulator died if its output ended because somebody killed it, or it never ran a guest, else ""."""
        if self.ending != CLOSED:
            return ""
        self.leave()
        status = self.process.poll()
        if status is not None and status < 0:
            return f"the emulator was killed by {signal.Signals(-status).name}"
        # A kernel that leaves without a word has another one.
        return "the emulator gave up before it ran the guest" if status == GAVE_UP and not has_spoken else ""

    def leave(self):
        """Gives the emulator a moment to end by itself, after the guest's last line."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(LEAVE_SECONDS)


def text_of(line):
    return line.decode("utf-8", "replace").rstrip("\r")

# SPDX-License-Identifier: MIT
"""QEMU with the model, for test programs that use its monitor: a run that is stopped, saved and taken back."""
import contextlib
import pathlib
import subprocess
import tempfile
import time

import taptest

from runner import cli, machine, problems, targets, watch
from runner.handover import Handover
from targets import qemu

BUILD = taptest.TESTS / "targets" / "qemu-build"
SECONDS = 600                   # a run that takes longer hangs
POLL_SECONDS = 0.01
DISK_BYTES = 1 << 30            # of virtual size: snapshots lie behind it


def why_not():
    """Returns why there is no QEMU with the model here, or "": no test builds it."""
    done = subprocess.run([BUILD, "--kept"], text=True, capture_output=True, check=False)
    return done.stderr.strip().removeprefix("qemu-build: ") if done.returncode == problems.UNAVAILABLE else ""


class Machine(contextlib.ExitStack):
    """A context manager: a run of the kernel with these words, with a disk for snapshots in this folder.

    `more` are arguments for QEMU: what the machine begins with.
    """

    def __init__(self, folder, cpu, words, more=()):
        super().__init__()
        self.folder = pathlib.Path(folder)
        disk = self.folder / "disk.qcow2"
        if not disk.exists():
            subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", disk, str(DISK_BYTES)], check=True)
        board, _, kernel_words = machine.split([*words, "via=kernel"])
        module, cpu = targets.find(f"qemu-model:{cpu}", board)
        handover = Handover(board, cli.words_for(module, board, kernel_words))
        self.callback(handover.close)
        self.output = self.enter_context(tempfile.NamedTemporaryFile(dir=folder))
        self.errors = self.enter_context(tempfile.NamedTemporaryFile(dir=folder))
        handover.serial = self.output.name
        argv = [*module.command(cpu, board, handover), *qemu.monitor(handover),
                "-drive", f"if=none,format=qcow2,file={disk}", *more]
        self.process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors,
                                        pass_fds=handover.fds)
        self.callback(self._end)
        handover.handed_over()
        self.connection, self.monitor = handover.monitor, None

    def _end(self):
        self.process.kill()
        self.process.wait()

    def execute(self, name, **arguments):
        """Executes a command of the monitor."""
        self.monitor = self.monitor or watch.Monitor(self.connection)
        return self.monitor.execute(name, **arguments)

    def command(self, text):
        """Types a line for people; raises Problem if there is an answer, which is an error."""
        answer = self.execute("human-monitor-command", **{"command-line": text}).strip()
        if answer:
            raise problems.Problem(f"{text}: {answer}")

    def said(self):
        """Returns the bytes of the serial line so far."""
        return pathlib.Path(self.output.name).read_bytes()

    def complaint(self):
        return pathlib.Path(self.errors.name).read_text(encoding="utf-8", errors="replace")

    def run_until(self, size, seconds):
        """Lets it run until so many bytes are there, and for some seconds more; stops it."""
        while len(self.said()) < size and self.process.poll() is None:
            time.sleep(POLL_SECONDS)
        time.sleep(seconds)
        self.execute("stop")

    def go_on(self, seconds):
        self.execute("cont")
        time.sleep(seconds)
        self.execute("stop")

    def migrate(self):
        """Returns the path of a file with the machine, which is stopped."""
        path = self.folder / "moved"
        self.execute("migrate", uri=f"file:{path}")
        while self.execute("query-migrate")["status"] != "completed":
            time.sleep(POLL_SECONDS)
        return path

    def to_end(self):
        """Lets it run to its end, and returns the bytes of the serial line."""
        with contextlib.suppress(EOFError, OSError):
            while self.execute("query-status")["status"] == "inmigrate":
                time.sleep(POLL_SECONDS)
            self.execute("cont")        # a stopped machine was saved as one
        self.process.wait(SECONDS)
        return self.said()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The faults of make chaos are made as they say, and leave nothing on the host."""
import argparse
import contextlib
import functools
import io
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                              # noqa: E402
from runner.chaos import boot, debugger, folders, judge, main       # noqa: E402
from runner.problems import Unavailable                     # noqa: E402

STOPPED = "T02thread:01;"       # what QEMU reports about a machine that stops, whenever it does
REGISTERS = "".join(f"{number:016x}" for number in range(24))
QEMU = ("qemu:Nehalem", "via=kernel", "only=rdtsc.*", "timeout=6")


def packet(text):
    return f"${text}#{sum(text.encode()) & 255:02x}"


class Qemu(threading.Thread):
    """Answers like QEMU's debugger, with a report before each answer; `asked` has the questions."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.asked = []
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(str(path))
        self.server.listen()
        self.start()

    def run(self):
        connection = self.server.accept()[0]
        with connection, self.server:
            while data := connection.recv(1 << 16).decode():
                for text in debugger.REPLY.findall(data.encode()):
                    self.asked.append(text.decode())
                    answer = {"?": STOPPED, "g": REGISTERS}.get(self.asked[-1], "OK")
                    connection.sendall(f"+{packet(STOPPED) if answer != STOPPED else ''}{packet(answer)}".encode())


class Debugger(unittest.TestCase):
    """The client of QEMU's debugger, and a QEMU that is none."""

    def setUp(self):
        self.boot = boot.Boot("a test", 1, QEMU)
        self.addCleanup(self.boot.remove)

    def test_reports(self):
        """reports that the machine has stopped are no answers"""
        qemu = Qemu(self.boot.folder / "gdb")
        with debugger.Debugger(self.boot.folder / "gdb") as client:
            client.write(0x6000, b"\xfa\xeb")
            self.assertEqual(client.ask("g"), REGISTERS)
        self.assertEqual(qemu.asked[2:], ["M6000,2:faeb", "g", "D"])

    def test_jump(self):
        """a processor jumps by its instruction pointer, and keeps its other registers"""
        qemu = Qemu(self.boot.folder / "gdb")
        with debugger.Debugger(self.boot.folder / "gdb") as client:
            client.jump(3, 0x6000)
        numbers = [f"{number:016x}" for number in range(24)]
        numbers[16] = "0060000000000000"
        self.assertEqual(qemu.asked[2:5], ["Hg4", "g", "G" + "".join(numbers)])


class Kinds(unittest.TestCase):
    """Kinds of faults on this host."""

    def asked(self, kind):
        return argparse.Namespace(kind=kind, boots=3, seed=1, jobs=1)

    def test_lacks(self):
        """a kind that this host cannot make is left out with a sentence"""
        was = main.KINDS["folders"]
        self.addCleanup(main.KINDS.__setitem__, "folders", was)
        main.KINDS["folders"] = was._replace(lacks=lambda: "only root may")
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(list(main.chosen(self.asked("folders"))), [])
        self.assertEqual(said.getvalue(), "  chaos    no boots of the kind folders: only root may\n")
        self.assertEqual(len(list(main.chosen(self.asked("kill")))), 3)
        with contextlib.redirect_stdout(io.StringIO()), self.assertRaisesRegex(Unavailable, "none of these boots"):
            main.run(self.asked("folders"))

    def test_hidden(self):
        """what a run leaves in a TMPDIR that only the run can see is left over"""
        made = boot.Boot("a test", 1, QEMU)
        self.addCleanup(made.remove)
        self.assertEqual(made.leftovers(), [])
        made.hidden.write_text("forgotten\n")
        self.assertEqual(made.leftovers(), ["forgotten"])


class Mounts(unittest.TestCase):
    """Folders that are full or read-only, where root may make such."""

    def setUp(self):
        if folders.lacks():
            self.skipTest(folders.lacks())
        self.boot = boot.Boot("a test", 1, QEMU)
        self.addCleanup(self.boot.remove)

    def mounted(self):
        return str(self.boot.folder) in pathlib.Path("/proc/mounts").read_text()

    def test_folders(self):
        """each folder is as its fault says, only for the run"""
        full = functools.partial(folders.full_logs, sizes=(0,))
        for fault, sentence in ((full, "No space left"), (folders.read_only_logs, "Read-only"), (folders.full_tmp, ""),
                                (folders.read_only_build, "Read-only")):
            with self.subTest(fault):
                self.boot.remove()
                self.boot = boot.Boot("a test", 1, QEMU)
                fault(self.boot)
                self.boot.run()
                self.assertEqual((self.boot.status, self.boot.left), (2 if sentence else 0, []), self.boot.err)
                self.assertIn(sentence, " ".join(self.boot.err))
                self.assertFalse(self.mounted())
                self.boot.remove()
                self.assertFalse(self.boot.folder.exists())

    def test_full_tmp(self):
        """a file that a run forgets in a full TMPDIR is seen"""
        folders.full_tmp(self.boot)
        done = subprocess.run([*self.boot.prefix, "/bin/sh", "-c", f": > '{self.boot.folder}/tmp/forgotten'"],
                              check=False)
        self.assertEqual((done.returncode, self.boot.leftovers()), (0, ["forgotten"]))

    def test_killed(self):
        """a mount is gone with the boot's processes, even if nobody could clean up"""
        folders.read_only_logs(self.boot)
        with subprocess.Popen([*self.boot.prefix, "/bin/sh", "-c", "echo; exec sleep 60"], stdout=subprocess.PIPE,
                              start_new_session=True) as process:
            process.stdout.readline()
            seen = pathlib.Path(f"/proc/{process.pid}/mounts").read_text()
            self.assertIn(str(self.boot.logs), seen)
            self.assertFalse(self.mounted())
            os.killpg(process.pid, signal.SIGKILL)
        self.boot.remove()
        self.assertFalse(self.boot.folder.exists())


class Together(unittest.TestCase):
    """Two runs side by side."""

    def test_worse(self):
        """both runs are judged, and both folders go"""
        made = boot.Boot("a test", 1, QEMU)
        made.other = boot.Boot("a test", 1, QEMU)
        self.assertEqual(made.runs(), [made, made.other])
        for each in made.runs():
            each.status, each.out, each.err, each.left = 0, [], [], []
            each.sound = boot.Sound(0, frozenset(), (), (), 1, 1)
        self.assertEqual(judge.outcome(made), judge.RIGHT)
        made.other.left = ["process 1"]
        self.assertEqual(judge.outcome(made), judge.BAD)
        made.remove()
        self.assertFalse(made.folder.exists() or made.other.folder.exists())


if __name__ == "__main__":
    taptest.main()

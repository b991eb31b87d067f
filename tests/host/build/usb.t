#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""iso/usb: its refusals, its output and its failures, with a made-up /sys and a file for a stick."""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

PROGRAM = taptest.ROOT / "iso" / "usb"
IMAGE = bytes(range(256)) * 10000                   # 2.56 MB: more than one chunk, and not a whole one
STICK_BYTES = 4 << 20
MOUNTS = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
SWAPS = "Filename\t\t\t\tType\t\tSize\tUsed\tPriority\n"


def load_program():
    loader = importlib.machinery.SourceFileLoader("usb", str(PROGRAM))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("usb", loader))
    loader.exec_module(module)
    return module


class Usb(unittest.TestCase):

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="barecount-usb-"))
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "image").write_bytes(IMAGE)
        for name, text in (("proc/self/mountinfo", MOUNTS), ("proc/swaps", SWAPS)):
            self.file(name, text)
        self.disk = self.block("devices/pci0/usb1/1-1/host6/block/sdx", dev="8:16")
        self.block("devices/pci0/usb1/1-1/host6/block/sdx/sdx1", dev="8:17", partition="1")
        (self.disk / "device").mkdir()
        (self.disk / "device" / "vendor").write_text("ACME    \n")
        (self.disk / "device" / "model").write_text("Stick 3000      \n")
        (self.root / "dev").mkdir()
        self.node = self.root / "dev" / "sdx"
        self.node.write_bytes(bytes(STICK_BYTES))

    def file(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def block(self, place, **files):
        """Returns a disk's folder and the link to it."""
        folder = self.root / "sys" / place
        folder.mkdir(parents=True)
        (folder / "holders").mkdir()
        defaults = {"size": STICK_BYTES // 512, "removable": 1, "ro": 0}
        for name, text in {**defaults, **files}.items():
            (folder / name).write_text(f"{text}\n")
        links = self.root / "sys" / "class" / "block"
        links.mkdir(parents=True, exist_ok=True)
        (links / folder.name).symlink_to(folder)
        return folder

    def run_it(self, device="/dev/sdx", answer="yes\n", image="image"):
        return subprocess.run([PROGRAM, "--root", self.root, self.root / image, device], input=answer,
                              text=True, capture_output=True, check=False)

    def check(self, status, sentence, **how):
        """Checks that it ends with this status and this one sentence, and has written nothing."""
        done = self.run_it(**how)
        self.assertEqual((done.returncode, done.stderr.count("usb: ")), (status, 1), done)
        self.assertIn(sentence, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        if self.node.is_file() and not self.node.is_symlink():
            self.assertEqual(self.node.read_bytes(), bytes(STICK_BYTES))

    def test_written(self):
        """it names the disk, writes all of the image, and nothing after it"""
        done = self.run_it()
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("/dev/sdx: ACME Stick 3000, 0.0 GB, on USB", done.stdout)
        self.assertIn("written: 100 %", done.stdout)
        self.assertIn("read back: 100 %", done.stdout)
        self.assertEqual(self.node.read_bytes(), IMAGE + bytes(STICK_BYTES - len(IMAGE)))

    def test_not_confirmed(self):
        """anything but yes writes nothing"""
        for answer in ("", "\n", "y\n", "no\n"):
            self.check(1, "nothing was written", answer=answer)

    def test_refused_kinds(self):
        """anything that is not a whole disk on USB is refused"""
        self.check(2, "is no disk", device="/dev/sdz")
        self.check(2, "is no disk", device="/tmp/sdx")
        self.check(2, "is a partition", device="/dev/sdx1")
        self.block("devices/virtual/block/loop0", dev="7:0")
        self.check(2, "no physical disk", device="/dev/loop0")
        internal = self.block("devices/pci0/ata1/host0/block/sda", dev="8:0")
        (internal / "device").mkdir()
        self.check(2, "not on USB", device="/dev/sda")

    def test_refused_states(self):
        """a disk that is fixed, empty, write-protected or too small is refused"""
        for name, value, sentence in (("removable", 0, "not removable"), ("size", 0, "no medium"),
                                      ("ro", 1, "write-protected"), ("size", 100, "too small: 51200 bytes")):
            before = (self.disk / name).read_text()
            (self.disk / name).write_text(f"{value}\n")
            self.check(2, sentence)
            (self.disk / name).write_text(before)

    def test_refused_users(self):
        """a disk in use is refused: itself or a partition is mounted, swapped to, or a part of something"""
        for number in ("8:16", "8:17"):
            self.file("proc/self/mountinfo", MOUNTS + f"40 22 {number} / /mnt rw - vfat /dev/x rw\n")
            self.check(2, "is mounted at /mnt")
        self.file("proc/self/mountinfo", MOUNTS)
        self.file("proc/swaps", SWAPS + "/dev/sdx1 partition 1000 0 -2\n")
        self.check(2, "/dev/sdx1 is used for swapping")
        self.file("proc/swaps", SWAPS)
        (self.disk / "sdx1" / "holders" / "dm-0").mkdir()
        self.check(2, "/dev/sdx1 is a part of dm-0")
        os.unlink(self.root / "proc" / "swaps")
        os.rmdir(self.disk / "sdx1" / "holders" / "dm-0")
        self.check(2, "cannot find out whether")

    def test_failures(self):
        """a full or missing stick, and a missing image, are errors"""
        self.node.unlink()
        self.check(3, "is gone")
        self.node.symlink_to("/dev/full")
        self.check(3, "is full")
        self.check(2, "run make first", image="none")

    def test_read_back(self):
        """one wrong byte, or a missing end, is found"""
        usb = load_program()
        for wrong, at in ((IMAGE[:-1] + b"x", len(IMAGE) - 1), (IMAGE[:70000], 70000),
                          (b"x" + IMAGE[1:], 0)):
            self.node.write_bytes(wrong)
            device = os.open(self.node, os.O_RDONLY)
            self.addCleanup(os.close, device)
            with contextlib.redirect_stdout(io.StringIO()), self.assertRaises(usb.Stop) as caught:
                usb.compare(device, IMAGE)
            self.assertEqual(caught.exception.status, 4)
            self.assertIn(f"from byte {at} on", str(caught.exception))


if __name__ == "__main__":
    taptest.main()

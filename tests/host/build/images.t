#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""iso/images: the disk images for clouds hold the same disk, words in them reach the kernel, and refusals."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import layout                           # noqa: E402
from targets import qemu                            # noqa: E402

PROGRAM = taptest.ROOT / "iso" / "images"
MB = 1 << 20
ENDINGS = ("raw", "qcow2", "vhd")
BOOT_SECONDS = 60


def run(*command, **options):
    return subprocess.run(command, text=True, check=False, capture_output=True, **options)


class Images(unittest.TestCase):

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="barecount, images "))
        self.addCleanup(shutil.rmtree, self.folder)

    def make(self, name, *words, image=layout.ISO):
        done = run(PROGRAM, image, self.folder / name, *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [(self.folder / f"{name}.{ending}").read_bytes() for ending in ENDINGS]

    def refusal(self, *arguments):
        done = run(PROGRAM, *arguments)
        self.assertEqual(done.returncode, 2, done)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        return done.stderr

    def test_same_disk(self):
        """each holds the ISO image and zeros up to a whole megabyte, and is the same a second time"""
        first = self.make("one")
        self.assertEqual(first, self.make("two"))
        raw, _, vhd = first
        iso = layout.ISO.read_bytes()
        self.assertEqual((raw[:len(iso)], set(raw[len(iso):]) - {0}, len(raw) % MB), (iso, set(), 0))
        self.assertEqual(vhd[:-512], raw)
        for ending, form in (("qcow2", "qcow2"), ("vhd", "vpc")):
            same = run("qemu-img", "compare", "-f", form, "-F", "raw", self.folder / f"one.{ending}",
                       self.folder / "one.raw")
            self.assertEqual((same.returncode, same.stdout), (0, "Images are identical.\n"), same)

    def test_footer(self):
        """the last sector of a VHD is the footer of its format, with the sum of its bytes"""
        footer = self.make("one")[2][-512:]
        stored = int.from_bytes(footer[64:68], "big")
        self.assertEqual(footer[:8], b"conectix")
        self.assertEqual(stored, ~(sum(footer) - sum(footer[64:68])) & 0xffffffff)
        self.assertEqual(int.from_bytes(footer[48:56], "big") % MB, 0)
        self.assertEqual(int.from_bytes(footer[60:64], "big"), 2, "the type: fixed")
        cylinders, heads, sectors = int.from_bytes(footer[56:58], "big"), footer[58], footer[59]
        size = int.from_bytes(footer[48:56], "big") // 512
        self.assertTrue(0 <= size - cylinders * heads * sectors < heads * sectors, footer[56:60])

    def test_words(self):
        """words reach the kernel without a key, and change nothing else"""
        plain, words = self.make("plain")[0], self.make("words", "only=summary", "console=com1", "leave=f4")[0]
        self.assertLess(sum(a != b for a, b in zip(plain, words)), 1200)
        booted = run(qemu.binary(), "-nodefaults", "-no-reboot", "-display", "none", "-cpu", "Nehalem", "-serial",
                     "stdio", "-device", "isa-debug-exit,iobase=0xf4,iosize=0x4", "-drive",
                     "format=qcow2,file.filename=" + str(self.folder / "words.qcow2").replace(",", ",,"),
                     timeout=BOOT_SECONDS)
        self.assertIn("\n1..1\nok 1 - summary\n", booted.stdout.replace("\r", ""))
        self.assertEqual(booted.returncode, 7, "all is well, and there is no PMU")

    def test_refusals(self):
        """what cannot be done is said in one sentence, with status 2"""
        base = self.folder / "image"
        self.assertIn("is missing; run make first", self.refusal(self.folder / "none.iso", base))
        self.assertIn("'only=\"a\"' has a blank, a quote", self.refusal(layout.ISO, base, 'only="a"'))
        self.assertIn("characters too many", self.refusal(layout.ISO, base, "only=" + "a" * 2000))
        self.assertIn("No such file", self.refusal(layout.ISO, self.folder / "none" / "image"))
        (self.folder / "other.iso").write_bytes(bytes(MB))
        self.assertIn("has no place for words", self.refusal(self.folder / "other.iso", base, "list"))
        for ending in ENDINGS:
            (self.folder / f"full.{ending}").symlink_to("/dev/full")
        self.assertIn("No space left", self.refusal(layout.ISO, self.folder / "full"))


if __name__ == "__main__":
    taptest.main()

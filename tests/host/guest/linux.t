#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/linux/run without a boot: its table, its judge on made-up logs, the memory with which Linux starts."""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

from runner.campaigns import matrix     # noqa: E402
from runner.guests import linux_image, linux_judge     # noqa: E402
from runner.problems import Problem                     # noqa: E402

RUN = taptest.TESTS / "linux" / "run"
GOOD = """\
bits 40
turns 7d0
turn 4 1
samples instructions 18c
log <6>[    1.0] Performance Events: PEBS fmt1+, Nehalem events, 16-deep LBR, Intel PMU driver.
log <6>[    1.0] ... version:                3
log <6>[    1.0] ... bit width:              48
log <6>[    1.0] ... generic registers:      4
log <6>[    1.0] ... value mask:             0000ffffffffffff
log <6>[    1.0] ... fixed-purpose events:   3
log <4>[    0.0] unchecked MSR access error: RDMSR from 0x8b at rIP: 0xffffffff8104d837
watchdog 1
nmis 1 3
count instructions fab 2eeb
count branches 3eb bbb
faults 3e8
fault instructions 14b4 10cc
fault branches 802 41a
fault 1c4 3e8 3e8
pebs instructions 1 samples 18c inside 18c exact 0
pebs instructions 2 samples 18c inside 18c exact 17d
end
"""
# (the change, the one result that must fail)
BAD = (
    ("bits 40", "bits 20", "linux.bits"),
    ("Nehalem events", "Core2 events", "linux.driver"),
    ("16-deep LBR, ", "", "linux.lbr"),
    ("PEBS fmt1+", "PEBS fmt0+", "linux.pebs"),
    ("version:                3", "version:                2", "linux.version"),
    ("registers:      4", "registers:      3", "linux.counters"),
    ("width:              48", "width:              40", "linux.width"),
    ("events:   3", "events:   0", "linux.fixed"),
    ("0000ffff", "000000ff", "linux.mask"),
    ("RDMSR from 0x8b", "WRMSR to 0x38f", "linux.registers"),
    ("watchdog 1", "log Broken BIOS detected\nwatchdog 1", "linux.complaints"),
    ("watchdog 1", "watchdog 0", "linux.watchdog.enabled"),
    ("nmis 1 3", "nmis 1 1", "linux.watchdog.ticks"),
    ("fab 2eeb", "fab 2eec", "linux.count.instructions"),
    ("3eb bbb", "error 5f", "linux.count.branches"),
    ("14b4", "10cc", "linux.fault.instructions"),
    ("802", "bea", "linux.fault.branches"),
    ("fault 1c4 3e8 3e8", "fault 1c4 7d0 3e8", "linux.fault.conditional"),
    ("1 samples 18c inside 18c", "1 samples 0 inside 0", "linux.pebs.1.samples"),
    ("1 samples 18c inside 18c", "1 samples 18c inside 18b", "linux.pebs.1.inside"),
    ("2 samples 18c inside 18c exact 17d", "2 samples 9 inside 9 exact 9", "linux.pebs.2.samples"),
    ("exact 17d", "exact 0", "linux.pebs.2.exact"),
)


class Judge(unittest.TestCase):
    def failed(self, text, cpu="corei5_lynnfield_750"):
        row = linux_judge.expected(cpu)
        claims = linux_judge.judge(row, text.splitlines())
        return [claim.name for claim in claims if not claim.is_good]

    def test_good(self):
        """a correct boot passes"""
        self.assertEqual(self.failed(GOOD), [])

    def test_bad(self):
        """each mistake fails its own result, and no other"""
        for old, new, name in BAD:
            self.assertIn(old, GOOD)
            self.assertEqual(self.failed(GOOD.replace(old, new)), [name], new)

    def test_interrupts(self):
        """where a processor's interrupts were measured, both counts have their weight, and there were some"""
        for said, wrong in (("10 10 8", []), ("8 10 8", ["instructions"]), ("10 8 8", ["branches"]),
                            ("4 4 2", ["ticks"]), ("0 0 0", ["ticks"])):
            names = self.failed(f"{GOOD}interrupt cf {said}\n", "zambezi")
            self.assertEqual([name for name in names if "interrupt" in name],
                             [f"linux.interrupt.{name}" for name in wrong], said)
        self.assertIn("linux.interrupt.ticks", self.failed(GOOD, "zambezi"))

    def test_nothing(self):
        """a silent program passes only the claims about lines that must be absent"""
        passed = {"linux.registers", "linux.complaints"}
        every = {claim.name for claim in
                 linux_judge.judge(linux_judge.expected("corei5_lynnfield_750"), [])}
        self.assertEqual(every - set(self.failed("")), passed)

    def test_refused(self):
        """without PEBS samples are as wrong as another error"""
        text = GOOD.replace("Performance Events: PEBS fmt1+, Nehalem events, 16-deep LBR, Intel",
                            "Performance Events: p6")
        for said, failed in (("error 5f", False), ("error 16", True), ("samples 18c", True)):
            names = self.failed(text.replace("2 samples 18c inside 18c exact 17d", f"2 {said}"),
                                "p3_katmai")
            self.assertEqual("linux.pebs.2.refused" in names, failed, said)


class Table(unittest.TestCase):
    def test_rows(self):
        """each row of the matrix has one in the table, and the other way round"""
        wanted = {(row.cpu, row.bits) for row in linux_judge.rows()}
        run = set()
        for row in matrix.rows().values():
            if row.target.startswith("linux:") and not any(word.startswith("program=") for word in row.words):
                bits = [int(word[5:]) for word in row.words if word.startswith("bits=")]
                poses = "".join(f" {word}" for word in row.words if word.startswith("as="))
                found = linux_judge.expected(row.target[6:] + poses, *bits)
                run.add((found.cpu, found.bits))
        self.assertEqual(run, wanted)

    def test_wrong(self):
        """a row with a field too few, a word for a number, or another word is refused"""
        head = linux_judge.TABLE.read_text(encoding="utf-8").splitlines()
        head = next(line for line in head if line.startswith("cpu,"))
        for row in ("a,32,b,0,2,32,0,-,-,no,-,-,-", "a,32,b,0,two,32,0,-,-,no,-,-,-,-",
                    "a,32,b,0,2,32,0,-,-,perhaps,-,-,-,-", "a,32,b,0,2,32,0,-,-,no,-,-,-,cf:2"):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "cpus.csv"
                path.write_text(f"{head}\n{row}\n", encoding="utf-8")
                with self.assertRaises(Problem, msg=row):
                    linux_judge.rows(path)


class Image(unittest.TestCase):
    def test_flat(self):
        """an ELF file of either width lies in memory as its segments say"""
        place = linux_image.KERNEL
        wide = struct.pack("<4sB", b"\x7fELF", 2).ljust(24, b"\0") + struct.pack("<QQ", place, 64)
        wide = wide.ljust(54, b"\0") + struct.pack("<HH", 56, 1)
        wide = wide.ljust(64, b"\0") + struct.pack("<IIQQQQ", 1, 0, 120, 0, place + 2, 3)
        wide = wide.ljust(120, b"\0") + b"abc"
        self.assertEqual(linux_image.flat(wide), (b"\0\0abc", place, True))
        thin = struct.pack("<4sB", b"\x7fELF", 1).ljust(24, b"\0") + struct.pack("<II", place, 52)
        thin = thin.ljust(42, b"\0") + struct.pack("<HH", 32, 1)
        thin = thin.ljust(52, b"\0") + struct.pack("<5I", 1, 84, 0, place, 3)
        thin = thin.ljust(84, b"\0") + b"abc"
        self.assertEqual(linux_image.flat(thin), (b"abc", place, False))

    def test_not_linux(self):
        """a file that is not a kernel is refused"""
        with self.assertRaises(Problem):
            linux_image.unpack(b"\0" * 4096)

    def test_zstd(self):
        """a payload by zstd is unpacked; a damaged one, and a host without zstd, are a sentence each"""
        packed = subprocess.run(["zstd", "-c"], input=b"kernel", capture_output=True, check=True).stdout
        self.assertEqual(linux_image.unpack_zstd(packed), b"kernel")
        with self.assertRaisesRegex(Problem, "zstd cannot unpack"):
            linux_image.unpack_zstd(packed[:-3])
        with mock.patch.dict(os.environ, PATH="/nonexistent"), self.assertRaisesRegex(Problem, "zstd is missing"):
            linux_image.unpack_zstd(packed)

    def test_large(self):
        """an initramfs that does not fit below the kernel comes behind it, beyond what Linux clears"""
        room = linux_image.KERNEL - linux_image.INITRAMFS
        with mock.patch.object(linux_image, "unpack", lambda packed: packed), \
                mock.patch.object(linux_image, "flat", lambda elf: (b"K" * 5000, 0, True)), \
                mock.patch.object(linux_image, "starter", lambda *rest: repr(rest[-1]).encode()):
            for size, at in ((room, linux_image.INITRAMFS), (room + 1, linux_image.KERNEL + linux_image.BSS_ROOM
                                                             + linux_image.HUGE_PAGE)):
                image = linux_image.whole(b"", b"", b"A" * size, [])
                self.assertTrue(image.startswith(repr((at, size)).encode()), image[:40])
                place = at - linux_image.START
                self.assertEqual(image[place:place + size], b"A" * size)
                place = linux_image.KERNEL - linux_image.START
                self.assertEqual(image[place:place + 5000], b"K" * 5000)

    def test_archive(self):
        """cpio's own rule: each file's name and content begin at a multiple of four"""
        archive = linux_image.archive([("proc", linux_image.FOLDER, b""), ("init", linux_image.PROGRAM, b"12345")])
        self.assertEqual(len(archive) % 4, 0)
        self.assertEqual(archive.count(b"070701"), 3)
        self.assertIn(b"init\0", archive)


class Command(unittest.TestCase):
    def test_wrong(self):
        """wrong words are one sentence and status 2"""
        for words in (["model:p3_katmai"], ["linux:i386"], ["linux:p3_katmai", "only=x"],
                      ["linux:p3_katmai", "bits=64"]):
            done = subprocess.run([RUN, *words], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)


taptest.main()

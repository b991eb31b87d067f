#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Snapshots of the model: an unsaved member of its state is found; 32 and 64 bits save the same bytes."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner.checks import saved                     # noqa: E402

STREAM = "tests/unit/model/saving/saved_stream.c"
STRING = "kernel/lib/string.c"
ROWS = 14                       # of world_rows
STEPS = 6000
HEADER = """\
struct refpmu_machine {
	uint32_t changes, *other;      /* of: something; else */
	struct part part[2];
};
struct part { bool is_set, is_lost; };
struct refpmu_package {                /* with a union */
	union {
		struct part whole;
		struct {
			bool is_set;
		};
	};
};
struct refpmu_core { uint8_t n; };
struct refpmu_cpu { uint8_t n; };
"""
TABLES = """\
	SAVED(refpmu_machine, uint32_t, changes)
	NOT_SAVED(refpmu_machine, "a pointer, so", other)
	SAVED_PART(refpmu_machine, part, part)
	SAVED(part, bool, is_set,
	      is_lost)
	SAVED_PART(refpmu_package, part, whole)
	SAVED_TO(refpmu_core, uint8_t, (1 << 2) - 1, n)
NOT_SAVED(refpmu_cpu, BY_SOMETHING, n)
"""


class Rows(unittest.TestCase):

    def said(self, header, tables):
        return [line.removeprefix("model/saving: ")
                for line in saved.breaches(saved.members(header), saved.rows(tables))]

    def changed(self, old, new):
        """Returns the complaints about the tables after this replacement."""
        self.assertEqual(TABLES.count(old), 1)
        return self.said(HEADER, TABLES.replace(old, new))

    def test_complete(self):
        """a row for each member is enough"""
        self.assertEqual(self.said(HEADER, TABLES), [])

    def test_forgotten(self):
        """a member without a row is named, and a struct whose rows are gone"""
        self.assertEqual(self.said(HEADER.replace("is_lost; };", "is_lost; uint8_t more; };"), TABLES),
                         ["struct part: more has no row: write SAVED, or NOT_SAVED with a reason"])
        self.assertEqual(self.changed("\tSAVED_TO(refpmu_core, uint8_t, (1 << 2) - 1, n)\n", ""),
                         ["struct refpmu_core: n has no row: write SAVED, or NOT_SAVED with a reason"])

    def test_wrong(self):
        """a row must be for a member, and have its type; pointers are not saved; reasons are given"""
        self.assertEqual(self.changed("uint32_t, changes", "uint64_t, changes"),
                         ["struct refpmu_machine: changes is saved as uint64_t, and is uint32_t"])
        self.assertEqual(self.changed('NOT_SAVED(refpmu_machine, "a pointer, so", other)',
                                      "SAVED(refpmu_machine, uint32_t, other)"),
                         ["struct refpmu_machine: other is a pointer: it cannot be saved"])
        self.assertEqual(self.changed('"a pointer, so"', '""'),
                         ["struct refpmu_machine: other is not saved, and no reason is given"])
        self.assertEqual(self.changed("is_lost", "is_lost, was_set"),
                         ["struct part: a row names was_set, which is no member"])
        self.assertEqual(self.changed("is_lost", "is_lost, is_set"), ["struct part: a member has two rows"])


class Widths(unittest.TestCase):
    """The same calls in a program of 32 bits, without a C library, and in one of 64 bits."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="barecount-saved-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.builds = {bits: cls.build(bits) for bits in (64, 32)}
        for bits, (made, said) in cls.builds.items():
            if made.wait():
                raise AssertionError(f"{bits} bits: {said.read_text()}")
            linked = cls.run_it(*cls.link(bits))
            if linked.returncode:
                raise AssertionError(f"{bits} bits: {linked.stderr.decode()}")

    @classmethod
    def build(cls, bits):
        """Starts to build the library; returns the process and its output's path."""
        output = cls.folder / f"{bits}.log"
        clean = {key: os.environ[key] for key in os.environ if not key.startswith("M")}
        with output.open("w", encoding="utf-8") as log:
            return subprocess.Popen(["make", "-s", "-j2", "-C", taptest.ROOT / "model",
                                     f"BUILD={cls.folder}/{bits}", f"CFLAGS=-O1 -w -fno-pic -m{bits}"],
                                    env=clean, stdout=log, stderr=log), output

    @classmethod
    def link(cls, bits):
        """Returns the command that links the program."""
        multiarch = cls.run_it("gcc", "-print-multiarch").stdout.decode().strip()
        return ("gcc", f"-m{bits}", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-ffreestanding",
                "-fno-pic", "-fno-stack-protector", "-nostdlib", "-static", "-no-pie",
                "-Wl,-z,noexecstack", "-I.", "-idirafter", f"/usr/include/{multiarch}",
                "-idirafter", "/usr/include", STREAM, STRING,
                cls.folder / str(bits) / "librefpmu.a", "-o", cls.folder / f"stream{bits}")

    @staticmethod
    def run_it(*command, given=b""):
        return subprocess.run([str(word) for word in command], cwd=taptest.ROOT, input=given, check=False,
                              capture_output=True)

    def stream(self, bits, row, steps, given=b""):
        """Runs the machine of a row from what is given, or from its start; returns what it is then."""
        done = self.run_it(self.folder / f"stream{bits}",
                           given=bytes([row, steps & 0xff, steps >> 8]) + given)
        self.assertEqual(done.returncode, 0, f"{bits} bits, row {row}: {done.stderr}")
        return done.stdout

    def test_widths(self):
        """32 and 64 bits save the same bytes, and each continues with the other's"""
        try:
            self.run_it(self.folder / "stream32", given=bytes(3))
        except OSError as error:        # a kernel without CONFIG_IA32_EMULATION
            self.skipTest(f"this system runs no program of 32 bits: {error.strerror}")
        for row in range(ROWS):
            first = {bits: self.stream(bits, row, STEPS) for bits in (32, 64)}
            self.assertEqual(first[32], first[64], f"row {row}")
            then = {bits: self.stream(bits, row, STEPS, first[96 - bits]) for bits in (32, 64)}
            self.assertEqual(then[32], then[64], f"row {row}")
            self.assertEqual(then[64], self.stream(64, row, 2 * STEPS), f"row {row}")
            self.assertNotEqual(then[64], first[64])


if __name__ == "__main__":
    taptest.main()

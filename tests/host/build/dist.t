#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A release: names, sums, the same bytes twice, a model that compiles alone."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import version                          # noqa: E402

# A user of the model, with its header alone and its library.
USER = """\
#include <arch/regs/perfmon.h>
#include <model/refpmu.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	const struct refpmu_identity haswell = { .cpuid_1_eax = 0x306C3, .cpuid_1_edx = 0xBFEBFBFF };
	const struct refpmu_host host = { 0 };
	uint64_t value = 0;

	struct refpmu_machine *machine = refpmu_machine_create(malloc(refpmu_machine_size()));
	struct refpmu_package *package = refpmu_package_create(malloc(refpmu_package_size(haswell)),
	                                                     machine, haswell);
	struct refpmu_core *core = refpmu_core_create(malloc(refpmu_core_size(haswell)), package, haswell, 1);
	struct refpmu_cpu *cpu = refpmu_cpu_create(malloc(refpmu_cpu_size(core)), core, &host);

	refpmu_wrmsr(cpu, IA32_PMC(0), 1234);
	refpmu_rdpmc(cpu, 0, 0, true, &value);
	printf("%llu\\n", (unsigned long long)value);
	return 0;
}
"""
USER_FLAGS = ("-std=c11", "-Wall", "-Wextra", "-Werror")


def run(*command, **options):
    return subprocess.run(command, text=True, check=False, capture_output=True, **options)


def digest(path):
    return run("sha256sum", path).stdout.split()[0]


class Dist(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="barecount, a release "))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.made = run(taptest.TESTS / "dist", cls.folder / "dist")
        is_dirty = run("git", "status", "--porcelain", cwd=taptest.ROOT).stdout
        cls.version = version.read()[0] + ("-dirty" if is_dirty else "")
        cls.model = f"barecount-model-{cls.version}"
        cls.debian = [f"barecount_{version.read()[0]}.{end}" for end in ("dsc", "tar.xz")]

    @staticmethod
    def sources():
        """Returns the names of all files of the checkout."""
        return run("git", "ls-files", cwd=taptest.ROOT).stdout.splitlines()

    def test_source(self):
        """the tarball of all sources has the files of the checkout, and no other"""
        name = f"barecount-source-{self.version}"
        listed = run("tar", "-tf", self.folder / "dist" / f"{name}.tar.xz").stdout.splitlines()
        self.assertEqual(sorted(listed), sorted(f"{name}/{path}" for path in self.sources()))

    def test_debian_version(self):
        """Debian's changelog begins with the version of the kernel"""
        head = (taptest.ROOT / "debian/changelog").read_text(encoding="utf-8").splitlines()[0]
        self.assertEqual(head.split()[1], f"({version.read()[0]})")

    def test_names(self):
        """each name has the version, and says when the checkout is not as it was committed"""
        self.assertEqual(self.made.returncode, 0, self.made.stderr)
        wanted = [*(f"barecount-{self.version}.{ending}" for ending in ("iso", "raw", "qcow2", "vhd")),
                  f"{self.model}.tar.xz",
                  f"barecount-source-{self.version}.tar.xz", *self.debian,
                  f"barecount32-{self.version}.elf", f"barecount64-{self.version}.elf",
                  f"barecount-pvh-{self.version}.elf", "SHA256SUMS"]
        self.assertEqual(sorted(os.listdir(self.folder / "dist")), sorted(wanted))

    def test_sums(self):
        """the sums are those of the files, and a changed byte is seen"""
        self.assertEqual(len((self.folder / "dist" / "SHA256SUMS").read_text().splitlines()), 11)
        check = ("sha256sum", "--check", "--strict", "SHA256SUMS")
        self.assertEqual(run(*check, cwd=self.folder / "dist").returncode, 0)
        copy = shutil.copytree(self.folder / "dist", self.folder / "changed")
        with open(copy / f"barecount32-{self.version}.elf", "r+b") as file:
            file.write(b"\0")
        self.assertEqual(run(*check, cwd=copy).returncode, 1)

    def test_same(self):
        """a second time all is the same, byte for byte, though the sources' times are others"""
        other = self.folder / "checkout"
        for name in (*self.sources(), "build/barecount.iso", "build/barecount32.elf", "build/barecount64.elf",
                     "build/barecount-pvh.elf"):
            (other / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(taptest.ROOT / name, other / name)
        done = run("sh", "tests/dist", self.folder / "again", cwd=other)
        self.assertEqual(done.returncode, 0, done.stderr)
        plain = version.read()[0]               # there is no history there
        for name in ("barecount-{}.iso", "barecount32-{}.elf", "barecount64-{}.elf"):
            self.assertEqual(digest(self.folder / "dist" / name.format(self.version)),
                             digest(self.folder / "again" / name.format(plain)))
        if plain == self.version:
            for name in (f"{self.model}.tar.xz", f"barecount-source-{plain}.tar.xz", *self.debian):
                self.assertEqual(digest(self.folder / "dist" / name), digest(self.folder / "again" / name), name)
            return
        self.assertEqual(run("sh", "tests/dist", self.folder / "once more", cwd=other).returncode, 0)
        self.assertEqual((self.folder / "again" / "SHA256SUMS").read_text(),
                         (self.folder / "once more" / "SHA256SUMS").read_text())

    def test_model(self):
        """the model compiles alone, and its header can be used"""
        folder = self.folder / "unpacked"
        folder.mkdir()
        self.assertEqual(run("tar", "-xf", self.folder / "dist" / f"{self.model}.tar.xz",
                             cwd=folder).returncode, 0)
        root = folder / self.model
        for name in ("LICENSE", "README.md", "model/refpmu.pc.in", "model/example/toy.c"):
            self.assertTrue((root / name).exists(), name)
        (root / "user.c").write_text(USER)
        clean = {key: os.environ[key] for key in os.environ if not key.startswith("M")}
        made = run("make", "-s", "-j2", "-C", "model", "CFLAGS=-O0 -Werror", cwd=root, env=clean)
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        linked = run("gcc", *USER_FLAGS, "-I.", "user.c", "build/librefpmu.a", "-o", "user",
                     cwd=root)
        self.assertEqual(linked.returncode, 0, linked.stderr)
        self.assertEqual(run(root / "user").stdout, "1234\n")

    def test_foreign(self):
        """a folder that has anything but a release is refused, and nothing in it is deleted; a release is replaced"""
        foreign = self.folder / "foreign"
        shutil.copytree(self.folder / "dist", foreign)
        (foreign / "barecount-notes").write_text("mine")
        done = run(taptest.TESTS / "dist", foreign)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("barecount-notes is not of a release", done.stderr)
        self.assertEqual(sorted(os.listdir(foreign)), sorted([*os.listdir(self.folder / "dist"), "barecount-notes"]))
        (foreign / "barecount-notes").unlink()
        self.assertEqual(run(taptest.TESTS / "dist", foreign).returncode, 0)
        file = self.folder / "file"
        file.write_text("mine")
        self.assertIn("file is not a folder", run(taptest.TESTS / "dist", file).stderr)
        self.assertEqual(file.read_text(), "mine")

    def test_version(self):
        """the version in a log of what is released is the one in its name"""
        boot = taptest.Run("qemu:Nehalem", "via=kernel", "only=rdtsc.mode.cpl0")
        if boot.status == 77:
            self.skipTest(boot.err[-1])
        said = re.search(r"^# Barecount (\S+), schema \d+, 32-bit$", "\n".join(boot.out), re.M)
        self.assertEqual(said[1], self.version.removesuffix("-dirty"), boot)
        self.assertEqual(digest(self.folder / "dist" / f"barecount32-{self.version}.elf"),
                         digest(taptest.ROOT / "build" / "barecount32.elf"))

    def test_nothing_built(self):
        """if nothing is built a sentence says so, and no file remains"""
        empty = self.folder / "empty"
        for name in ("kernel/lib/version.h", "tests/dist"):
            (empty / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(taptest.ROOT / name, empty / name)
        done = run("sh", "tests/dist", empty / "dist", cwd=empty)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "dist: build/barecount.iso is missing; run make first\n"))
        self.assertEqual(sorted(os.listdir(empty)), ["kernel", "tests"])


if __name__ == "__main__":
    taptest.main()

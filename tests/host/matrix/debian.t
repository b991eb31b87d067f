#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The Debian package: builds from the sources alone, has what it promises, and boots a machine."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import version                          # noqa: E402

TOOLS = ("dpkg-buildpackage", "dh", "lintian")
# The kernels are programs for no operating system, and the changelog belongs to no upload to Debian.
ALLOWED = ("initial-upload-closes-no-bugs",)
PROMISED = {
    "barecount": ("usr/bin/barecount", "usr/share/man/man1/barecount.1.gz",
                  "usr/share/bash-completion/completions/barecount",
                  "usr/lib/barecount/build/barecount.iso", "usr/lib/barecount/build/barecount32.elf",
                  "usr/lib/barecount/build/barecount64.elf", "usr/lib/barecount/build/barecount32.tests",
                  "usr/lib/barecount/build/barecount64.tests",
                  "usr/lib/barecount/build/netboot/boot/grub/grub.cfg",
                  "usr/share/doc/barecount/monitor.md", "usr/lib/barecount/docs/lessons/01-first-counter.md"),
    "librefpmu-dev": ("usr/include/refpmu.h", "usr/include/refpmu_kinds.h"),
}


def run(*command, **options):
    return subprocess.run(command, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)


@unittest.skipUnless(all(map(shutil.which, TOOLS)), f"not all of {', '.join(TOOLS)} are installed")
class Debian(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="barecount-package-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        source = cls.folder / "barecount"
        for name in run("git", "ls-files", cwd=taptest.ROOT).stdout.splitlines():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(taptest.ROOT / name, source / name)
        clean = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
        cls.built = run("dpkg-buildpackage", "-us", "-uc", "-b", cwd=source, env=clean)
        for package in PROMISED:
            for file in cls.folder.glob(f"{package}_*.deb"):
                run("dpkg-deb", "-x", file, cls.folder / package)

    def setUp(self):
        self.program = self.folder / "barecount/usr/bin/barecount"
        self.assertEqual(self.built.returncode, 0, self.built.stdout[-4000:])

    def test_contents(self):
        """the packages have the kernels, the images, the program, its man page and the library"""
        for package, names in PROMISED.items():
            for name in names:
                self.assertTrue((self.folder / package / name).exists(), name)
        self.assertTrue(list(self.folder.glob("librefpmu-dev/usr/lib/*/librefpmu.a")))

    def test_lintian(self):
        """lintian finds no error"""
        found = run("lintian", "--fail-on", "error", "--suppress-tags", ",".join(ALLOWED),
                    *self.folder.glob("*.changes"))
        self.assertEqual(found.returncode, 0, found.stdout)

    def test_boot(self):
        """the unpacked program boots QEMU, writes its log to the user's folder and ends with a verdict"""
        home = self.folder / "home"
        environment = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": "", "BARECOUNT_LOGS": ""}
        done = run(self.program, "qemu:Nehalem", "only=rdtsc.*", env=environment)
        self.assertIn("\n# verdict: PASS", done.stdout)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(list((home / ".local/state/barecount").glob("*Nehalem*.log"))), 2)
        page = self.folder / "page.html"
        (self.folder / "run.log").write_text(done.stdout)
        done = run(self.program, "report", "-o", page, self.folder / "run.log", env=environment)
        self.assertEqual((done.returncode, page.exists()), (0, True), done.stdout)

    def test_name(self):
        """the program and its commands speak of themselves by their installed names, and of installed files"""
        for words, status, said in (
                (["--version"], 0, f"barecount {version.read()[0]}\n"), (["--help"], 0, "usage: barecount [--junit FILE]"),
                (["monitor", "--help"], 0, "usage: barecount monitor TARGET"), (["learn", "-h"], 0, "usage: barecount learn ["),
                (["report", "-h"], 0, "usage: barecount report ["), (["qmu:Nehalem"], 2, "barecount: 'qmu:Nehalem' is not a target"),
                (["reprot", "a.log"], 2, "barecount: 'reprot' is not a target (did you mean report?)"),
                (["monitor", "qmu:x"], 2, "barecount monitor: 'qmu:x' is not a target"),
                (["report", "none"], 2, "barecount report: ")):
            with self.subTest(words):
                done = run(self.program, *words)
                self.assertEqual(done.returncode, status, done.stdout)
                self.assertTrue(done.stdout.startswith(said), done.stdout)
                self.assertNotIn("tests/", done.stdout)

    def test_clean(self):
        """the program writes nothing beside the installed files"""
        home = self.folder / "barecount/usr/lib/barecount"
        run(self.program, "--version")
        self.assertEqual([*home.rglob("*.pyc"), *home.rglob("pycache")], [])


if __name__ == "__main__":
    taptest.main()

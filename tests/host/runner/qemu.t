#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""QEMU=PATH boots with that binary and its version's deviations; the log names it; what is no QEMU is refused."""
import os
import subprocess
import sys
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import logfile                          # noqa: E402
from runner.people import anonymise                 # noqa: E402

BLOCK = '  ---\n  severity: fail\n  what: "IA32_PMC0"\n  got: "7"\n  want: "8"\n  repeat: "only=a"\n  ...\n'
FAILING = taptest.checked(f"TAP version 13\n{taptest.HEAD}1..2\nnot ok 1 - a\n{BLOCK}ok 2 - b\n# end of run: status 1\n")
RECORDED = "targets,id,what,got,reason,source,severity\n*@9.*,a,*,7,known,somewhere,\n"
FAKE = "qemu:fake"


class OwnQemu(taptest.Checkout):

    def setUp(self):
        super().setUp()
        self.contents("a", "b")
        self.emulator(FAILING)
        self.own = self.root / "of bob" / "qemu-own"
        self.own.parent.mkdir()
        self.own.write_text((self.bin / "qemu-system-x86_64").read_text().replace("version 0.1", "version 9.2"))
        self.own.chmod(0o755)
        (self.root / "tests" / "targets" / "deviations" / "qemu.csv").write_text(RECORDED)

    def boot_with(self, qemu, *arguments, **options):
        with mock.patch.dict(os.environ, {"QEMU": str(qemu)}):
            return self.boot(*arguments, **options)

    def test_own(self):
        """the binary boots, with the deviations of its version; the one in PATH has others and is not named"""
        run = self.boot_with(self.own, FAKE)
        self.check(run, 0)
        self.assertEqual(run.out[1:3], [f"# target: {FAKE}", f"# QEMU: {self.own}, 9.2"])
        self.assertIn("not ok 1 - a # TODO known (somewhere)", run.out)
        for plain in (self.boot(FAKE), self.boot_with("", FAKE)):
            self.check(plain, 1)
            self.assertFalse([line for line in plain.out if "QEMU" in line])

    def test_relative(self):
        """a path from the current folder, and a name in PATH, are found; the log has the whole path"""
        for name, folder in (("./qemu-own", self.own.parent), ("qemu-system-x86_64", "/")):
            run = self.boot_with(name, FAKE, cwd=folder)
            self.assertRegex(run.out[2], rf"^# QEMU: {self.root}/.*/{name.removeprefix('./')}, ")

    def test_repeat(self):
        """the line that repeats a failure names the binary, so that a shell takes it"""
        run = self.boot_with(self.own, FAKE, "only=*")
        command = next(line for line in run.out if line.startswith("  repeat: "))
        self.assertIn(f"env 'QEMU={self.own}' tests/boot {FAKE} only=a", command)

    def test_log(self):
        """the log is read as a whole one, and tests/anonymise takes the binary's folder out of it"""
        path = self.root / "own.log"
        path.write_text("".join(f"{line}\n" for line in self.boot_with(self.own, FAKE, "only=*").out))
        self.assertEqual(logfile.read(path).qemu, f"{self.own}, 9.2")
        done = subprocess.run([taptest.TESTS / "anonymise", path], text=True, capture_output=True, check=True)
        self.assertNotIn("bob", done.stdout)
        self.assertIn("\n# QEMU: qemu-own, 9.2\n", done.stdout)
        self.assertIn("env 'QEMU=qemu-own' tests/boot", done.stdout)
        self.assertIn("took out the folder of QEMU", done.stderr)
        self.assertEqual(anonymise.anonymised(done.stdout), (done.stdout, []))

    def test_refused(self):
        """what is no program, or no QEMU, ends with one sentence and status 2"""
        text, broken = self.root / "text", self.root / "broken"
        text.write_text("no program")
        broken.write_bytes(b"\x7fELFnoise")
        broken.chmod(0o755)
        for path, sentence in ((self.root / "none", "names no program: give the path of a qemu-system-x86_64, or unset QEMU"),
                               (self.root, "names no program"), (text, "names no program"),
                               ("/bin/echo", 'names no QEMU: it does not print "QEMU emulator version" for --version'),
                               ("/bin/false", "ends with status 1"), (broken, "cannot be started: Exec format error")):
            with self.subTest(path):
                run = self.boot_with(path, FAKE)
                self.check(run, 2, sentence)
                self.assertIn(str(path), run.err[0])
                self.assertEqual(run.out, [])

    def test_gave_up(self):
        """a binary that never runs the guest, such as one away from its firmware, is told from a guest that dies"""
        self.emulator("", then="echo 'qemu: could not load PC BIOS' >&2; exit 1")
        self.check(self.boot(FAKE), 2, "the emulator gave up before it ran the guest (the emulator's last words: "
                                       "qemu: could not load PC BIOS)")
        self.emulator("")
        self.check(self.boot(FAKE), 2, "without a line of TAP: a triple fault, or the kernel left early or did not start")


if __name__ == "__main__":
    taptest.main()

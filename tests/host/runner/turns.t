#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/boot with several targets and with --junit: the table, the worst status, the file, and what is refused before a boot."""
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

BLOCK = '  ---\n  severity: fail\n  what: "IA32_PMC0"\n  got: "7"\n  want: "8"\n  ...\n'
PASSING = taptest.checked(f"TAP version 13\n{taptest.HEAD}1..1\nok 1 - a\n# end of run: status 0\n")
MIXED = taptest.checked(f"TAP version 13\n{taptest.HEAD}1..3\nok 1 - a\nnot ok 2 - b\n{BLOCK}"
                        "ok 3 - c # SKIP CPUID.1:EDX[9] = 0\n# end of run: status 1\n")
FAKE, OTHER, NOWHERE = "qemu:fake", "qemu:fake,pmu=off", "qemu:SapphireRapids"
# The second target has one failed result, the first one none.
OTHER_FAILS = 'case $* in *pmu=off*) cat "{}" > "$serial" ;; *) cat "{}" > "$serial" ;; esac'


class Turns(taptest.Checkout):

    def setUp(self):
        super().setUp()
        self.file = self.root / "result, of a run.xml"

    def suites(self):
        """Returns the suites in the file by name, each with its counts and its cases."""
        root = ET.parse(self.file).getroot()
        self.assertEqual(root.tag, "testsuites")
        return {each.get("name"): each for each in root}

    def counts(self, suite):
        return [suite.get(key) for key in ("tests", "failures", "errors", "skipped")]

    def two(self):
        """Makes one target pass and the other one fail."""
        self.contents("a", "b", "c")
        passing = MIXED.replace(f"not ok 2 - b\n{BLOCK}", "ok 2 - b\n").replace("status 1", "status 0")
        for name, text in (("good", taptest.resummed(passing)), ("bad", MIXED)):
            (self.root / name).write_text(text)
        self.emulator("", OTHER_FAILS.format(self.root / "bad", self.root / "good"))

    def test_junit(self):
        """--junit writes ids, the reason of a skip, the values of a failure and the time; the output is the same"""
        self.contents("a", "b", "c")
        self.emulator(MIXED)
        plain = self.boot(FAKE)
        for option in (("--junit", self.file), (f"--junit={self.file}",)):
            run = self.boot(FAKE, *option)
            self.check(run, 1)
            self.assertEqual(run.out, plain.out)
            suite = self.suites()[FAKE]
            self.assertEqual(self.counts(suite), ["3", "1", "0", "1"])
            self.assertEqual([(case.get("classname"), case.get("name")) for case in suite],
                             [("qemu.fake", "a"), ("qemu.fake", "b"), ("qemu.fake", "c")])
            self.assertEqual(suite[1][0].get("message"), 'what "IA32_PMC0", got "7", want "8"')
            self.assertEqual((suite[2][0].tag, suite[2][0].get("message")), ("skipped", "CPUID.1:EDX[9] = 0"))
            self.assertGreater(float(suite.get("time")), 0)
            self.file.unlink()

    def test_broken(self):
        """a broken run is an error with its sentence, and an unavailable target is skipped with the reason"""
        self.emulator(PASSING[:-40])
        run = self.boot("--junit", self.file, FAKE)
        self.check(run, 2, "the output stops after result 1 of 1 (a)")
        suite = self.suites()[FAKE]
        self.assertEqual(self.counts(suite), ["2", "0", "1", "0"])
        self.assertIn("the output stops after", suite[1].find("error").get("message"))
        run = self.boot("--junit", self.file, NOWHERE)
        self.check(run, 77, "has no SapphireRapids")
        suite = self.suites()[NOWHERE]
        self.assertEqual(self.counts(suite), ["1", "0", "0", "1"])
        self.assertIn("has no SapphireRapids", suite[0][0].get("message"))

    def test_signal(self):
        """a run that a signal ends leaves a file, too, with an error"""
        self.emulator("TAP version 13\n1..2\nok 1 - a\n", "exec sleep 60")
        environment = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}"}
        with subprocess.Popen([self.root / "tests" / "boot", "--junit", self.file, FAKE], stdout=subprocess.PIPE,
                              env=environment) as boot:
            boot.stdout.readline()
            boot.send_signal(signal.SIGTERM)
            self.assertEqual(boot.wait(taptest.SOON), -signal.SIGTERM)
        self.assertIn("ended before the run was over", ET.parse(self.file).find("*/*/error").get("message"))

    def test_unwritable(self):
        """a file that cannot be written is known before the boot, one on a full disk is named"""
        self.emulator(PASSING, f"touch '{self.root}/booted'")
        path = self.root / "nowhere" / "a.xml"
        run = self.boot("--junit", path, FAKE)
        self.check(run, 2, f"--junit {path}: the file cannot be written: No such file or directory")
        self.assertEqual((run.out, (self.root / "booted").exists()), ([], False))
        self.file.symlink_to("/dev/full")
        self.check(self.boot("--junit", self.file, FAKE), 2, f"tests/boot: {self.file}: No space left on device")

    def test_full(self):
        """on a full disk the sentence names standard output or the raw log, whichever cannot be written"""
        self.emulator(PASSING)
        with open("/dev/full", "w", encoding="ascii") as full:
            self.check(self.boot(FAKE, stdout=full), 2, "tests/boot: standard output: No space left on device")
        self.emulator(PASSING.replace("ok 1 - a\n", "ok 1 - a\n" + f"# {'x' * 60000}\n" * 60))
        limited = ["sh", "-c", 'ulimit -f 4096; trap "" XFSZ; exec "$0" "$@"', self.root / "tests" / "boot", FAKE]
        run = subprocess.run(limited, text=True, check=False, capture_output=True, timeout=taptest.NEVER_LONGER,
                             env={**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"})
        self.assertEqual(run.returncode, 2, run)
        self.assertIn("tests/boot: build/logs/qemu-fake.log: File too large", run.stderr)

    def test_several(self):
        """each target runs with all words, a table follows, the status is the worst, and each has a suite"""
        self.two()
        run = self.boot(OTHER, FAKE, "timeout=9", NOWHERE, "--junit", self.file)
        self.check(run, 1, "has no SapphireRapids")
        self.assertEqual([line for line in run.out if line.startswith("# target: ")],
                         [f"# target: {OTHER} timeout=9", f"# target: {FAKE} timeout=9"])
        rows = [line[2:].rsplit(maxsplit=1)[0].split() for line in run.out[-4:]]
        self.assertEqual(rows, [["target", "verdict", "passed", "failed", "recorded", "skipped"],
                                [OTHER, "FAIL", "1", "1", "0", "1"], [FAKE, "pass", "2", "0", "0", "1"],
                                [NOWHERE, "not", "available", "0", "0", "0", "1"]])
        self.assertRegex(run.out[-3], r" \d+\.\d$")
        self.assertEqual({name: self.counts(suite) for name, suite in self.suites().items()},
                         {OTHER: ["3", "1", "0", "1"], FAKE: ["3", "0", "0", "1"], NOWHERE: ["1", "0", "0", "1"]})
        self.assertEqual(self.boot(FAKE, NOWHERE).status, 77)

    def test_goes_on(self):
        """a target whose run is broken does not keep the next one from its turn; broken is the worst"""
        self.two()
        (self.root / "good").write_text(PASSING[:-40])
        run = self.boot(FAKE, OTHER)
        self.check(run, 2, "the output stops after result 1 of 1 (a)")
        self.assertRegex(run.out[-2], rf"^# {FAKE} +broken ")
        self.assertRegex(run.out[-1], rf"^# {OTHER} +FAIL ")

    def test_mistakes(self):
        """a mistake in any target, word or option ends with one sentence before the first boot"""
        self.emulator(PASSING, f"touch '{self.root}/booted'")
        for arguments, sentence in (
                ((FAKE, "modle:pentium"), "'modle:pentium' is not a target (did you mean model?)"),
                ((FAKE, "qemu:fak"), "QEMU knows no CPU named 'fak' (did you mean fake?)"),
                (("only=a",), "'only=a' is not a target"), ((FAKE, "bits=33", OTHER), "'bits=33' is not understood"),
                ((FAKE, "--jnuit", "x"), "--jnuit is not an option (did you mean --junit?)"),
                (("--junit", FAKE), "--junit is not followed by the name of a file"),
                ((FAKE, "--junit"), "--junit is not followed by the name of a file"),
                (("--junit", self.file), "there is no target")):
            with self.subTest(arguments):
                run = self.boot(*arguments)
                self.check(run, 2, sentence)
                self.assertEqual((run.out, (self.root / "booted").exists()), ([], False))
        self.check(self.boot("--junit", self.file, FAKE, "qemu:fak"), 2, "did you mean fake?")
        self.assertIn("did you mean fake?", ET.parse(self.file).find("*/*/error").get("message"))

    def test_help(self):
        """-h at any place prints the usage, which names the option"""
        for words in (("-h",), (FAKE, "--help")):
            run = self.boot(*words)
            self.check(run, 0)
            self.assertIn("usage: tests/boot [--junit FILE] TARGET... [WORD...]", run.out[0])


if __name__ == "__main__":
    taptest.main()

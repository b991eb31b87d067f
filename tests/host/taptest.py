# SPDX-License-Identifier: MIT
"""Runs a test program's unittest cases and prints TAP; has the helpers that the programs share."""
import gzip
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
NEVER_LONGER = 120              # seconds; if tests/boot takes longer it hangs, which is a failure
SOON = 10                       # seconds in which a process ends after a signal
# Hundreds of programs compile the sources once, and not beside them: the checkout stays clean.
sys.pycache_prefix = str(ROOT / "build" / "pycache")
# A shell starts jobs in the background with SIGINT ignored, and tests send it to programs of their own.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, str(TESTS))

from runner import tap, version                     # noqa: E402  (the path above comes first)
from runner.checksum import CHECK, END, Summed      # noqa: E402
from runner.whole import image, media, totals                     # noqa: E402

SUM = "0000002A"                # of the kernel that Checkout has
# What each log of a kernel begins with, after its first line.
HEAD = f"""\
# Barecount {version.read()[0]}, schema {version.read()[1]}, 64-bit
# kernel: sum {SUM}
# watchdog: the 8254
"""


def checked(text):
    """Returns the log with the check line that fits it, in the place of any other.

    A log of a kernel or a program without totals gets those that follow from its results.
    """
    lines = []
    write = Summed(lines.append)
    for line in text.splitlines():
        if END.match(line):
            for each in missing_totals(text):
                write(each)
        if not CHECK.match(line):
            write(line)
    return "".join(f"{line}\n" for line in lines)


def resummed(text):
    """Returns the same as checked() for a log that was edited, with the totals that follow from its results."""
    if "\n# Barecount " not in text:
        return checked(text)
    lines = text.splitlines(True)
    return checked("".join(line for line in lines if not line.startswith(("# failed: ", "# passed ", "# verdict: "))))


def missing_totals(text):
    """Returns the lines of the totals that a log lacks."""
    run = tap.Transcript()
    for line in text.splitlines():
        run.feed(line)
    run.flush()
    tally = totals.Tally(run.lines)
    lines = tally.text() if run.kind and not run.totals and run.plan else []
    if lines and not run.verdict:
        lines.append(f"# verdict: {verdict_of(tally)}")
    if run.kernel_sum and not run.kernel_end_sum:
        lines.append(f"# kernel at the end: sum {run.kernel_sum}")
    return lines


def verdict_of(tally):
    if tally.ran == 0:
        return "none, every test was skipped"
    if tally.bad:
        return f"FAIL, {tally.bad} of the {tally.ran} tests that ran"
    if tally.counts["errata"]:
        return f"PASS, {tally.counts['passed']} of the {tally.ran} tests that ran; the others fail by published errata"
    return f"PASS, all {tally.ran} tests that ran"


def tiny_kernel():
    """Returns an ELF file with the segment and the sections of a kernel that the runner looks at, and SUM behind its note."""
    names = b"\0.sum\0.text\0.rodata\0.names\0"
    data = bytes.fromhex(SUM)[::-1] + bytes(28) + bytes(64) + names
    segment = struct.pack("<8I", image.NOTE, 84, 0, 0, 0, 0, 0, 0)
    at = [84, 84 + 32, 84 + 64, 84 + 96]
    rows = [(0,) * 10] + [(names.index(name), 1, 0, offset, offset, size, 0, 0, 1, 0) for name, offset, size in (
        (b".sum", at[0], 4), (b".text", at[1], 32), (b".rodata", at[2], 32), (b".names", at[3], len(names)))]
    head = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\x01\x01\x01", 2, 3, 1, 0, 52, 84 + len(data), 0, 52, 32, 1, 40,
                       len(rows), len(rows) - 1)
    return head + segment + data + b"".join(struct.pack("<10I", *row) for row in rows)


def tiny_iso(content):
    """Returns an ISO image whose root folder has one file with this content."""
    record = f"<BB{media.RECORD.removeprefix('<2x')}8x"
    folder, file = (struct.pack(record, struct.calcsize(record), 0, *fields)
                    for fields in ((17, media.SECTOR, media.FOLDER), (18, len(content), 0)))
    disk = (bytes(media.ROOT) + folder).ljust(17 * media.SECTOR, b"\0")
    return disk + (folder * media.SELF_AND_PARENT + file).ljust(media.SECTOR, b"\0") + content


class TapResult(unittest.TestResult):
    """Prints one TAP line for each test as it ends, with the traceback of a failed one."""

    def __init__(self):
        super().__init__()
        self.number = 0

    def _say(self, test, good, directive="", details=""):
        self.number += 1
        name = (test.shortDescription() or test.id().split(".")[-1]).rstrip(".").replace("#", "No. ")
        print(f"{'ok' if good else 'not ok'} {self.number} - {name}{directive}", flush=True)
        for line in details.splitlines():
            print(f"# {line}", flush=True)

    def addSuccess(self, test):
        self._say(test, True)

    def addSkip(self, test, reason):
        self._say(test, True, f" # SKIP {reason}")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._say(test, False, details="".join(traceback.format_exception(*err)))

    addError = addFailure

    def addSubTest(self, test, subtest, err):
        """Prints a failed part of a test as a further result, which breaks the plan and so cannot be missed."""
        if err:
            self.addFailure(subtest, err)


def main():
    """Runs the test cases of the program that calls this; the exit status says if all passed."""
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    print(f"TAP version 13\n1..{suite.countTestCases()}", flush=True)
    result = TapResult()
    suite.run(result)
    sys.exit(not result.wasSuccessful())


class Run:
    """Runs tests/boot or another program to its end; has status, out (lines), err (lines), seconds."""

    def __init__(self, *arguments, root=ROOT, program="boot", **options):
        start = time.monotonic()
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        done = subprocess.run([root / "tests" / program, *arguments], text=True, check=False,
                              timeout=NEVER_LONGER, **options)
        self.seconds = time.monotonic() - start
        self.status = done.returncode
        self.out = (done.stdout or "").splitlines()
        self.err = (done.stderr or "").splitlines()

    def __str__(self):
        return "\n".join([f"status {self.status} after {self.seconds:.1f} s", *self.out, *self.err])


class Booted(Run):
    """Does the same for tests/boot alone, by a runner.booter.Booters, which loads nothing again."""

    def __init__(self, booters, *arguments):
        start = time.monotonic()
        self.status, out, err = booters.run(arguments, {})
        self.seconds = time.monotonic() - start
        self.out, self.err = out.splitlines(), err.splitlines()


class Case(unittest.TestCase):
    """A test case that knows what every run of tests/boot must be like."""

    def check(self, run, status, sentence=""):
        """Checks that the run ended with this status and, if it is no run at all, printed this one sentence."""
        self.assertEqual(run.status, status, run)
        if sentence:
            self.assertEqual(len(run.err), 1, run)
            self.assertIn(sentence, run.err[0], run)
        self.assertFalse(any("Traceback" in line for line in run.err), run)


def wait_until(holds):
    """Returns whether holds() was true within SOON seconds."""
    end = time.monotonic() + SOON
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


def is_alive(pid):
    """Returns whether a process runs. One that has ended may stay in /proc: a container's first program reaps none."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Checkout(Case):
    """A copy of the host side in a folder of its own, with a fake emulator that obeys the test."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="barecount, a test "))
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        for name in ("boot", "runner", "targets"):
            source = TESTS / name
            copy = shutil.copytree if source.is_dir() else shutil.copy
            (self.root / "tests").mkdir(exist_ok=True)
            copy(source, self.root / "tests" / name)
        (self.root / "build").mkdir()
        (self.root / "build" / "barecount.iso").write_bytes(tiny_iso(gzip.compress(tiny_kernel(), mtime=0)))
        (self.root / "kernel" / "run").mkdir(parents=True)
        shutil.copy(version.HEADER, self.root / "kernel" / "run")
        self.contents("a")
        self.bin = self.root / "bin"
        self.bin.mkdir()
        self.emulator("")

    def emulator(self, says, then=""):
        """Makes an emulator that prints `says` on the guest's serial line and then runs shell commands."""
        (self.root / "says").write_text(says)
        script = self.bin / "qemu-system-x86_64"
        script.write_text(EMULATOR.format(says=self.root / "says", then=then))
        script.chmod(0o755)

    def contents(self, *names):
        """Makes the kernel contain the tests of these names."""
        rows = "".join(f"{number},{name},everywhere,\n" for number, name in enumerate(names, 1))
        (self.root / "build" / "barecount64.tests").write_text(
            f"# kernel: sum {SUM}, file CRC-32 00000000\nnumber,id,runs,kind\n{rows}")

    def boot(self, *arguments, **options):
        environment = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}"}
        return Run(*arguments, root=self.root, env=environment, **options)


EMULATOR = """\
#!/bin/sh
case $* in *--version*) echo 'QEMU emulator version 0.1'; exit;; *"-cpu help"*) printf 'Available CPUs:\\nx86 fake  (a test)\\n'; exit;; esac
serial=$(printf '%s\\n' "$@" | sed -n 's/^file,id=serial,path=//p')
cat '{says}' > "$serial"
{then}
"""

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A run is complete or broken: what a fault once made green, kind by kind, is refused."""
import itertools
import os
import pathlib
import random
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                              # noqa: E402
from runner import guest, layout, tap, verdict          # noqa: E402
from runner.chaos import boot, flips, judge                 # noqa: E402
from runner.problems import Problem                         # noqa: E402
from runner.whole import contents, expected, image, media   # noqa: E402

SELECTIONS = 200
PIECES = ("*", "?", "a", "o", ".", "*.*", "pmi", "arch.*", "rdpmc.*", "*.smp.*", "*cpl?", "*s", "*.p*t*", "*exact*")
WHOLE = f"""\
TAP version 13
{taptest.HEAD}# cpus: 2 run, of 2 in the ACPI MADT: packages 1, cores 2, threads 2, by CPUID.0BH
# cpu 0: APIC ID 0, package 0, core 0, thread 0
# cpu 1: APIC ID 1, package 0, core 1, thread 0
# tests: 4
ok 1 - a@cpu0-1
not ok 2 - b
  ---
  severity: fail
  what: "x"
  got: "1"
  want: "2"
  ...
ok 3 - b@cpu1
ok 4 - here # SKIP x = 1
1..4
# end of run: status 1
"""
SOUND = taptest.checked(WHOLE)
TESTS = {name: contents.Test(name, runs, "") for name, runs in (("a", "everywhere"), ("b", "alone"), ("here", "boot"))}


class Given:
    """Stands for a Handover."""

    sums = {taptest.SUM}


def broken(text, words=(), heads=(), cpus=None):
    """Returns why a run with this output is broken, or ""."""
    run = tap.Transcript()
    for line in text.splitlines():
        run.feed(line)
    run.flush()
    return verdict.what_is_broken(run, guest.CLOSED, 10, 300, None, expected.Expected(words, Given, heads, cpus))


def without(text, line):
    """Returns the log without the result of a line, numbered again, with the totals that fit the rest."""
    lines, number = [], 0
    for each in text.splitlines():
        if each.startswith(line):
            continue
        found = tap.RESULT.match(each)
        if found:
            number += 1
            each = each.replace(f"ok {found[2]} ", f"ok {number} ", 1)
        lines.append(f"1..{number}" if each.startswith("1..") else each)
    return taptest.resummed("\n".join(lines) + "\n")


# What a fault did, how the log then is, and a part of the sentence that refuses it.
FORGED = (
    ("the table of tests ends too early", without(SOUND, "ok 1 - "), "2 of the 5 tests of this kernel and these words"),
    ("a test of one processor is lost", without(SOUND, "ok 3 - "), "are not among the results: b@cpu1"),
    ("a test is there that the kernel does not have", taptest.resummed(SOUND.replace("a@cpu0-1", "a@cpu0-1\nok 2 - z")
     .replace("ok 2 - b", "ok 3 - b").replace("ok 3 - b@", "ok 4 - b@").replace("ok 4 - h", "ok 5 - h")
     .replace("1..4", "1..5")), "1 tests are among the results that"),
    ("# failed: names what does not exist", taptest.checked(SOUND.replace("# failed: b", "# failed: bb")), "bb failed, and no"),
    ("# failed: is gone", taptest.checked(SOUND.replace("# failed: b\n", "")), "names 0 failures"),
    ("the results are counted wrongly", taptest.checked(SOUND.replace("# passed 3", "# passed 999")), "says passed 999"),
    ("the verdict is another one", taptest.checked(SOUND.replace("verdict: FAIL, 1", "verdict: FAIL, 2")), "does not follow"),
    ("the kernel is not the one that was handed over", taptest.checked(SOUND.replace(taptest.SUM, "0000002B")),
     "at its start the kernel's sum of itself is 0000002B"),
    ("the kernel changed while it ran", taptest.checked(SOUND.replace(f"end: sum {taptest.SUM}", "end: sum 0000002B")),
     "at its end the kernel's sum of itself is 0000002B"),
    ("the sum is not there", taptest.checked(SOUND.replace(f"# kernel: sum {taptest.SUM}\n", "")), "is missing"),
    ("the watchdog is lost", taptest.checked(SOUND.replace("watchdog: the 8254", "watchdog: none")), "the head's watchdog is 'none'"),
    ("processors are lost", taptest.checked(SOUND.replace("cpus: 2 run", "cpus: 7101697 run")), "7101697 processors run"),
    ("a processor is lost", taptest.resummed(SOUND.replace("cpu 1: APIC ID 1, package 0, core 1, thread 0",
     "cpu 1: APIC ID 1, does not run: x")), "names 1"),
)
HEADS = [expected.Head("*", "watchdog", "the 8254*", "h.csv:1")]


class Complete(unittest.TestCase):
    """Literal logs, and the kernels that were built."""

    def setUp(self):
        was, contents.of = contents.of, lambda bits: contents.Contents(taptest.SUM, "0" * 8, TESTS)
        self.addCleanup(setattr, contents, "of", was)
        self.real = was

    def test_sound(self):
        """a whole run with two processors is not broken"""
        self.assertEqual(broken(SOUND, heads=HEADS, cpus=2), "")

    def test_forged(self):
        """what faults did to logs is refused, each with its sentence"""
        for fault, text, sentence in FORGED:
            with self.subTest(fault):
                said = broken(text, heads=HEADS)
                self.assertIn(sentence, said, fault)

    def test_words(self):
        """the words choose among the tests, and a run of others is broken"""
        self.assertIn("1 tests are among", broken(SOUND, ["only=a,b"]))
        self.assertEqual(broken(without(SOUND, "ok 4 - "), ["only=a,b"]), "")
        self.assertEqual(broken(without(SOUND, "ok 4 - "), ["skip=h*"]), "")
        self.assertIn("here", broken(without(SOUND, "ok 4 - "), ["skip=g*"]))

    def test_processors(self):
        """a machine with another number of processors than its own is broken"""
        self.assertIn("this machine has 1", broken(SOUND, cpus=1))

    def test_selections(self):
        """the runner chooses what the kernel chooses, in 200 selections"""
        tests = self.real(32).tests
        rng, selections = random.Random(37), []
        for _ in range(SELECTIONS):
            globs = [rng.choice((*PIECES, rng.choice(list(tests)), rng.choice(list(tests)).rpartition(".")[0] + ".*"))
                     for _ in range(rng.randrange(1, 5))]
            selections.append([f"{rng.choice(('only=', 'only=', 'skip='))}{glob}" for glob in globs])
        ids = [test.id for test in expected.chosen(tests, ["broken"])]
        made = subprocess.run([layout.BUILD / "select", *ids], input="".join(f"{' '.join(each)}\n" for each in selections),
                              text=True, capture_output=True, check=True).stdout.splitlines()
        for words, line in zip(selections, made, strict=True):
            self.assertEqual([test.id for test in expected.chosen(tests, [*words, "broken"])], line.split(), words)

    def test_file(self):
        """a file with one bit changed is not handed over, wherever the bit is"""
        elf = layout.KERNELS[32].read_bytes()
        contents.check_file(elf, 32)
        for at in random.Random(37).sample(range(len(elf)), 20):
            with self.assertRaisesRegex(Problem, "run make again"):
                contents.check_file(elf[:at] + bytes([elf[at] ^ 4]) + elf[at + 1:], 32)

    def test_sum(self):
        """the sum of each kernel's file is the one in it, and changes with each bit of code and constants"""
        for kernel in layout.KERNELS.values():
            elf = kernel.read_bytes()
            self.assertEqual(image.recorded(elf), image.computed(elf), kernel)
            text, constants = (image.sections(elf)[name] for name in (".text", ".rodata"))
            ends = (text.offset, text.offset + text.size - 1, constants.offset, constants.offset + constants.size - 1)
            for at, bit in itertools.product(ends, range(8)):
                changed = elf[:at] + bytes([elf[at] ^ 1 << bit]) + elf[at + 1:]
                self.assertNotEqual(image.computed(changed), image.recorded(elf), (kernel, at, bit))

    def test_images(self):
        """the kernels in the ISO image and in the folder for the network are the built ones"""
        built = sorted(layout.KERNELS[bits].read_bytes() for bits in layout.KERNELS)
        for medium in (layout.ISO, layout.NETBOOT):
            self.assertEqual(sorted(media.packed_in(medium, most=0)), built, medium)


class Listed(taptest.Case):
    """The kernels themselves."""

    def test_list(self):
        """each kernel lists what its file of contents has, and a run of tests/boot checks that"""
        for bits in (32, 64):
            run = taptest.Run("qemu:Nehalem", "via=kernel", f"bits={bits}", "list", "broken")
            self.check(run, 0)
            listed = [line.split()[2] for line in run.out if line.startswith("# test ")]
            self.assertEqual(listed, [test.id for test in expected.chosen(contents.of(bits).tests, ["broken"])])

    def test_medium(self):
        """a kernel of which a bit changed on the medium gives up with a sentence, or is noticed"""
        for name, sentence in ((".rodata", "the kernel has changed, on its medium or in memory"), (".text", "")):
            flipped = boot.Boot("a test", 1, ["qemu:Nehalem", "via=kernel", "only=rdtsc.*", "timeout=6"])
            self.addCleanup(flipped.remove)
            flips.of_section(32, name)(flipped)
            flipped.run()
            self.assertEqual(flipped.status, 2, flipped.out)
            self.assertIn(sentence, " ".join(flipped.err))

    def test_old(self):
        """another kernel's file is not handed over as this one"""
        build = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"complete {os.getpid()}"
        self.addCleanup(shutil.rmtree, build, ignore_errors=True)
        build.mkdir()
        for path in layout.BUILD.iterdir():
            (build / path.name).symlink_to(path)
        (build / "barecount32.elf").unlink()
        shutil.copy(layout.KERNELS[64], build / "barecount32.elf")
        run = taptest.Run("qemu:Nehalem", "via=kernel", "only=rdtsc.*", env={**os.environ, "BUILD": str(build)})
        self.check(run, 2, "is not the kernel that make built")


class Manners(taptest.Checkout):
    """Ends of tests/boot that no line expects."""

    PASSING = taptest.checked(f"TAP version 13\n{taptest.HEAD}1..1\nok 1 - a\n# end of run: status 0\n")

    def test_closed(self):
        """a closed standard output is status 2 with a sentence"""
        self.emulator(self.PASSING)
        run = subprocess.run(["/bin/sh", "-c", "exec \"$@\" >&-", "x", self.root / "tests" / "boot", "qemu:fake"], text=True,
                             env={**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}"}, capture_output=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (2, "tests/boot: standard output is closed\n"))

    def test_damaged(self):
        """a missing, empty or damaged file of the runner is status 2 with a sentence"""
        self.emulator(self.PASSING)
        victim = self.root / "tests" / "runner" / "tap.py"
        for damage in (lambda: victim.write_bytes(b"\0\1\2"), lambda: victim.write_text(""), victim.unlink):
            damage()
            self.check(self.boot("qemu:fake"), 2, "Error: ")

    def test_killed(self):
        """an emulator that somebody killed is called killed"""
        self.emulator(self.PASSING.partition("ok 1")[0], "kill -KILL $$")
        self.check(self.boot("qemu:fake"), 2, "the emulator was killed by SIGKILL")

    def test_cannot_start(self):
        """an emulator that cannot tell its processors is not one that does not know this one"""
        (self.bin / "qemu-system-x86_64").write_text("#!/bin/sh\necho no library >&2; exit 127\n")
        self.check(self.boot("qemu:fake"), 2, "ends with status 127: no library")

    def test_escapes(self):
        """control characters of an emulator's words are shown as escapes"""
        self.emulator("", "printf 'a\\033[2Jb\\n' >&2; exit 1")
        self.check(self.boot("qemu:fake"), 2, "a\\x1b[2Jb")


class Bounds(unittest.TestCase):
    """The judge of make chaos."""

    def boot(self, **facts):
        facts = {"kind": "k", "seed": 1, "what": "w", "region": ".text", "missed": False, "outcome": judge.NOTICED, **facts}
        return type("Boot", (), facts)

    def test_green(self):
        """a false green is a breach, except one in a thousand effective flips of written memory"""
        sound = [self.boot(region="stack")] * 2000
        self.assertEqual(judge.breaches(sound), [])
        for region in (".text", ".rodata", "file", ""):
            self.assertEqual(len(judge.breaches([*sound, self.boot(region=region, outcome=judge.GREEN)])), 1, region)
        green = self.boot(region="stack", outcome=judge.GREEN)
        self.assertEqual(judge.breaches([*sound, green, green]), [])
        self.assertEqual(len(judge.breaches([*sound, green, green, green])), 1)

    def test_small(self):
        """fewer than a thousand effective flips of written memory may have one false green"""
        idle = [self.boot(region="stack", outcome=judge.RIGHT)] * 5000
        for region in ("stack", "page table", ".data", ".bss", ".shared", "idt", "gdt"):
            green = self.boot(region=region, outcome=judge.GREEN)
            self.assertEqual(judge.breaches([*idle, green]), [], region)
            self.assertEqual(judge.greens([*idle, green]), ["false green: k 1: w"])
            for missed in (False, True):
                other = self.boot(region=region, outcome=judge.GREEN, missed=missed)
                self.assertEqual(len(judge.breaches([*idle, green, other])), 1, region)

    def test_text(self):
        """text that nobody compares may differ in fewer than 2 % of the effective flips, however few they are"""
        text, idle = self.boot(outcome=judge.TEXT), self.boot(outcome=judge.RIGHT)
        self.assertEqual(judge.breaches([self.boot()] * 199 + [text] * 3), [])
        self.assertEqual(len(judge.breaches([self.boot()] * 99 + [text] * 4)), 1)
        self.assertEqual(judge.breaches([self.boot()] * 50 + [text]), [])
        self.assertEqual(len(judge.breaches([self.boot()] * 49 + [text] + [idle] * 999)), 1)

    def test_never(self):
        """hangs, leftovers, tracebacks and failures that nothing explains are breaches, each with its fault"""
        for outcome in (judge.HANG, judge.BAD, judge.RED):
            self.assertEqual(judge.breaches([self.boot(outcome=outcome)] * 2), [f"k 1: {outcome}: w"] * 2)

    def test_two(self):
        """of two runs side by side the worse one counts"""
        sound = boot.Sound(0, frozenset(["ok 1 - a"]), ("ok 1 - a",), ("ok 1 - a",), 1, 1)
        facts = {"status": 0, "out": ["ok 1 - a"], "err": [], "left": [], "killed": None, "prefix": [],
                 "is_mute": False, "is_guest": False, "sound": sound, "other": None, "runs": boot.Boot.runs}
        right = type("Boot", (), facts)()
        self.assertEqual(judge.outcome(right), judge.RIGHT)
        for status, outcome in ((0, judge.GREEN), (1, judge.RED), (None, judge.HANG), (3, judge.BAD)):
            right.other = type("Boot", (), {**facts, "status": status, "out": []})()
            self.assertEqual(judge.outcome(right), outcome)


if __name__ == "__main__":
    taptest.main()

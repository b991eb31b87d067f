#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A mistyped command, target, processor, quirk, word or test: the message names the nearest known one."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import nearest                          # noqa: E402

EMULATORS = ("bochs", "kvm", "model", "qemu")
INNER = re.compile(r"all|(test|matrix)-.*|.*\.run")


def make(*words, cwd=taptest.ROOT):
    """Returns the exit status of make, its output and its errors, in English."""
    environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    environment["LC_ALL"] = "C"
    done = subprocess.run(["make", "--no-print-directory", *words], cwd=cwd, text=True, check=False,
                          capture_output=True, env=environment)
    return done.returncode, done.stdout, done.stderr


def phony():
    """Returns the commands that make knows."""
    text = make("-pn", "help")[1]
    return {name for line in re.findall(r"^\.PHONY: (.*)$", text, re.M) for name in line.split()
            if not INNER.fullmatch(name)}


class Nearest(unittest.TestCase):

    def test_nearest(self):
        """the most similar name is found, in any case; a name that is like none has no hint"""
        for name, known, found in (("modle", EMULATORS, "model"), ("QEMU", EMULATORS, "qemu"),
                                   ("nehalem", ["Nehalem", "EPYC"], "Nehalem"), ("xyzzy", EMULATORS, None),
                                   ("", EMULATORS, None), ("model", [], None)):
            with self.subTest(name):
                self.assertEqual(nearest.nearest(name, known), [found] if found else [])
        self.assertEqual(nearest.hint("pentim", ["pentium", "pentium2", "pentium3", "pentium4"]),
                         " (did you mean pentium, pentium4 or pentium3?)")
        self.assertEqual(nearest.hint("modle", EMULATORS), " (did you mean model?)")
        self.assertEqual(nearest.hint("xyzzy", EMULATORS), "")
        self.assertEqual(nearest.hint("Haswell", ["yonah", "corei7_haswell_4770"]), " (did you mean corei7_haswell_4770?)")
        self.assertEqual(nearest.hint("has", ["corei7_haswell_4770"]), "")

    def test_bail_out(self):
        """the kernel's sentence gets a hint for a word of the kernel, a word of tests/boot and a pattern"""
        for sentence, said in (('unknown word "ony=x"', "only"), ('unknown word "firmwre=uefi"', "firmware"),
                               ('unknown word "montor"', "monitor"), ('unknown word "xyzzy"', None),
                               ("only=rdpmc.wdth selects no test (the word list shows them)", "rdpmc.width"),
                               ("only=rdmpc.* selects no test", "rdpmc.*"), ("no reason given", None)):
            with self.subTest(sentence):
                self.assertRegex(nearest.hint_for_bail_out(sentence),
                                 rf"^ \(did you mean {re.escape(said)}[?, ]" if said else "^$")
        for pattern in ("p6.enable.off", "pmu.*"):
            self.assertNotIn(f"mean {pattern}", nearest.hint_for_bail_out(f"only={pattern} selects no test (the word list shows them)"))

    def test_bits(self):
        """a pattern of P6's tests names the kernel that has them"""
        run = taptest.Run("qemu:Nehalem", "only=p6.enable.off", "bits=64")
        self.assertEqual(run.status, 2, run)
        self.assertIn("selects no test (the 32-bit kernel has those of P5 and P6): add bits=32;", run.err[0])

    def test_words(self):
        """the words that the source of the kernel has are those that the kernel's table has"""
        listed = subprocess.run([taptest.ROOT / "build" / "words"], text=True, check=True, capture_output=True).stdout
        self.assertEqual(nearest.kernel_words(), [row.split("\t")[0] for row in listed.splitlines()[1:]])


class Boot(taptest.Case):

    def test_arguments(self):
        """an unknown target, processor, quirk and row end with one sentence that names the nearest"""
        for program, arguments, quirk, meant in (
                ("boot", ["modle:pentium"], "", "'modle:pentium' is not a target (did you mean model?); targets are"),
                ("boot", ["model:pentium_mxx"], "", "named 'pentium_mxx' (did you mean pentium_mmx or pentium?)"),
                ("boot", ["model:pentium"], "one-in-1024-is-last", "(did you mean one-in-1024-is-lost?); docs/defects.md lists"),
                ("run-matrix", ["model-haswel"], "", "is named model-haswel (did you mean model-haswell"),
                ("quirks", ["one-in-1024-is-last"], "", "(did you mean one-in-1024-is-lost?)")):
            with self.subTest(arguments):
                run = taptest.Run(*arguments, program=program, env={**os.environ, "PMU_QUIRK": quirk})
                self.check(run, 2, meant)

    def test_no_model(self):
        """PMU_QUIRK is refused on a target that has no model; with one it is in the line that repeats a failure"""
        environment = {**os.environ, "PMU_QUIRK": "pmc-0-is-dead"}
        run = taptest.Run("bochs:pentium", "only=rdtsc.*", env=environment)
        self.check(run, 2, "PMU_QUIRK=pmc-0-is-dead breaks the model, and bochs:pentium has none: take model:CPU")
        run = taptest.Run("model:corei7_haswell_4770", "via=kernel", "serial=debug", "only=pmu.counts", env=environment)
        if run.status == 77:
            self.skipTest(run.err[-1])
        self.assertIn('  repeat: "PMU_QUIRK=pmc-0-is-dead tests/boot model:corei7_haswell_4770 via=kernel serial=debug '
                      'only=pmu.counts"', run.out)

    def test_qemu(self):
        """an unknown name of QEMU's gets the nearest, too"""
        run = taptest.Run("qemu:nehalm")
        if run.status == 77:
            self.skipTest(run.err[-1])
        self.check(run, 2, "named 'nehalm' (did you mean Nehalem, ")

    def test_word(self):
        """a word that the guest refuses gets the nearest, too"""
        run = taptest.Run("qemu:Nehalem", "via=kernel", "ony=rdpmc.*")
        if run.status == 77:
            self.skipTest(run.err[-1])
        self.check(run, 2, 'gave up: unknown word "ony=rdpmc.*" (did you mean only?); the raw log is')


class Make(unittest.TestCase):

    def test_command(self):
        """make names the nearest command; a name of a folder is a mistake, too; nothing is run"""
        for goal, meant in (("tests", " (did you mean test?)"), ("lnit", " (did you mean lint?)"),
                            ("matrx", " (did you mean matrix or deps-matrix?)"), ("xyzzy", "")):
            with self.subTest(goal):
                status, out, err = make(goal)
                self.assertEqual((status, out), (2, ""), err)
                self.assertIn(f'make has no command "{goal}"{meant}; "make help" lists all', err)

    def test_options(self):
        """an option that no command has, and one that means nothing to this command, are mistakes; nothing is run"""
        for words, meant in ((("learn", "lesson=2"), 'make has no option "lesson" (did you mean LESSON?)'),
                             (("lint", "JOB=2"), 'make has no option "JOB" (did you mean JOBS?)'),
                             (("lint", "JOBS=2"), "JOBS means nothing here: it is for make matrix linux"),
                             (("JOBS=2",), "JOBS means nothing here"), (("report", "DEV=a b"), "DEV means nothing here")):
            with self.subTest(words):
                status, out, err = make(*words)
                self.assertEqual((status, out), (2, ""), err)
                self.assertIn(meant, err)
        for words in (("-n", "report", "LOGS=a b"), ("-n", "lint", "V=1"), ("-n", "fuzz_words.run", "SECONDS=1")):
            self.assertEqual(make(*words)[0], 0, words)

    def test_files(self):
        """a missing file still gets make's own message, as a goal and as something that a goal needs"""
        self.assertIn("No rule to make target 'build/nothing.o'", make("build/nothing.o")[2])
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "Makefile").write_text(
                (taptest.ROOT / "Makefile").read_text() + "\nbuild/thing: model/nothing.c\n")
            self.assertIn("No rule to make target 'model/nothing.c', needed by 'build/thing'",
                          make("build/thing", cwd=folder)[2])

    def test_help(self):
        """make help has a line for each command that make knows, and for no other"""
        status, out, err = make("help")
        self.assertEqual((status, err), (0, ""))
        listed = [re.match(r"  make ([a-z-]*) ", line)[1] for line in out.splitlines() if line.startswith("  make ")]
        self.assertEqual(sorted(name for name in listed if name), sorted(phony()))
        self.assertIn("V=1", out)

    def test_page(self):
        """docs/commands.md has each command of make, and each program of tests/ that it names is there"""
        page = (taptest.ROOT / "docs" / "commands.md").read_text()
        self.assertEqual([name for name in sorted(phony()) if f"`make {name}" not in page], [])
        named = set(re.findall(r"`(tests/[\w/-]+)", page))
        self.assertEqual([name for name in sorted(named) if not (taptest.ROOT / name).exists()], [])


if __name__ == "__main__":
    taptest.main()

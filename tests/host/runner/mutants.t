#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/mutants: the changes that it makes to a C source; without a mutant the source does what it did."""
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402  (finds the runner)
from runner import problems     # noqa: E402
from runner.campaigns import matrix     # noqa: E402
from runner.mutants import (mutant_boots, mutant_equal, mutant_kernel, mutant_kills, mutant_units, mutants,    # noqa: E402
                            mutate, mutate_tables)
from runner.problems import Problem                 # noqa: E402

SOURCE = """\
#include "part.h"
#define TWICE(x) ((x) + (x))            /* not 1 + 1 */
enum { LIMIT = 4 + 1 };
static const int table[2] = { 1, 2 };

int work(int a, int b)
{
	int calls = 7;

	if (a < b /* a > b */ && b)
		a += LIMIT;
	for (int i = 0; i < a && i < 9; i++)
		calls++;
	switch (b) {
	case 1 + 1: return table[0];
	default: return TWICE(a - 3) + half(b);
	}
}
"""
HEADER = "static inline int half(int n)\n{\n\treturn n / 2;\n}\n"
MAIN = """
#include <stdio.h>
#include <stdlib.h>
static int chosen, reached;
#define MUTANT(n) (reached |= 1 << n % 31, chosen == (n))
#include "work.c"
int main(int argc, char **argv)
{
	chosen = argc > 1 ? atoi(argv[1]) : 0;
	for (int a = 0; a < 4; a++)
		printf("%d ", work(a, 1) + work(a, 2) + work(a, 9));
	return 0;
}
"""
CHANGES = """\
8 7 -> 8
8 7 -> 6
10 a < b /* a > b */ && b -> 0
10 a < b /* a > b */ && b -> a < b /* a > b */ || b
10 a < b -> a <= b
10 a < b -> a >= b
10 b -> !(b)
11 a += LIMIT -> nothing
11 a += LIMIT -> a -= LIMIT
12 0 -> 1
12 i < a && i < 9 -> i < a || i < 9
12 i < a -> i <= a
12 i < a -> i >= a
12 i < 9 -> i <= 9
12 i < 9 -> i >= 9
12 9 -> 10
12 9 -> 8
13 calls++ -> nothing
13 calls++ -> calls--
15 table[0] -> 0
15 0 -> 1
16 TWICE(a - 3) + half(b) -> 0
16 TWICE(a - 3) + half(b) -> TWICE(a - 3) - half(b)
16 a - 3 -> a + 3
16 3 -> 4
16 3 -> 2"""

TABLE = """\
#include <stdbool.h>
struct part { unsigned char bits; bool is_on; };
static const struct row { int number; struct part part; const char *name; short list[2]; } rows[] = {
	{ .number = 4, .part = { 0, true }, .name = "a", .list = { 7 } },
};
const int *first(void) { return &rows[0].number; }
"""
TABLE_MAIN = """
#include <stdio.h>
#include <stdlib.h>
static int chosen, reached;
#define MUTANT(n) (reached |= 1 << (n), chosen == (n))
__attribute__((constructor(101))) static void choose(void) { chosen = atoi(getenv("CHOSEN")); }
#include "table.c"
int main(void)
{
	printf("reached %x, ", reached);
	first();
	printf("%x: %d %d %d %d", reached, rows[0].number, rows[0].part.bits, rows[0].part.is_on, rows[0].list[0]);
	return 0;
}
"""
TABLE_CHANGES = {
    "": "4 0 1 7", ".number + 1": "5 0 1 7", ".number & (.number - 1)": "0 0 1 7", ".part.bits + 1": "4 1 1 7",
    ".part.bits & (.part.bits - 1)": "4 0 1 7", "!.part.is_on": "4 0 0 7", ".list[0] + 1": "4 0 1 8",
    ".list[0] & (.list[0] - 1)": "4 0 1 6"}


class Canned:
    """One source and one header, read once."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        (cls.folder / "model").mkdir()
        (cls.folder / "model" / "work.c").write_text(SOURCE)
        (cls.folder / "model" / "part.h").write_text(HEADER)
        cls.sources = mutate.find(["model/work.c"], cls.folder)
        cls.found = {name: source.mutants() for name, source in cls.sources.items()}


class Places(Canned, unittest.TestCase):

    def test_changes(self):
        """operators, constants, conditions and statements; not what the compiler must know"""
        shown = [f"{mutant.line} {mutant.change}" for mutant in self.found["model/work.c"]]
        self.assertEqual("\n".join(shown), CHANGES)

    def test_headers(self):
        """functions in headers, too, each once"""
        self.assertEqual([mutant.key for mutant in self.found["model/part.h"]],
                         [("model/part.h", "half", "return n / 2;", f"{before} -> {after}")
                          for before, after in (("n / 2", "0"), ("n / 2", "n * 2"), ("2", "3"),
                                                ("2", "1"))])

    def test_arguments(self):
        """an expression that begins in one argument of a macro and ends in the next one has no place"""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "model").mkdir()
            (pathlib.Path(folder) / "model" / "work.c").write_text(
                "#define EACH(i, n) for (int left_of_##i = n, i; left_of_##i && (i = 1, 1); left_of_##i -= i)\n"
                "#define BITS(n, i) EACH(i, n)\n"
                "int work(int a)\n{\n\tint calls = a;\n\n\tEACH(k, a)\n\t\tcalls--;\n\tBITS(a, m)\n\t\tcalls++;\n\treturn calls;\n}\n")
            found = mutate.find(["model/work.c"], folder)["model/work.c"].mutants()
        self.assertEqual([f"{mutant.line} {mutant.change}" for mutant in found],
                         ["8 calls-- -> nothing", "8 calls-- -> calls++", "10 calls++ -> nothing",
                          "10 calls++ -> calls--", "11 calls -> 0"])

    def outputs(self):
        """Returns the output of a program with all mutants, by the number chosen."""
        everything = [mutant for found in self.found.values() for mutant in found]
        numbers = {mutant: number for number, mutant in enumerate(everything, 1)}
        for name, source in self.sources.items():
            (self.folder / pathlib.Path(name).name).write_text(source.with_all(numbers))
        (self.folder / "main.c").write_text(MAIN)
        program = self.folder / "program"
        subprocess.run(["gcc", "-w", "-o", program, self.folder / "main.c"], check=True)
        return {number: subprocess.run([program, str(number)], capture_output=True, text=True,
                                       check=True, timeout=10).stdout
                for number in range(len(everything) + 1)}, numbers

    def test_program(self):
        """without a mutant the program does as it did; with one only that one is at work"""
        outputs, numbers = self.outputs()
        (self.folder / "work.c").write_text(SOURCE)
        (self.folder / "part.h").write_text(HEADER)
        program = self.folder / "original"
        subprocess.run(["gcc", "-w", "-o", program, self.folder / "main.c"], check=True)
        original = subprocess.run([program], capture_output=True, text=True, check=True)
        self.assertEqual(outputs[0], original.stdout)
        same = [mutant for mutant, number in numbers.items() if outputs[number] == outputs[0]]
        self.assertEqual({mutant.line for mutant in same} - {8, 12, 13}, set())


class Tables(unittest.TestCase):

    def run_with(self, folder, number):
        return subprocess.run([folder / "program"], env={"CHOSEN": str(number)}, capture_output=True, text=True,
                              check=True, timeout=10).stdout

    def test_table(self):
        """each number of a table, and no pointer; the folder's functions say that they ran, a number without bits not"""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "table.c").write_text(TABLE)
            source = mutate.find(["table.c"], folder)["table.c"]
            found = source.table_mutants()
            self.assertEqual({mutant.key[:3] for mutant in found},
                             {("table.c", "rows", '{ .number = 4, .part = { 0, true }, .name = "a", .list = { 7 } },')})
            text = mutate_tables.with_all(mutate_tables.with_marks(source, 8), enumerate(found, 1))
            (folder / "table.c").write_text(text)
            (folder / "main.c").write_text(TABLE_MAIN)
            subprocess.run(["gcc", "-w", "-O2", "-o", folder / "program", folder / "main.c"], check=True)
            outputs = {mutant.change: self.run_with(folder, n) for n, mutant in enumerate(found, 1)}
            self.assertEqual({"": self.run_with(folder, 0), **outputs},
                             {change: f"reached ee, 1ee: {numbers}" for change, numbers in TABLE_CHANGES.items()})


class Equal(Canned, unittest.TestCase):
    """Mutants that are equal to the model are found."""

    def find(self, change):
        return next(m for m in self.found["model/work.c"] if m.change == change)

    def same(self, change):
        source = self.sources["model/work.c"]
        with mock.patch.object(mutant_equal.layout, "ROOT", self.folder / "model"):
            return mutant_equal.is_same_code(source, self.find(change))

    def test_compiler(self):
        """a counter that nobody reads makes the same code, another constant does not"""
        self.assertTrue(self.same("calls++ -> nothing"))
        self.assertFalse(self.same("3 -> 4"))

    def listed(self, text):
        path = self.folder / "equal.csv"
        path.write_text(text)
        with mock.patch.object(mutant_equal, "LIST", path):
            return mutant_equal.listed()

    def test_list(self):
        """a list's row is a mutant's key and the reason; a malformed row is a sentence"""
        rows = self.listed('file,function,text,change,reason\na.c,f,"x, y",1 -> 2,equal: because\n')
        self.assertEqual(rows, {("a.c", "f", "x, y", "1 -> 2"): "equal: because"})
        for wrong in ("", "file\n", "file,function,text,change,reason\na.c,f,x,1 -> 2,\n",
                      "file,function,text,change,reason\na.c,f,x,1 -> 2,because\n"):
            with self.assertRaisesRegex(Problem, r"equal\.csv:\d: "):
                self.listed(wrong)


class Verdicts(Canned, unittest.TestCase):
    """The list decides on survivors."""

    def kind(self, listed, death, by_unit="", asks_units_first=False):
        run = mutants.Run.__new__(mutants.Run)
        run.programs, run.asks_units_first = {"test_a": 1}, asks_units_first
        mutant = self.found["model/work.c"][0]
        run.places = [1]
        run.listed = {key: "open: because" for key in (listed(mutant) if listed else [])}
        verdict = mutants.Verdict(mutant, 1)
        with (mock.patch.object(mutant_boots, "plan", return_value=[(None, [])]),
              mock.patch.object(mutant_boots, "run", return_value=death),
              mock.patch.object(mutant_units, "killer", return_value=by_unit) as self.killer,
              mock.patch.object(run, "is_same_code", return_value=False)):
            if asks_units_first:
                run.decide_by_units(verdict)
            if not asks_units_first or verdict.kind == "survived":
                run.decide(verdict, [])
        return verdict.kind

    def test_whole_file(self):
        """a row for a file makes its survivors open; the others are killed as before"""
        def whole(mutant):
            return [mutant_equal.whole_file(mutant)]
        self.assertEqual([self.kind(None, ""), self.kind(whole, ""), self.kind(whole, "red")],
                         ["survived", "open", "killed"])

    def test_unit(self):
        """a survivor of the suites is killed by a unit test that fails with it"""
        self.assertEqual([self.kind(None, "", "test_a: 1 - b"), self.kind(None, "")], ["killed", "survived"])

    def test_units_first(self):
        """with --units a mutant is booted if the unit tests do not kill it; they are asked once"""
        self.assertEqual([self.kind(None, None, "test_a: 1 - b", True), self.kind(None, "red", "", True)],
                         ["killed", "killed"])
        self.assertEqual(self.kind(None, None, "", True), "survived")
        self.assertEqual(self.killer.call_count, 1)

    def test_one(self):
        """a row for one mutant decides before it is booted"""
        self.assertEqual(self.kind(lambda mutant: [mutant.key], "red"), "open")


class Kernel(unittest.TestCase):
    """Files of the kernel have the unit tests that link them."""

    def test_programs(self):
        """programs name the files that they link"""
        self.assertEqual(mutant_kernel.programs(["pmu/drivers/amd_driver.c"]),
                         ["test_amd_driver", "test_program", "test_program_windows", "test_suspend"])
        self.assertEqual(mutant_kernel.programs([]), [])

    def test_unknown(self):
        """a file that is not there, or that no program links, is a sentence"""
        for name in ("pmu/drivers/none.c", "pmu/hooks.c"):
            with self.assertRaisesRegex(Problem, f"^{name} is no source that a program"):
                mutant_kernel.sources([name])

    def test_survivor(self):
        """what the unit tests do not kill survives: nothing is booted"""
        run = mutants.Run.__new__(mutants.Run)
        run.is_of_kernel, run.asks_units_first, run.seed = True, True, 1
        run.mutants = run.all = [mutate.Mutant("a.c", line, "f", "x", "x -> y", None, "y") for line in (1, 2)]
        run.lock, run.start = threading.Lock(), time.monotonic()

        def decide(verdict):
            verdict.kind = ("killed", "survived")[verdict.number - 1]
        with (mock.patch.object(run, "build_units"), mock.patch.object(run, "decide_by_units", decide),
              mock.patch.object(run, "say"), mock.patch.object(run, "build_machines") as machines):
            self.assertEqual([verdict.kind for verdict in run.run()], ["killed", "survived"])
        machines.assert_not_called()


def written(folder, **programs):
    """Makes these scripts the programs of unit tests, as long as the returned context holds."""
    for name, script in programs.items():
        path = pathlib.Path(folder) / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    return mock.patch.multiple(mutant_units, TREE=pathlib.Path(folder), PROGRAMS=pathlib.Path(folder))


class Units(unittest.TestCase):
    """Unit tests are programs that fail, hang or do neither."""

    def test_hang(self):
        """the quickest program is asked first, each until it takes far longer than it did without a mutant"""
        hangs = "[ $PMU_MUTANT != 2 ] || exec sleep 60"
        fails = "[ $PMU_MUTANT != 1 ] || { echo 'not ok 4 - b'; exit 1; }"
        with tempfile.TemporaryDirectory() as folder, \
                written(folder, test_slow=f"sleep 0.2; {fails}", test_quick=hangs), \
                mock.patch.object(mutant_units, "SECONDS_LEAST", 1):
            programs = mutant_units.quickest_first(["test_slow", "test_quick"])
            self.assertEqual(list(programs), ["test_quick", "test_slow"])
            self.assertEqual([mutant_units.killer(number, programs) for number in range(3)],
                             ["", "test_slow: 4 - b", "test_quick hangs"])

    def test_killed(self):
        """a program does not outlive the one that asks, however that ends"""
        with tempfile.TemporaryDirectory() as folder, written(folder, test_hang=f"echo $$ > {folder}/pid; exec sleep 60"):
            asks = os.fork()
            if asks == 0:
                mutant_units.run(mutant_units.PROGRAMS / "test_hang", 0, 60)
            pid = pathlib.Path(folder, "pid")
            self.assertTrue(taptest.wait_until(lambda: pid.exists() and pid.read_text()))
            os.kill(asks, 9)
            os.waitpid(asks, 0)
            self.assertTrue(taptest.wait_until(lambda: not taptest.is_alive(int(pid.read_text()))))

    def test_red(self):
        """a program that is red without a mutant is a sentence"""
        with tempfile.TemporaryDirectory() as folder, written(folder, test_red="exit 1"):
            with self.assertRaisesRegex(Problem, "^without a mutant, too: test_red: it died"):
                mutant_units.quickest_first(["test_red"])


class Kills(unittest.TestCase):
    """tests/mutants --kills: which cases of the unit tests kill a mutant, and which of them others stand for."""

    def test_red(self):
        """a case that fails kills, and so does the one in which the program dies or hangs"""
        script = """case $PMU_MUTANT in
            1) echo 'ok 1 - one'; echo 'not ok 2 - two'; echo 'ok 3 - three'; exit 1 ;;
            2) echo 'ok 1 - one'; kill -SEGV $$ ;;
            3) exec sleep 60 ;;
            4) echo 'not ok 1 - one'; exit 1 ;;
            *) printf 'ok 1 - one\nok 2 - two\nok 3 - three\n' ;; esac"""
        program = mutant_kills.Program("test_a", ("one", "two", "three"), 0, 0.01)
        with tempfile.TemporaryDirectory() as folder, written(folder, test_a=script):
            self.assertEqual([program.red(number) for number in range(5)], [[], ["two"], ["two"], ["one"], ["one"]])

    def test_measured(self):
        """a program reaches what any of its cases does; one that is red is a sentence"""
        reach = "printf '%s\n' '- 0.0 0' 'one 0.1 2' 'two 0.1 01' > $PMU_MUTANT_REACH; "
        with tempfile.TemporaryDirectory() as folder, written(
                folder, test_a=f"{reach}printf 'ok 1 - one\nok 2 - two\n'", test_b=f"{reach}echo 'not ok 1 - one'"):
            program = mutant_kills.measured("test_a")
            self.assertEqual((program.cases, program.reached), (("one", "two"), 1 << 1 | 1 << 4))
            with self.assertRaisesRegex(Problem, "^test_b is not green without a mutant"):
                mutant_kills.measured("test_b")

    def test_enough(self):
        """only programs that reach a mutant are asked, and none once enough cases kill it"""
        programs = [mock.Mock(reached=reached, red=mock.Mock(return_value=["x"])) for reached in (2, 1, 2, 2, 2)]
        self.assertEqual(len(mutant_kills.killers(1, programs)), mutant_kills.ENOUGH)
        self.assertEqual([program.red.call_count for program in programs], [1, 0, 1, 1, 0])

    def test_words(self):
        """mutants of tables and of the kernel are refused, before anything is compiled"""
        for words in (["--tables"], ["--kernel", "pmu/drivers/selects.c"]):
            with mock.patch("sys.stderr") as said, mock.patch.object(mutants, "Run") as run:
                self.assertEqual(mutants.main(["--kills", *words]), problems.BROKEN)
            run.assert_not_called()
            self.assertIn("--kills is for functions of the model", str(said.write.call_args_list))

    def test_spare(self):
        """a case is spare if others that stay kill all that it kills; of two equal ones one stays"""
        self.assertEqual(mutant_kills.spare({"a": {1, 2}, "b": {1}, "c": {3}, "d": set()}), ["d", "b"])
        self.assertEqual(mutant_kills.spare({"a": {1}, "b": {1}}), ["a"])


class Boots(unittest.TestCase):
    """A mutant is booted with the tests that reach it."""

    def machine(self, *tests, always=0, words=()):
        found = [mutant_boots.Test(name, seconds, reached) for name, seconds, reached in tests]
        row = matrix.Row("row", "must", "test", "model:pentium", list(words))
        return mutant_boots.Machine(row, found, always)

    def plan(self, number, *machines):
        return [(machines.index(machine), ids)
                for machine, ids in mutant_boots.plan(machines, number)]

    def test_reaching(self):
        """only tests that reach the mutant are run, first those of the fastest machine"""
        slow = self.machine(("a", 0.1, 2), ("b", 9, 2))
        fast = self.machine(("a", 0.1, 2), ("c", 0.1, 4))
        self.assertEqual(self.plan(1, slow, fast), [(1, ["a"]), (0, ["a", "b"])])
        self.assertEqual(self.plan(2, slow, fast), [(1, ["c"])])
        self.assertEqual(self.plan(3, slow, fast), [])

    def test_always(self):
        """a place that is reached before the first test belongs to all tests"""
        self.assertEqual(self.plan(3, self.machine(("a", 0.1, 2), always=8)), [(0, ["a"])])

    def test_enough(self):
        """a test has its say on two machines with one processor first, and on two with several"""
        found = [self.machine(("a", 0.1 + number, 2), words=["smp=1:1:2"] if number > 3 else [])
                 for number in range(8)]
        self.assertEqual(self.plan(1, *found),
                         [(at, ["a"]) for at in (0, 1, 4, 5, 2, 3, 6, 7)])


class CommandLine(unittest.TestCase):

    def test_wrong(self):
        """an unknown word ends it with status 2"""
        done = subprocess.run([taptest.TESTS / "mutants", "--sampel"], capture_output=True,
                              check=False)
        self.assertEqual(done.returncode, problems.BROKEN)


if __name__ == "__main__":
    taptest.main()

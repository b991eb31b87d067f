#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Quirks as edits of the reference: rows are read, edits find their place or stop the build."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402  (finds the runner)
from runner.defects import build, edits, events, rows    # noqa: E402
from runner.problems import Problem                 # noqa: E402

ROW = """\
# a comment
quirk: twice
defect: counts twice
source: made up
cpu: pentium
fact: counters.gp_width = 41
own: struct counter: bool is_odd
edit: core/count.c count
-\treturn a + b;
+\treturn 2 * (a + b);
"""
SOURCE = """\
/* A file. */
static int other(void)
{
\treturn 0;
}

/* Adds. */
int count(int a, int b)
{
\tint sum = a;

\tif (other()) /* never */
\t\treturn a - b;
\treturn a +
\t       b;
}
"""


def read(text):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "a.quirks").write_text(text)
        return rows.read(pathlib.Path(folder))


def built(text, source=SOURCE):
    """Returns the source with these rows' edits."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "core" / "count.c"
        path.parent.mkdir()
        path.write_text(source)
        return build.sources(read(text), model=pathlib.Path(folder))["core/count.c"]


def returned(text, number, call):
    """Returns the result of a program with these edits and this quirk."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a.c"
        path.write_text(f"unsigned model_quirk = {number}, model_is_free; unsigned long model_quirk_ran;\n{built(text)}\nint main(void) {{ return {call}; }}\n")
        subprocess.run(["gcc", "-w", "-o", f"{folder}/a", path], check=True)
        return subprocess.run([f"{folder}/a"], check=False).returncode


LIBERTY = """\
liberty: adds
does: adds more
source: s
machines: m
cpu: c
was: nothing
value: 3 3
insert: core/count.c count
 \tint sum = a;
+\tb += VALUE;
"""


def freed(text, is_on, quirks=""):
    """Returns what count(2, 3) gives with these liberties on or off, and how often the first one's lines ran."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "a.liberties").write_text(text)
        (path / "core").mkdir()
        (path / "core" / "count.c").write_text(SOURCE)
        made = build.sources(read(quirks), rows.liberties(path), path)["core/count.c"]
        (path / "a.c").write_text(
            f"unsigned model_quirk, model_is_free = {is_on}; unsigned char model_like[3] = {{ 0, {is_on}, {is_on} }};\n"
            f"long model_like_value[3] = {{ 0, 3, 4 }}; unsigned long model_ran[3], model_quirk_ran;\n{made}\n"
            "int main(void) { int n = count(2, 3); return n + 100 * (int)model_ran[1]; }\n")
        subprocess.run(["gcc", "-w", "-o", f"{folder}/a", f"{folder}/a.c"], check=True)
        return subprocess.run([f"{folder}/a"], check=False).returncode


class Liberties(unittest.TestCase):

    def test_inserted(self):
        """a liberty's lines run if it is on, with its number, and are counted"""
        self.assertEqual([freed(LIBERTY, 0), freed(LIBERTY, 1)], [5, 108])

    def test_together(self):
        """several are on at once, also in a function that all quirks change"""
        two = LIBERTY + "\n" + LIBERTY.replace("adds\n", "adds_again\n", 1)
        always = ROW.replace("twice", "always").replace("return 2 * (a + b)", "return 50 + a + b")
        self.assertEqual([freed(two, 0), freed(two, 1)], [5, 112])
        self.assertEqual([freed(LIBERTY, 0, always), freed(LIBERTY, 1, always)], [5, 158])

    def test_refused(self):
        """what replaces lines, or finds no place, or contradicts another liberty, is refused"""
        fact = LIBERTY.replace("value: 3 3", "fact: counters.gp_width = 41")
        for text, said in ((f"{LIBERTY}-\treturn a +\n", "an insertion needs lines"),
                           (LIBERTY.replace("int sum", "int gone"), "an insertion needs lines"),
                           (LIBERTY.replace("insert:", "edit:"), "no key 'edit'"),
                           (fact + "\n" + fact.replace("adds\n", "b\n", 1).replace("41", "42"), "another one 41")):
            with self.assertRaisesRegex(Problem, said):
                freed(text, 1)


class Rows(unittest.TestCase):

    def test_row(self):
        """a row has its texts, facts, own fields and edits"""
        row = read(ROW)[0]
        self.assertEqual((row.name, row.texts["cpu"], row.facts, row.own),
                         ("twice", "pentium", [("counters.gp_width", "41")], [("counter", "bool is_odd")]))
        self.assertEqual((row.edits[0].file, row.edits[0].function), ("core/count.c", "count"))
        self.assertEqual((row.edits[0].old, row.edits[0].new), ("\treturn a + b;", "\treturn 2 * (a + b);"))

    def test_each(self):
        """`each:` makes a row for each of its values, which take the words' places in all of the paragraph"""
        first, second = read(ROW.replace("twice", "twice-N").replace("cpu: pentium", "cpu: CPU\neach: N CPU = 2 pentium, 3 p6")
                             .replace("2 * (a + b)", "N * (a + b)"))
        self.assertEqual([(row.name, row.texts["cpu"], row.edits[0].new) for row in (first, second)],
                         [("twice-2", "pentium", "\treturn 2 * (a + b);"), ("twice-3", "p6", "\treturn 3 * (a + b);")])

    def test_refused(self):
        """malformed rows are refused, with their line"""
        for text, said in (("defect: x\n", "a row begins with quirk: NAME"), (f"{ROW}nonsense\n", "KEY: VALUE"),
                           (f"{ROW}\nkind: x\n", "no key 'kind'"), (f"{ROW}\n+\tx;\n", "after edit: or add:"),
                           (ROW.replace(" = 41", ""), "lacks ' = '"), (ROW.replace("cpu: pentium\n", ""), "lacks cpu"),
                           (f"{ROW}\n{ROW}", "another quirk twice"), (f"{ROW}each: A B = 1, 2 3\n", "as many values")):
            with self.assertRaisesRegex(Problem, said):
                read(text)

    def test_shown(self):
        """tests/quirks --show prints a row's defect and its diff; a name that is none ends with status 2"""
        run = taptest.Run("--show", "zero-overflows", program="quirks")
        self.assertEqual((run.status, run.out[0]), (0, "# a preset of 0 overflows with the first event"))
        self.assertIn("+\tc->limit = c->mask;", run.out)
        self.assertEqual(taptest.Run("--show", "zero-overflow", program="quirks").status, 2)

    def test_all(self):
        """each quirk's row changes something; the one that changes nothing is named so"""
        self.assertEqual([row.name for row in rows.quirks() if not (row.facts or row.edits or row.events)],
                         ["nothing"])


def looked_up(lines, select, umask, counter=0):
    """Returns the event select and unit mask that a quirk with these lines `event:` makes of another one."""
    row = ROW.partition("fact:")[0] + "".join(f"event: {line}\n" for line in lines)
    main = (f"int main(void) {{ uint32_t select = {select}; uint8_t umask = {umask}; "
            f'model_quirk_event({counter}, &select, &umask); printf("%x %x", select, umask); return 0; }}')
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a.c"
        path.write_text("#include <stdint.h>\n#include <stdio.h>\n#include <arch/regs/table.h>\n"
                        "unsigned model_quirk = 1;\nunsigned long model_quirk_ran;\n" + events.tables(build.numbered(read(row))) + main)
        subprocess.run(["gcc", "-w", "-I", taptest.ROOT, "-o", f"{folder}/a", path], check=True)
        return subprocess.run([f"{folder}/a"], check=True, text=True, capture_output=True).stdout


class Events(unittest.TestCase):

    def test_forms(self):
        """each form of a wrong row changes that event, and no other one"""
        for line, counter, before, after in (("1D4H counts C0H", 0, (0x1d4, 1), "c0 1"),
                                             ("1D4H counts C0H", 0, (0x1d5, 1), "1d5 1"),
                                             ("76H counts nothing", 3, (0x76, 0), "ffffffff 0"),
                                             ("76H counts nothing on counter 3", 3, (0x76, 0), "ffffffff 0"),
                                             ("76H counts nothing on counter 3", 2, (0x76, 0), "76 0"),
                                             ("CBH keeps 03H", 0, (0xcb, 0x0e), "cb 2"),
                                             ("CBH swaps 02H 08H", 0, (0xcb, 0x03), "cb 9"),
                                             ("CBH swaps halves", 0, (0xcb, 0x31), "cb 13")):
            with self.subTest(f"{line}: {before[0]:x}"):
                self.assertEqual(looked_up([line], *before, counter), after)

    def test_several(self):
        """one quirk may have several wrong rows; an event that one of them gives is not looked up again"""
        lines = ["24H counts 25H", "25H counts 26H"]
        self.assertEqual([looked_up(lines, select, 0) for select in (0x24, 0x25)], ["25 0", "26 0"])

    def test_refused(self):
        """a line of another form is refused, with its place"""
        for line in ("24 counts 25H", "24H swaps 03H 04H", "24H swaps 04H 02H", "24H counts 25H on counter x"):
            with self.assertRaisesRegex(Problem, "a.quirks:6: .*24"):
                looked_up([line], 0x24, 0)


class Edits(unittest.TestCase):

    def test_chosen(self):
        """the quirk's number chooses what runs; blanks and comments do not matter"""
        self.assertEqual(returned(ROW, 0, "count(2, 3)"), 5)
        self.assertEqual(returned(ROW, 1, "count(2, 3)"), 10)

    def test_added(self):
        """a function that a quirk adds is its own, also where two add one of a name"""
        two = "".join(f"""\
quirk: q{factor}
defect: d
source: s
cpu: c
add: core/count.c count
+static int helper(int n)
+{{
+\treturn n * {factor};
+}}
edit: core/count.c count
-\treturn a + b;
+\treturn helper(a + b);

""" for factor in (3, 4))
        self.assertEqual([returned(two, number, "count(2, 3)") for number in (0, 1, 2)], [5, 15, 20])

    def test_always(self):
        """the row named always is in all quirks, and not in the reference"""
        always = ROW.replace("twice", "always").replace("return 2 * (a + b)", "return 7")
        one = ROW.replace("-\treturn a + b;\n+\treturn 2 * (a + b);", " \tint sum = a;\n+\ta = 0;")
        self.assertEqual([returned(f"{always}\n{one}", number, "count(2, 3)") for number in (0, 1)], [5, 7])

    def test_stale(self):
        """an edit whose text is not there, or twice, or whose function or file is gone, stops the build"""
        for text, said in (
                (ROW.replace("return a + b", "return a * b"),
                 r"a\.quirks:8: quirk twice: core/count\.c, count has no: return a \* b;"),
                (ROW.replace("return a + b;", "return a"), "count has 2 times: return a"),
                (ROW.replace("count.c count", "count.c gone"), r"quirk twice: core/count\.c has no function gone"),
                (ROW.replace("core/count.c", "core/gone.c"), r"quirk twice: there is no model/core/gone\.c")):
            with self.assertRaisesRegex(Problem, said):
                built(text)

    def test_build(self):
        """the build of all quirks ends with that sentence, and a status of its own"""
        stale = ROW.replace("core/count.c count", "core/counters.c model_counter_set")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.quirks"
            path.write_text(stale)
            program = (f"import pathlib, sys; sys.path.insert(0, 'tests'); from runner.defects import build, rows;"
                       f"rows.FOLDER = pathlib.Path({folder!r}); rows.read.__defaults__ = (rows.FOLDER,);"
                       f"sys.exit(build.main([{folder + '/out'!r}]))")
            done = subprocess.run([sys.executable, "-B", "-c", program], cwd=taptest.ROOT, text=True,
                                  capture_output=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"a\.quirks:8: quirk twice: core/counters\.c, model_counter_set has no: return a \+ b;")

    def test_place(self):
        """an edit of the glue goes to the module's own folder, any other to the model's"""
        folder = pathlib.Path("module")
        self.assertEqual(build.place_of(folder, "bochs/instrument.cc"), folder / "instrument.cc")
        self.assertEqual(build.place_of(folder, "core/counters.c"), folder / "model/core/counters.c")

    def test_own(self):
        """a struct gets further fields at its end"""
        self.assertEqual(edits.with_own("struct a {\n\tint b;\n};\n", "a", ["bool c", "bool d;"]),
                         "struct a {\n\tint b;\n\tbool c;\n\tbool d;\n};\n")
        self.assertIsNone(edits.with_own("struct a {\n\tint b;\n};\n", "z", ["bool c"]))


if __name__ == "__main__":
    taptest.main()

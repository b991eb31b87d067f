#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""docs/lessons: each page is typed on its machine, and the monitor answers as the page says."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner.people import lessons, pages, pictures, replay, tutor          # noqa: E402
from runner.problems import Problem                 # noqa: E402
from targets import model                           # noqa: E402

FIRST = 1                       # the lesson that is broken on purpose
QUIRK = "one-in-1024-is-lost"   # counts of lesson 1 are wrong with it, by one or two


class Replayed(unittest.TestCase):
    """Each lesson, all of them typed side by side before the first is judged."""
    outcomes = {}

    @classmethod
    def setUpClass(cls):
        pages = lessons.load()
        cls.outcomes = {page.number: outcome for page, outcome in zip(pages, replay.replay_all(pages))}

    def judge(self, number):
        self.assertEqual(self.outcomes[number].wrong, "")
        self.assertTrue(self.outcomes[number].answers)


def a_test(page):
    def test(self):
        self.judge(page.number)
    test.__doc__ = f"lesson {page.number}, {page.title}: the monitor answers as the page says"
    return test


for one in lessons.load():
    setattr(Replayed, f"test_{one.number:02}", a_test(one))


class Broken(unittest.TestCase):
    """Differences from a page are found."""

    def test_build(self):
        """a kernel that was linked otherwise has other addresses, and so other mispredictions; nothing else differs"""
        row, moved = "   9  147D49H    call+9H           147D42H    call+2H", "   9  161389H    call+9H           161382H    call+2H"
        for want, got, good in ((row, moved, True), (f"{row}           mispredicted", moved, True), (row, moved + " mispredicted", True),
                                (row, row.replace("call+9H", "call+8H"), False), (row, row + " taken", False),
                                ("100 mispredicted", "100", False)):
            with self.subTest(want=want, got=got):
                self.assertEqual(lessons.is_alike(want, got, 0), good)

    def test_difference(self):
        """the first line that differs is found, lines left out or not"""
        for want, got, found in (("a b", "a b", None), ("a b", "a c", (1, "c")), ("a b", "a", (1, None)),
                                 ("a", "a b", (1, "b")), ("", "a", (0, "a")), ("...", "a b", None),
                                 ("... b", "a b", None), ("a ... c d", "a b b c d", None),
                                 ("... c", "a b", (1, None)), ("... b", "a b c", (2, "c")),
                                 ("a...d", "abcd", None), ("a...d", "abc", (0, "abc")),
                                 ("=103A5CH", "=2FFFFFH", None), ("103A5CH", "403A5CH", None),
                                 ("103A5CH", "413A5CH", None), ("103A5CH", "503A5CH", (0, "503A5CH")),
                                 ("4100C0H", "4200C0H", (0, "4200C0H"))):
            with self.subTest(f"{want}, {got}"):
                self.assertEqual(lessons.difference(want.split(), got.split()), found)

    def test_about(self):
        """if a page says so numbers may be off, by so many or by 2 %, and nothing else"""
        for want, got, good in (("a 100  5.00", "a 102 5.01", True), ("a 100", "a 105", False),
                                ("a 100000", "a 101900", True), ("a 0", "a -2", True), ("a 0", "b 0", False),
                                ("x+AH 2 ###", "x+CH 1 #", True), ("x+AH", "x+1AH", False),
                                ("a 1", "a 1 2", False), ("a 100 ...", "a 102 more", True)):
            with self.subTest(f"{want}, {got}"):
                self.assertEqual(lessons.is_alike(want, got, 2), good)
                self.assertEqual(lessons.difference([want], [got], 2) is None, good)

    def test_page(self):
        """a page with another answer is named, with its line, got and want"""
        page = lessons.load([FIRST])[0]
        step = next(step for step in page.parts[0].steps if len(step.answer) > 1)
        page.lines[step.number + 1] += " not so"
        outcome = replay.replay((lessons.Lesson(page.path, "\n".join(page.lines)), {}))
        self.assertEqual(outcome.wrong.splitlines(), [
            f'{page.shown}:{step.number + 2}: after "{step.text}"', f"  got:  {step.answer[1]}",
            f"  want: {step.answer[1]} not so"])

    def test_model(self):
        """a model that counts wrong is found"""
        outcome = replay.replay((lessons.load([FIRST])[0], {model.QUIRK: QUIRK}))
        self.addCleanup(os.environ.pop, model.QUIRK, None)
        self.assertIn("docs/lessons/01-first-counter.md:", outcome.wrong)
        self.assertIn("  got:  2006  (7D6H)\n  want: 2007  (7D7H)", outcome.wrong)

    def test_format(self):
        """a malformed page is refused, with its line"""
        path, machine = lessons.FOLDER / "07-x.md", "Machine: `model:pentium_mmx`\n"
        for text, sentence in (
                ("", "1: a lesson's first line is"), ("# 8 X", "1: a lesson's first line is"),
                ("# 7 X\nMachine: model:x\n", "2: a machine is"), ("# 7 X\nMachine: `A=b`", "2: there is no"),
                ("# 7 X\n```\n> help\n```", "3: no line 'Machine: ...'"),
                (f"# 7 X\n{machine}```\nhelp\n```", "4: a block begins with what is typed"),
                (f"# 7 X\n{machine}```\n> quit\n```", "4: quit ends the machine"),
                (f"# 7 X\n{machine}```\n> help", "3: this block has no end"),
                (f"# 7 X\n{machine}```c\n> x\n```", "5: nothing is typed"),
                ("# 7 X\n", "1: nothing is typed")):
            with self.subTest(sentence), self.assertRaisesRegex(Problem, "docs/lessons/07-x.md:" + sentence):
                lessons.Lesson(path, text)


class Pictures(unittest.TestCase):

    def test_pictures(self):
        """each SVG is made of its text, by tests/lessons --write"""
        self.assertTrue(list(pictures.both()))
        for path, wanted in pictures.both():
            lines = path.with_suffix(".txt").read_text(encoding="ascii").splitlines()
            self.assertLessEqual(max(map(len, lines)), pages.MOST, f"{path}: the prompt has no more columns")
            with self.subTest(path.name):
                self.assertEqual(path.read_text(), wanted)


class Exercises(unittest.TestCase):

    def test_answers(self):
        """each lesson has an exercise whose answer `check` judges"""
        for page in lessons.load():
            with self.subTest(page.shown):
                self.assertTrue(page.answers)
                for number, answers in page.answers.items():
                    learner = tutor.Tutor(page, 1)
                    said = learner.obey(f"check {number} {answers[-1]}")
                    self.assertEqual(said[0], f"Right: {answers[-1]} is the answer of exercise {number}.")
                    self.assertIn(f"The answer of exercise {number} has ", learner.obey(f"hint {number}")[0])


class Index(unittest.TestCase):

    def test_index(self):
        """docs/lessons/README.md has each lesson, by its number, with a link"""
        index = (lessons.FOLDER / "README.md").read_text()
        rows = [line for line in index.splitlines() if lessons.re.match(r"\| \d", line)]
        self.assertEqual([row.split(" | ")[:2] for row in rows],
                         [[f"| {page.number}", f"[{page.title}]({page.path.name})"]
                          for page in lessons.load()])


if __name__ == "__main__":
    taptest.main()

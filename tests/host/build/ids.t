#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/ids.csv: each mistake in a register of ids gets one line, with its place and what to do."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import layout                      # noqa: E402
from runner.checks import ids                      # noqa: E402

HEAD = "# SPDX\nnumber,id,status,reason\n"
GOOD = "1,a.one,live,\n2,a.old,retired,\"it was wrong, a.one is right\"\n3,b.two,live,\n"
LISTED = {"a.one", "b.two"}


class Judged(unittest.TestCase):
    """Registers of a temporary folder, and lists that no kernel gave."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="barecount-ids-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "ids.csv"

    def judge(self, rows, listed=frozenset(LISTED)):
        """Returns the complaints about a register with these rows."""
        self.path.write_text(HEAD + rows)
        return [line.removeprefix(str(self.path)) for line in ids.breaches(self.path, set(listed))]


class Register(Judged):
    """Mistakes in a register itself, and against the lists of the kernels, are found."""

    def test_good(self):
        """a register that agrees with the kernels is good"""
        self.assertEqual(self.judge(GOOD), [])

    def test_missing(self):
        """an id without a row is named, with the row to add"""
        self.assertEqual(self.judge(GOOD, LISTED | {"d.new", "c.new"}),
                         [": no row for 'c.new': add \"4,c.new,live,\"",
                          ": no row for 'd.new': add \"5,d.new,live,\""])

    def test_room(self):
        """a number that the kernel's sets have no bit for is named, once"""
        names = [f"a.t{number}" for number in range(1, 2600)]
        rows = "".join(f"{number},{name},live,\n" for number, name in enumerate(names, 1))
        self.assertEqual(self.judge(rows, set(names)),
                         [":2562: number 2560 does not fit into kernel/log/id_set.h: make ID_SET_SIZE larger"])

    def test_gone(self):
        """a live row that no kernel lists is named, with the row to write"""
        self.assertEqual(self.judge(GOOD, {"a.one"}),
                         [":5: no kernel lists 'b.two': write \"3,b.two,retired,REASON\""])

    def test_returned(self):
        """a retired id is never used again"""
        self.assertEqual(self.judge(GOOD, LISTED | {"a.old"}),
                         [":4: retired 'a.old' is listed by a kernel: give the test another id"])

    def test_reasons(self):
        """a retired row has a reason, and a live one has none"""
        self.assertEqual(self.judge("1,a.one,live,why\n2,a.old,retired,\n3,b.two,live,\n"),
                         [":3: live 'a.one' has a reason: leave the last column empty",
                          ":4: retired 'a.old' has no reason: write why it went, and what took its place"])

    def test_status(self):
        """a status is one of two words"""
        self.assertEqual(self.judge(GOOD.replace("1,a.one,live", "1,a.one,alive")),
                         [":3: status 'alive': write live or retired"])

    def test_numbers(self):
        """numbers begin with 1 and have no gap; the first wrong one is named"""
        for bad in ("4", "2", "03", "x", ""):
            with self.subTest(bad):
                self.assertEqual(self.judge(GOOD.replace("3,b.two", f"{bad},b.two")),
                                 [f":5: number {bad} of 'b.two' is where 3 belongs: "
                                  "rows are appended, and numbers go up by one"])
        self.assertEqual(len(self.judge("4,c.new,live,\n" + GOOD, LISTED | {"c.new"})), 1)

    def test_twice(self):
        """an id has one row"""
        self.assertEqual(self.judge(GOOD + "4,a.one,live,\n"),
                         [":6: 'a.one' has number 1: remove this row"])

    def test_columns(self):
        """a row has four columns; comments and empty lines are no rows"""
        self.assertEqual(self.judge("# a comment\n\n" + GOOD + "4,c.new,live\n"),
                         [":8: 3 columns: write number,id,status,reason"])


@unittest.skipUnless(shutil.which("git"), "no git")
class Committed(Judged):
    """Registers of a repository."""

    def git(self, *words):
        subprocess.run(["git", "-C", self.path.parent, "-c", "user.name=a", "-c", "user.email=a@b",
                        "-c", "commit.gpgsign=false", *words], check=True, capture_output=True)

    def commit(self, rows):
        """Commits a register with these rows."""
        self.path.write_text(HEAD + rows)
        self.git("init", "-q")
        self.git("add", "ids.csv")
        self.git("commit", "-q", "-m", "a register")

    def test_warm_log(self):
        """a row may be appended, and a live one retired"""
        self.commit(GOOD)
        self.assertEqual(self.judge(GOOD + "4,c.new,live,\n", LISTED | {"c.new"}), [])
        self.assertEqual(self.judge(GOOD.replace("3,b.two,live,", "3,b.two,retired,gone"), {"a.one"}), [])

    def test_changed(self):
        """a number that was committed keeps its id"""
        self.commit(GOOD)
        self.assertEqual(self.judge("1,a.one,live,\n2,a.new,live,\n3,b.two,live,\n", LISTED | {"a.new"}),
                         [":4: number 2 was 'a.old': write that id again, and append 'a.new'"])

    def test_removed(self):
        """a row that was committed stays"""
        self.commit(GOOD)
        self.assertEqual(self.judge(GOOD.replace("3,b.two,live,\n", ""), {"a.one"}),
                         [": number 3, 'b.two', is gone: add its row again, as retired"])

    def test_branch(self):
        """on a branch the rows of the origin stay, and the branch's own rows may change"""
        self.commit(GOOD)
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
        self.commit(GOOD + "4,c.new,live,\n")
        self.assertEqual(self.judge(GOOD + "4,d.new,live,\n", LISTED | {"d.new"}), [])
        self.assertEqual(len(self.judge(GOOD.replace("a.old", "c.old"))), 1)


class Kernels(taptest.Case):
    """The ids are read from the kernels' files."""

    def test_lists(self):
        """the ids that are read from a kernel's file are those that the kernel lists"""
        for bits in layout.KERNELS:
            with self.subTest(bits=bits):
                run = taptest.Run("qemu:Nehalem", "via=kernel", f"bits={bits}", "list", "broken")
                self.check(run, 0)
                printed = [line.split()[2] for line in run.out if line.startswith("# test ")]
                self.assertEqual(sorted(ids.listed(bits)), sorted(printed))

    def test_ours(self):
        """the register of the project agrees with both kernels"""
        self.assertEqual(ids.breaches(layout.IDS, ids.listed(32) | ids.listed(64)), [])


if __name__ == "__main__":
    taptest.main()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/linux/fetch without what it needs: each ends with status 77 and a sentence, and boots pass it on."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner.guests import debian                    # noqa: E402
from runner.problems import Unavailable             # noqa: E402

MIRROR = 'case "$*" in *indextargets*) echo "Debian main http://mirror.invalid/debian" ;; '
SHOWS = '*" show "*) echo "Depends: linux-base-amd64, linux-image-{} (= 1)" ;; '
OFFLINE = '*update) echo "Err:1 http://mirror.invalid/debian Could not resolve \'mirror.invalid\'" >&2 ;; '
LOST = '*download*) echo "E: Failed to fetch http://mirror.invalid/linux.deb  404  Not Found" >&2; exit 100 ;; '
NOTHING = "*install*) echo 'E: Unable to locate package linux-perf' >&2; exit 100 ;; "
# What is asked for, what apt does, and a part of the sentence.
CASES = (
    ("kvm-7.3", "case x in ", "apt names no Debian mirror"),
    ("kvm-7.3", MIRROR + OFFLINE, "Could not resolve 'mirror.invalid'"),
    ("kvm-7.3", MIRROR + SHOWS.format("7.3.9-amd64") + LOST, "404  Not Found"),
    ("kvm-7.3", MIRROR + SHOWS.format("7.4.1-amd64"), "trixie-backports has version 7.4.1-amd64"),
    ("kvm-newest", MIRROR + OFFLINE, "Could not resolve 'mirror.invalid'"),
    ("kvm-newest", MIRROR + SHOWS.format("7.9.1-amd64") + LOST, "404  Not Found"),
    ("perf-7.3", MIRROR + NOTHING, "Unable to locate package"),
)


class Fetch(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tools, self.cache = pathlib.Path(folder.name) / "tools", pathlib.Path(folder.name) / "cache"
        self.tools.mkdir()

    def environment(self, cases):
        """Returns the environment of an apt that does no more than this."""
        for name in ("apt-get", "apt-cache"):
            tool = self.tools / name
            tool.write_text(f"#!/bin/sh\n{cases} *) ;; esac\n", encoding="utf-8")
            tool.chmod(0o755)
        return {"PATH": f"{self.tools}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(self.cache)}

    def fetch(self, what, cases):
        return subprocess.run([taptest.TESTS / "linux" / "fetch", what], capture_output=True, text=True, check=False,
                              env={**os.environ, **self.environment(cases)})

    def test_unavailable(self):
        """offline, a package that is gone, and a distribution that has moved on: status 77, with the reason last"""
        for what, cases, said in CASES:
            with self.subTest(said):
                run = self.fetch(what, cases)
                self.assertEqual((run.returncode, run.stdout), (77, ""), run.stderr)
                self.assertIn(said, run.stderr.splitlines()[-1])
                self.assertEqual([*self.cache.rglob("*.tar")], [])

    def test_kept(self):
        """what is in the cache is taken without asking, but for the newest kernel"""
        for name in ("kvm-7.3-modules-7.3.4.tar", "kvm-newest-modules-7.3.4.tar"):
            (self.cache / "barecount" / "linux").mkdir(parents=True, exist_ok=True)
            (self.cache / "barecount" / "linux" / name).touch()
        kept = self.fetch("kvm-7.3", MIRROR + OFFLINE)
        self.assertEqual((kept.returncode, pathlib.Path(kept.stdout.strip()).name), (0, "kvm-7.3-modules-7.3.4.tar"))
        self.assertEqual(self.fetch("kvm-newest", MIRROR + OFFLINE).returncode, 77)

    def test_boots(self):
        """a boot that needs the file is not available, for the same reason"""
        before = dict(os.environ)
        self.addCleanup(os.environ.update, before)
        os.environ.update(self.environment(MIRROR + OFFLINE))
        with self.assertRaisesRegex(Unavailable, "Could not resolve"):
            debian.fetch("kvm-7.3")


if __name__ == "__main__":
    taptest.main()

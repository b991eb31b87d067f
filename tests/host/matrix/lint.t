#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""make lint: what a tool finds is a breach if the house follows its version, and a note if it does not."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import taptest                                      # noqa: E402

PINNED = re.search(r"^cppcheck\s+(\S+)$", (taptest.TESTS / "pinned").read_text(), re.MULTILINE)[1]
FINDING = "kernel/none.c:1: warning: a test's finding (none)"
CPPCHECK = """\
#!/bin/sh
case $* in *--version*) echo 'Cppcheck {version}';; *) echo '{finding}' >&2;; esac
"""


class Lint(taptest.Case):
    """A cppcheck that finds something whatever it reads."""

    def lint(self, version):
        """Returns the exit status of make lint with a cppcheck of this version, and what it printed."""
        with tempfile.TemporaryDirectory() as folder:
            fake = pathlib.Path(folder) / "cppcheck"
            fake.write_text(CPPCHECK.format(version=version, finding=FINDING.replace("'", "'\\''")))
            fake.chmod(0o755)
            environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
            done = subprocess.run(["make", "lint"], cwd=taptest.ROOT, capture_output=True, text=True, check=False,
                                  env={**environment, "PATH": f"{folder}:{os.environ['PATH']}"})
        return done.returncode, done.stdout + done.stderr

    def test_other(self):
        """a finding of another version is a note that names the version, and lint passes"""
        status, said = self.lint("99.9")
        self.assertEqual(status, 0, said)
        self.assertIn(f"note (cppcheck 99.9): {FINDING}\n", said)

    def test_pinned(self):
        """the same finding of the version in tests/pinned is a breach"""
        status, said = self.lint(PINNED)
        self.assertNotEqual(status, 0, said)
        self.assertIn(f"\n{FINDING}\n", f"\n{said}")


if __name__ == "__main__":
    taptest.main()

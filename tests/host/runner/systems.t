#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/systems: what it takes, what it says when a system cannot be had, and which systems README names."""
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import taptest                                      # noqa: E402

DEBOOTSTRAP = "#!/bin/sh\necho 'E: Failed getting release file'\nexit 1\n"


def systems(*arguments):
    """Runs tests/systems with an empty cache and a debootstrap that finds no suite."""
    with tempfile.TemporaryDirectory() as folder:
        fake = pathlib.Path(folder) / "debootstrap"
        fake.write_text(DEBOOTSTRAP)
        fake.chmod(0o755)
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "XDG_CACHE_HOME": folder}
        return subprocess.run([taptest.TESTS / "systems", *arguments], capture_output=True, text=True, check=False,
                              env=environment)


class Systems(taptest.Case):
    """Without an installation, which takes minutes: make systems."""

    def test_unknown(self):
        """a suite without a row is refused, with the one that was meant"""
        run = systems("trixi")
        self.assertEqual(run.returncode, 2)
        self.assertIn("trixie", run.stderr)

    @unittest.skipIf(os.getuid(), "only root installs a system into a folder")
    def test_absent(self):
        """a suite that the archive lacks is not available: status 77, and debootstrap's own words"""
        run = systems("trixie")
        self.assertEqual((run.returncode, run.stderr.count("\n")), (77, 1), run.stderr)
        self.assertIn("E: Failed getting release file", run.stderr)

    def test_readme(self):
        """README, CONTRIBUTING and the page of systems name those that must pass, and no others"""
        with open(taptest.TESTS / "systems.csv", encoding="utf-8", newline="") as file:
            must = [row["name"].removeprefix("Debian ") for row in csv.DictReader(file) if row["need"] == "must"]
        for page in ("README.md", "CONTRIBUTING.md"):
            named = re.findall(r"\bDebian (\d+(?: or \d+)*)\b", (taptest.ROOT / page).read_text())
            self.assertEqual(named, [" or ".join(must)], page)
        table = (taptest.ROOT / "docs" / "systems.md").read_text()
        self.assertEqual(re.findall(r"^\| Debian (\d+), ", table, re.MULTILINE), must)


if __name__ == "__main__":
    taptest.main()

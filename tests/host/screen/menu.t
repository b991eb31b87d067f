#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""GRUB's menu: it names every suite, and each entry does what it says."""
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import hands                                        # noqa: E402
import taptest                                      # noqa: E402

MENU = (taptest.ROOT / "iso" / "grub.cfg").read_text()
SUITE = re.compile(r"^# test ([a-z0-9_]+)\.", re.MULTILINE)


class Menu(unittest.TestCase):

    def test_choices(self):
        """a setting, the 32-bit kernel, is kept for the next choice; the menu has all suites"""
        with hands.Machine("Nehalem", configuration=["set timeout=-1"]) as machine:
            machine.choose("Settings (64-bit kernel)")
            machine.choose("32-bit kernel")
            machine.choose("List the tests")
            said = machine.until("1..0 # SKIP list")
        self.assertIn(", 32-bit\n", said)
        listed = re.search(r"for suite in ([^;]*);", MENU)[1].split()
        self.assertEqual(sorted(listed), sorted(set(SUITE.findall(said))))

    def test_old(self):
        """the entry of a suite that only the 32-bit kernel has takes that kernel, whatever the setting"""
        with hands.Machine("Nehalem", configuration=["set timeout=-1"]) as machine:
            machine.choose("Test one suite")
            machine.choose("p6")
            said = machine.until("\n1..")
        self.assertIn(", 32-bit\n", said)


if __name__ == "__main__":
    taptest.main()

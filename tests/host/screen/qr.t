#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The screen after a run: a QR code of the summary beside the log's end, and keys that show the log."""
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import hands                                        # noqa: E402
import taptest                                      # noqa: E402
from runner import screen                           # noqa: E402

WORDS = ("serial=no", "only=broken.fails,rdpmc.exists,rdpmc.mode.cpl0,rdtsc.mode.cpl?,summary", "broken")
VERSION = re.search(r'BARECOUNT_VERSION "([^"]+)"', (taptest.ROOT / "kernel/lib/version.h").read_text())[1]
KEY_SECONDS = 10                # a screen is drawn within milliseconds
SUMMARY, LOG = "Enter:log", "arrows, PgUp, PgDn"
NEHALEM = "GenuineIntel 106A3"                      # CPUID.1:EAX of QEMU's


def has(text):
    return lambda lines: any(text in line for line in lines)


def wanted(lines, bits=64):
    """Returns what the QR code must say, from the log's own lines, which the screen shows in full."""
    totals, failed = (next(line.partition(start)[2] for line in lines if line.startswith(start))
                      for start in ("# passed ", "# failed: "))
    passed, bad = (int(re.search(rf"{name}(\d+)", f"passed {totals}")[1]) for name in ("passed ", "failed "))
    return [f"BARECOUNT {VERSION} {bits} {NEHALEM.upper()} FAIL P{passed} F{bad}", *failed.split()]


def decoded(said):
    done = subprocess.run([taptest.TESTS / "decode", said.strip()], text=True, capture_output=True, check=False)
    return done.stdout.splitlines() or [done.stderr]


class AfterTheRun(unittest.TestCase):

    def check_code(self, machine):
        machine.screen_until(has(SUMMARY))
        said = machine.qr_code()
        machine.press("ret")
        lines = machine.screen_until(has(LOG))
        self.assertEqual(sorted(decoded(said)), sorted(wanted(lines)))
        self.assertEqual(len(decoded(said)), 4, "three ids, as three tests fail")
        self.assertIn("scan the code again", decoded(said.replace("F3", "F4"))[0])
        return lines

    def test_text_screen(self):
        """on VGA's text screen the code says what the log does, and keys show all of the log"""
        with hands.Machine("Nehalem", *WORDS) as machine:
            end = self.check_code(machine)

            machine.press("home")
            first = machine.screen_until(has("TAP version 13"))
            machine.press("down")
            down = machine.screen_until(lambda lines: lines[0] == first[1])
            self.assertEqual(down[:-2], first[1:-1])
            machine.press("down")
            machine.screen_until(lambda lines: lines[0] == first[2])
            machine.press("up")
            machine.screen_until(lambda lines: lines[:-1] == down[:-1], KEY_SECONDS)
            machine.press("home")
            machine.screen_until(lambda lines: lines == first)

            machine.press("pgdn")                       # the pages follow one another, to the end
            second = machine.screen_until(lambda lines: lines != first and has(LOG)(lines))
            self.assertNotIn(second[0], first[:-1])
            machine.press("pgup")
            machine.screen_until(lambda lines: lines == first)
            machine.press("end")
            machine.screen_until(lambda lines: lines == end)

            machine.press("esc")
            machine.screen_until(has(SUMMARY))
            self.assertEqual(sorted(decoded(machine.qr_code())), sorted(wanted(end)))

    def test_search_keys(self):
        """n goes from failure to failure, / to a text, m to the monitor and its exit back"""
        with hands.Machine("Nehalem", *WORDS) as machine:
            machine.screen_until(has(SUMMARY))
            failures = []
            for _ in range(3):
                machine.press("n")
                lines = machine.screen_until(lambda lines: has(LOG)(lines) and lines[0] not in failures, KEY_SECONDS)
                failures.append(lines[0])
            self.assertEqual([line.split()[:2] for line in failures], [["not", "ok"]] * 3)
            machine.press("home")
            machine.screen_until(lambda lines: lines[0].startswith("TAP version"), KEY_SECONDS)
            for key in ("slash", *"passed"):
                machine.press(key)
            machine.screen_until(has("find: passed_"), KEY_SECONDS)
            machine.press("ret")
            machine.screen_until(lambda lines: lines[0].startswith("# passed "), KEY_SECONDS)
            machine.press("s")
            machine.screen_until(lambda lines: lines[0].startswith("PMU          none: "), KEY_SECONDS)
            machine.press("m")
            machine.screen_until(lambda lines: ">" in lines, KEY_SECONDS)
            for key in (*"exit", "ret"):
                machine.press(key)
            machine.screen_until(has(SUMMARY), KEY_SECONDS)

    def test_graphics_screen(self):
        """the same holds on a framebuffer"""
        with hands.Machine("Nehalem", *WORDS, configuration=["set barecount_screen=graphics"]) as machine:
            machine.view.fonts = [(screen.kernel_font(), screen.COLUMNS)]
            self.check_code(machine)


if __name__ == "__main__":
    taptest.main()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A UEFI machine without a serial line: the QR code, the monitor's keys and cursor, on its framebuffer."""
import pathlib
import subprocess
import sys
import unittest

HOST = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(HOST), str(HOST / "screen")]
import hands                                        # noqa: E402
import taptest                                      # noqa: E402
from runner import screen                           # noqa: E402
from runner.people.qemu_console import QemuConsole                        # noqa: E402

CPU = "Nehalem"
SUMMARY = "Enter:log"


class OnUefi(unittest.TestCase):

    def test_code(self):
        """the QR code at a run's end has the verdict and the failed tests"""
        with hands.Machine(CPU, "serial=no", "firmware=uefi", "only=broken.fails,rdtsc.mode.cpl0",
                           "broken") as machine:
            machine.view.fonts = [(screen.kernel_font(), screen.COLUMNS)]
            machine.screen_until(lambda lines: any(SUMMARY in line for line in lines))
            said = machine.qr_code().strip()
        head, *failed = subprocess.run([taptest.TESTS / "decode", said], text=True, capture_output=True,
                                       check=True).stdout.splitlines()
        self.assertRegex(head, r"^BARECOUNT \S+ 64 .* FAIL P1 F1$")
        self.assertEqual(failed, ["broken.fails"])

    def test_keys(self):
        """the screen shows the edited line, with the cursor after it"""
        with QemuConsole(CPU, ["firmware=uefi"]) as console:
            console.wait_for_prompt()
            console.keyboard.type("helX quit")
            for _ in range(5):
                console.keyboard.press("left")
            console.keyboard.press("backspace")
            console.keyboard.type("p")
            console.wait_for("the edited line, the cursor in it", lambda seen: seen.lines[-1:] == ["> help quit"]
                          and seen.cursor and seen.cursor[1] == len("> help"))
            console.keyboard.type("\n")
            console.wait_for("what help says", lambda seen: "Example: quit" in seen.lines)


if __name__ == "__main__":
    taptest.main()

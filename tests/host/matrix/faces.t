#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What people see: the screen of a run under way and of its end, whose big word is read back.

The screenshots go to build/screens; docs/screens has copies of them.
"""
import os
import pathlib
import re
import sys
import time
import unittest
from unittest import mock

HOST = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(HOST), str(HOST / "screen")]
import big_word                                     # noqa: E402
import bochs_hands                                  # noqa: E402
import hands                                        # noqa: E402
import taptest                                      # noqa: E402
from runner import screen                           # noqa: E402

CPU = "Nehalem"
SCREENS = taptest.ROOT / "build" / "screens"
END = "# end of run: status "
UNDER_WAY = "elapsed  "
GOOD, BAD = "platform.exceptions.de", "broken.fails"
HAS_PMU = "uarch=p6"            # no emulator with a screen has a PMU: the kernel is told that there is one
BOOT_SECONDS = 90


def is_under_way(lines):
    """Returns whether this is the screen of a run, and the end's is not being drawn over it."""
    return any(line.startswith(UNDER_WAY) for line in lines) and not lines[0].startswith("Barecount")


def is_half_done(lines):
    done = re.search(r"\] (\d+)/(\d+)$", "\n".join(lines), re.MULTILINE)
    return is_under_way(lines) and done and 2 * int(done[1]) >= int(done[2])


class Faces(unittest.TestCase):

    def shots(self, name, word, *words, is_long=False, says=None):
        """Boots, keeps a screenshot of the run if it lasts, and of its end, and checks the big word and a line."""
        running = SCREENS / f"{name}-run.png"
        running.unlink(missing_ok=True)
        with hands.Machine(CPU, "serial=no", *words) as machine:
            machine.view.fonts = screen.known_fonts()
            limit = time.monotonic() + BOOT_SECONDS
            while not any(line.startswith(END) for line in machine.view.lines):
                self.assertLess(time.monotonic(), limit, "\n".join(machine.view.lines))
                if machine.view.look() and is_under_way(machine.view.lines):
                    hands.write_png(running, machine.view.ppm)
            machine.screen_until(lambda lines: any(line.startswith(END) for line in lines))
            hands.write_png(SCREENS / f"{name}.png", machine.view.ppm)
            self.assertEqual(big_word.read(machine.view.lines), word.replace(" ", ""),
                             "\n".join(machine.view.lines))
            if says:
                self.assertTrue(any(says in line for line in machine.view.lines), "\n".join(machine.view.lines))
        self.assertTrue(running.exists() or not is_long, "no screenshot while tests ran")

    def test_pass(self):
        """PASS on a text screen"""
        self.shots("bios-pass", "PASS", HAS_PMU, f"only={GOOD}", says="1 test passed; 0 skipped.")

    def test_fail(self):
        """FAIL on a text screen, with 16 processors"""
        self.shots("bios-16-fail", "FAIL", HAS_PMU, "smp=1:16:1", "broken",
                   f"only=platform.exceptions.*,platform.smp.*,{BAD}", is_long=True, says=" tests failed on 16")

    def test_broken(self):
        """BROKEN on a text screen: every test was skipped"""
        self.shots("bios-broken", "BROKEN", HAS_PMU, "only=netburst.*")

    def test_no_pmu(self):
        """NO PMU on a text screen"""
        self.shots("bios-no-pmu", "NO PMU", f"only={GOOD}")

    def test_uefi(self):
        """NO PMU on UEFI's framebuffer"""
        self.shots("uefi-no-pmu", "NO PMU", "firmware=uefi", f"only={GOOD}")

    def test_uefi_pass(self):
        """PASS on UEFI's framebuffer, with 16 processors"""
        self.shots("uefi-16-pass", "PASS", HAS_PMU, "firmware=uefi", "smp=1:16:1",
                   f"only={GOOD},platform.smp.*,platform.apic.timer.*", is_long=True)

    def test_uefi_fail(self):
        """FAIL on UEFI's framebuffer: a failure counts more than the PMU that is not there"""
        self.shots("uefi-fail", "FAIL", "firmware=uefi", "only=platform.exceptions.*")

    def ended(self, *words, before=()):
        """Boots, with these words before if there are any, and returns the machine when its end screen is drawn."""
        machine = self.enterContext(hands.Machine(CPU, *(before or words)))
        machine.view.fonts = screen.known_fonts()
        if before:
            machine.until(END)
            machine.reset(*words)
        machine.until(END)
        return machine

    def test_list(self):
        """a list is read from its first test on; Enter leads to LIST"""
        machine = self.ended("list", "only=platform.*")
        machine.screen_until(lambda lines: lines[0].startswith("# test platform.") and "Enter: summary" in lines[-1])
        machine.press("ret")
        machine.screen_until(lambda lines: big_word.read(lines) == "LIST")

    def test_log(self):
        """the log of the previous run is open at its end, n finds its failure; Enter leads to LOG"""
        machine = self.ended("lastlog", before=("broken", f"only={BAD},platform.exceptions.de"))
        machine.screen_until(lambda lines: any(line.startswith("# | # end of run: status") for line in lines))
        machine.press("home")
        machine.press("n")
        machine.screen_until(lambda lines: lines[0].startswith(f"# | not ok 1 - {BAD}"))
        machine.press("ret")
        machine.screen_until(lambda lines: big_word.read(lines) == "LOG" and "This is the previous run's log." in lines)

    def test_page(self):
        """a run of the summary alone ends on its page, in two columns; Enter leads to the verdict, s back"""
        machine = self.ended(HAS_PMU, "only=summary")

        def is_page(lines):
            return lines[0].startswith("PMU          ") and any(line.startswith("counters     ") for line in lines)
        machine.screen_until(is_page)
        machine.press("ret")
        machine.screen_until(lambda lines: any(line.startswith(END) for line in lines))
        machine.press("s")
        machine.screen_until(is_page)


class HybridFaces(unittest.TestCase):
    """The same on two performance cores and four efficient ones, in Bochs with the model."""

    def machine(self):
        self.enterContext(mock.patch.dict(os.environ, PMU_QUIRK="hybrid-fixed-3-on-atom"))
        return self.enterContext(bochs_hands.Machine(
            "model:arrow_lake", "hybrid=2P:4E", "via=kernel", "only=arch.enumeration.*,hybrid.*,arch.cycles.*"))

    def test_by_kind(self):
        """while tests run and at the end, each kind has its own; so has the QR code"""
        machine = self.machine()
        running = machine.screen_until(is_half_done, BOOT_SECONDS, must_rest=False)
        hands.write_png(SCREENS / "hybrid-run.png", machine.view.ppm)
        kinds = [line for line in running if line.startswith(("Core ", "Atom "))]
        self.assertEqual([line.split()[-1] for line in kinds], ["cpu0-1", "cpu2-5"], running)

        end = machine.screen_until(lambda lines: any(line.startswith(END) for line in lines), BOOT_SECONDS)
        hands.write_png(SCREENS / "hybrid-fail.png", machine.view.ppm)
        self.assertEqual(big_word.read(end), "FAIL", end)
        text = " ".join(hands.text_on(end))
        self.assertIn("arch.enumeration.absent on cpu2-5 (Atom)", text)
        self.assertIn("hybrid.registers.fixed_3 on cpu0 (Core)", text)
        self.assertRegex(hands.read_qr(machine.view.ppm), r" CORE:2 F1 ATOM:4 F[1-9] ")


if __name__ == "__main__":
    taptest.main()

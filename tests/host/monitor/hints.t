#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The monitor shows LVTPC as the processor left it, and names a counter that the global enable stops."""
import concurrent.futures
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import boots                            # noqa: E402
from runner.session import Session                  # noqa: E402
from targets import model                           # noqa: E402

STRAY = "1 PMI came that no command waited for; LVTPC = {} now."
QUIRK = "netburst-pmi-masks-nothing"    # every count is a PMI, which masks nothing: only the monitor can end that
FORGOTTEN = "{} does not count: {} is 0; type: wrmsr {}=1"


def overflow(select, counter, *enables):
    """Returns the lines by which counter 0 overflows in the work, with an NMI."""
    return [*enables, "apic pmi nmi", f"wrmsr {select} 5300C0H", f"wrmsr {counter} -100", "work loop:1000", "apic"]


def forgotten(select, counter, register, field):
    """Returns lines whose last three read counters: one that is off, all, and one that is on."""
    return [f"wrmsr {select} 4300C0H", f"wrmsr {register} 0", "rdpmc 0", "rdpmc", f"wrmsr {register} {field}=1",
            "rdpmc 0"]


STORM = ["apic pmi nmi", "wrmsr MSR_CRU_ESCR0 EVENT_SELECT=2 EVENT_MASK=1 T0_OS=1",
         "wrmsr MSR_IQ_CCCR0 ESCR_SELECT=4 ACTIVE_THREAD=3 FORCE_OVF=1 OVF_PMI_T0=1 ENABLE=1", "work loop:1000"]
# (session: the target, its words, the lines typed; environment)
SESSIONS = {
    "amd": ("model:athlon64_clawhammer", [], overflow("PerfEvtSel0", "PerfCtr0"), {}),
    "intel": ("model:corei7_haswell_4770", [],
              overflow("IA32_PERFEVTSEL0", "IA32_PMC0", "wrmsr IA32_PERF_GLOBAL_CTRL EN_PMC0=1"), {}),
    "storm": ("model:p4_willamette", [], STORM, {model.QUIRK: QUIRK}),
    "zen4": ("model:ryzen", ["as=zen4"], forgotten("PERF_CTL0", "PERF_CTR0", "PerfCntrGlobalCtl", "EN0"), {}),
    "arch": ("model:corei7_haswell_4770", [],
             forgotten("IA32_PERFEVTSEL0", "IA32_PMC0", "IA32_PERF_GLOBAL_CTRL", "EN_PMC0"), {}),
}


def typed(job):
    """Returns the answers to a session's lines, in a process that may change its environment."""
    target, words, lines, environment = job
    os.environ.update(environment)
    with Session(target, ["via=kernel", *words]) as session:
        return [session.command(line) for line in lines]


class Hints(taptest.Case):
    said = {}

    def test_lvtpc(self):
        """a PMI masks LVTPC on Intel's processors and not on AMD's, and `apic` shows just that"""
        for session, value, mask in (("amd", "400H", 0), ("intel", "10400H", 1)):
            *_, work, apic = self.said[session]
            with self.subTest(session):
                self.assertEqual(work[-1], STRAY.format(value))
                self.assertIn(f"LVTPC (340H) = {value}", apic)
                self.assertRegex(apic[-1], rf"MASK\[16\] = {mask}")

    def test_storm(self):
        """PMIs that would never end are ended by the monitor, which says that it masked LVTPC"""
        work = self.said["storm"][-1]
        self.assertRegex(work[-1], "10[0-9] PMIs came that no command waited for, so the monitor masked LVTPC; "
                                   "LVTPC = 10400H now[.]")

    def test_forgotten(self):
        """`rdpmc` names a counter with EN whose bit in the global register is 0, and no other"""
        for session, counter, register, field in (("zen4", "PERF_CTR0", "PerfCntrGlobalCtl", "EN0"),
                                                  ("arch", "IA32_PMC0", "IA32_PERF_GLOBAL_CTRL", "EN_PMC0")):
            _, _, off, every, _, on = self.said[session]
            sentence = FORGOTTEN.format(counter, f"{field} of {register}", f"{register} {field}")
            with self.subTest(session):
                self.assertEqual(off[1:], [sentence])
                self.assertEqual([line for line in every if "does not count" in line], [sentence])
                self.assertEqual(len(on), 1, on)


def main():
    boots.booters()                                 # before there are processes
    with concurrent.futures.ProcessPoolExecutor() as pool:
        Hints.said = dict(zip(SESSIONS, pool.map(typed, SESSIONS.values(), chunksize=1)))
    taptest.main()


if __name__ == "__main__":
    main()

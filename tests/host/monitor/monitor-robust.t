#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The monitor survives commands that break, each in another way; run, cpu, repeat, uarch."""
import concurrent.futures
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import boots, tap                       # noqa: E402
from runner.session import Session                  # noqa: E402
from open_session import OpenSession                # noqa: E402

RESET = "The command was ended, and the PMU reset."
FAULT = r"unexpected #PF\(2\) at [0-9A-F]+H, CR2 = 00000000H"
HUNG_HERE = r"the command hung: ended by the watchdog after \d+ ticks of 55 ms"
HUNG_THERE = r"the command hung: ended by the boot processor after 10 s"
STOPPED = r"cpu 1 hung, .* was stopped by INIT, and runs again; its PMU was reset"

# (line to type, patterns of its answer); MORE stands for any lines, [] for no answer.
MORE = None
SAME_ANYWHERE = (
    ("broken fault", [FAULT, RESET]),
    ("broken fail", [r"^it failed\.$"]),
    ("broken stop", ["it was aborted", RESET]),
    ("broken stack", [r"unexpected #DF\(0\)", RESET]),
    ("broken leave_cr0", ["left CR0 changed", RESET]),
    ("broken leave_cr4", ["left CR4 changed", RESET]),
    ("broken leave_if", ["left EFLAGS.IF changed", RESET]),
    ("broken nmi", []),
    ("broken leave_captured", []),
    ("wrmsr IA32_PERFEVTSEL0 EVENT_SELECT=C0H OS=1 EN=1", [MORE]),
    ("wrmsr IA32_PERF_GLOBAL_CTRL 1", [MORE]),
    ("broken leave_counters", ["left running; the PMU was reset"]),
    ("rdmsr IA32_PERFEVTSEL0", [r"IA32_PERFEVTSEL0 \(186H\) = 0H", MORE]),
    ("broken leave_listening", []),
    ("broken nmi", ["1 PMI came that no command waited for"]),
)
HERE = (
    ("broken hang", [HUNG_HERE, RESET]),
    ("broken hang_with_interrupts", [HUNG_HERE, RESET]),
    *SAME_ANYWHERE,
)
THERE = (
    ("cpu 1", []),
    ("broken hang_printing", [HUNG_THERE, RESET]),
    ("cpu", ["^  cpu 0: APIC ID 0, ", r"^\* cpu 1: APIC ID 1, "]),         # the boot processor prints
    *SAME_ANYWHERE,
    ("broken hang_in_nmi", [STOPPED]),
    ("broken fault", [FAULT, RESET]),
    ("cpu 2", ["the processor: 2 is not from 0 to 1"]),
    ("cpu 0", []),
)
OTHERS = (
    ("repeat 5 cpu", ["cpu 0", "cpu 1", "5 runs, all the same"]),
    ("repeat 3 broken fault", ["#PF", RESET, "nothing to compare", "ended after run 1"]),
    ("repeat 2 repeat 2 cpu", ["repeat does not repeat itself"]),
    ("repeat 2 nonsense", ["^there is no command nonsense;"]),
    ("repeat 0 cpu", ["how often: 0 is not from 1 to "]),
    ("uarch p7", ["p7 is not a known PMU"]),
    ("uarch netburst", ["NetBurst, because: uarch says so", "not there", "Source"]),
    ("uarch auto", ["architectural, version 3", "a PMU that counts", "Source"]),
    ("run no.such.test rdtsc.*", ["no.such.test selects no test"]),
    ("nonsense", ["there is no command nonsense"]),
)
SUITES = "rdpmc.* rdtsc.* pmu.* arch.registers.*"
MACHINE = "model:corei7_haswell_4770"
WORDS = ["smp=1:2:1", "broken", "ips=10000000"]      # which makes the watchdogs' seconds short
ROUNDS = "repeat 100000 cpu"


class Robust(taptest.Case):
    """Each part is one session; main() starts all sessions at once."""

    def said(self, part):
        return self.RUNNING[part].result()

    def see(self, part):
        for (line, patterns), lines in self.said(part):
            wanted = [pattern for pattern in patterns if pattern is not MORE]
            for pattern, got in zip(wanted, lines):
                self.assertRegex(got, pattern, f"{line}: {lines}")
            self.assertEqual(len(lines[:len(wanted)] if MORE in patterns else lines), len(wanted),
                             f"{line}: {lines}")

    def test_here(self):
        """a command that breaks on the boot processor ends with a sentence"""
        self.see("here")

    def test_there(self):
        """a command that breaks on another processor ends with a sentence, too, if necessary by INIT"""
        self.see("there")

    def test_others(self):
        """repeat, uarch and run report mistakes"""
        self.see("others")

    def test_interrupt(self):
        """CTRL-C ends repeat, and run before its next test"""
        repeated, run = self.said("interrupted")
        self.assertRegex(repeated[-1], r"It ended after run \d+")
        self.assertEqual(run[-1], "Bail out! CTRL-C was typed")

    def test_run(self):
        """run has the same results as a run without the monitor, whatever was typed before"""
        before, after, alone = self.said("run")
        self.assertGreater(len(before), 20)
        self.assertEqual(before, after)
        lines = [tap.RESULT.match(line) for line in after if line.startswith("ok")]
        self.assertEqual([result.id for result in alone if result.ok],
                         [each.id for line in lines for each in tap.Result(True, int(line[2]), line[3]).each()])


def type_all(rows):
    with OpenSession(MACHINE, WORDS) as session:
        return [(row, session.command(row[0])) for row in rows]


def interrupt():
    with OpenSession(MACHINE, WORDS) as session:
        said = []
        for line in (ROUNDS, "run arch.*"):
            session.write_line(line)
            session.type(b"\r")
            while len(session.pending) < len(line) + 1:
                session.take(1)
            session.type(b"\x03")
            said.append(session.until_prompt(session.silence))
        return said


def run():
    """Runs by a clock that the suites know, because their watchdog gives a test two of its seconds."""
    with Session(MACHINE, ["via=kernel", *WORDS]) as session:
        before = session.command(f"run {SUITES}")
        for line in ("wrmsr IA32_PERFEVTSEL0 4300C0H", "wrmsr IA32_PERF_GLOBAL_CTRL 1", "pce 1",
                     "broken leave_listening", "cpu 1", "work loop:10", "broken fault"):
            session.command(line)
        after = session.command(f"run {SUITES}")
    only = f"only={SUITES.replace(' ', ',')}"
    _, alone, _ = boots.boot(MACHINE, ["via=kernel", WORDS[0], only])
    return before, after, alone


PARTS = {
    "here": lambda: type_all(HERE), "there": lambda: type_all(THERE), "others": lambda: type_all(OTHERS),
    "interrupted": interrupt, "run": run,
}


def main():
    boots.booters()                                 # before there are threads
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        Robust.RUNNING = {name: pool.submit(part) for name, part in PARTS.items()}
        taptest.main()


if __name__ == "__main__":
    main()

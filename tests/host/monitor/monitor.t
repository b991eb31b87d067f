#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The monitor's `events` and `count`: one session, the same lines typed on five generations.

Instructions and branches are the same numbers everywhere; they follow from the code, as the comments of the
session say."""
import concurrent.futures
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner.session import Session                  # noqa: E402

MODELS = ("pentium_mmx", "p3_katmai", "p4_willamette", "corei7_haswell_4770", "zambezi")
ROW = re.compile(r"(\S+) +(\S+(?: [-+] \S+)*) +(-?\d+) +(-|-?\d+\.\d\d)(?: +(-|-?\d+\.\d\d))?$")

# (line to type, count of each event): the counts of a workload's code, without the RET of an empty one.
# loop: MOV, then DEC and JNZ a round. call: MOV, then CALL, RET, DEC, JNZ a round; the last JNZ falls
# through. pattern: as many of 32 as bits are 1.
COUNTS = (
    ("count PAPI_TOT_INS PAPI_BR_INS on loop:1000", {"PAPI_TOT_INS": 1 + 2 * 1000, "PAPI_BR_INS": 1000}),
    ("count papi_br_ins PAPI_TOT_INS on call:300", {"PAPI_BR_INS": 3 * 300, "PAPI_TOT_INS": 1 + 4 * 300}),
    ("count PAPI_BR_TKN on call:300", {"PAPI_BR_TKN": 3 * 300 - 1}),
    ("count PAPI_BR_NTK on jcc_taken:64", {"PAPI_BR_NTK": 1}),
    ("count PAPI_BR_NTK on pattern:320:0x0f0f0f01", {"PAPI_BR_NTK": 320 // 32 * (32 - 13) + 1}),
    ("count PAPI_TOT_INS:u PAPI_TOT_INS:k on loop:1000 user",
     {"PAPI_TOT_INS:u": 1 + 2 * 1000, "PAPI_TOT_INS:k": 0}),
    ("count PAPI_TOT_INS:u PAPI_TOT_INS:k on loop:1000",
     {"PAPI_TOT_INS:u": 0, "PAPI_TOT_INS:k": 1 + 2 * 1000}),
    ("count PAPI_BR_INS on empty", {"PAPI_BR_INS": 0}),
)
NOT_HERE = "not available here: "
NATIVES = {
    "pentium_mmx": ("events TAKEN_BR", "TAKEN_BRANCHES  counters 1", "TAKEN_BRANCH_OR_BTB_HIT  counters 0 1"),
    "p3_katmai": ("events l2_rq", "L2_RQSTS  counters 0 1", "              masks: I S E M MESI"),
    "p4_willamette": ("events mmtp", "branch_retired  counters 12 13 14 15 16 17",
                      "              masks: MMNP MMNM MMTP MMTM"),
    "corei7_haswell_4770": ("events REF_TSC",
                            "CPU_CLK_UNHALTED.REF_TSC  fixed counter 2; also CPU_CLK_UNHALTED.REF"),
    "zambezi": ("events requests_to sse_op", "REQUESTS_TO_L2  counters 0 1 2",
                "              masks: INSTRUCTIONS DATA TLB_WALK SNOOP CANCELLED PREFETCHER ALL",
                "RETIRED_SSE_OPS  counters 3; erratum 693",
                "CPU_TO_DRAM_REQUESTS_TO_TARGET_NODE  the northbridge's counters"),
}
# Family 15H: events by AMD's names and masks, on the counters of their sets.
AMD_COUNTS = (
    ("count RETIRED_SSE_OPS:SINGLE_ADD_SUB_OPS retired_near_returns on sse_add_packed:100",
     {"RETIRED_SSE_OPS:SINGLE_ADD_SUB_OPS": (4 * 100, "PERF_CTR3"), "RETIRED_NEAR_RETURNS": (0, "PERF_CTR0")}),
    ("count RETIRED_NEAR_RETURNS LS_DISPATCH:LOADS+STORES REQUESTS_TO_L2 on call:300",
     {"RETIRED_NEAR_RETURNS": (300, "PERF_CTR3"), "LS_DISPATCH:LOADS+STORES": (600, "PERF_CTR1"),
      "REQUESTS_TO_L2": (0, "PERF_CTR2")}),
)
AMD_MISTAKES = (
    ("count RETIRED_SSE_OPS:ADD on loop", "RETIRED_SSE_OPS has no mask ADD"),
    ("count RETIRED_SSE_OPS RETIRED_SSE_OPS:ALL on loop", "no counter is left for RETIRED_SSE_OPS"),
    ("count CPU_TO_DRAM_REQUESTS_TO_TARGET_NODE on loop", "is counted by the northbridge's counters"),
    ("count LFENCE_INST_RETIRED on loop", "this processor does not have the event LFENCE_INST_RETIRED"),
    ("count RETIRED_NEAR_RETURN on loop", "RETIRED_NEAR_RETURNS"),
)
MISTAKES = (
    "count", "count on loop", "count PAPI_TOT_INS", "count PAPI_TOT_INS on", "count PAPI_TOT_INS on nosuch",
    "count NO_SUCH_EVENT on loop", "count PAPI_TOT_INS:M on loop", "count PAPI_TOT_INS,cmask=2 on loop",
    "count PAPI_TOT_INS,cmask=256 on loop", "count PAPI_TOT_INS,other on loop", "count : on loop",
    "count PAPI_TOT_INS on loop:0", "count PAPI_TOT_INS on loop other", "count r12345 on loop",
    "count " + "A" * 70 + " on loop", "count " + "PAPI_BR_INS " * 9 + "on loop",
    "count PAPI_TOT_INS " + "PAPI_BR_MSP " * 7 + "on loop", "events NO_SUCH_EVENT",
)


def table(lines):
    """Returns the counts and the counters by event, from the output of `count`."""
    rows = [ROW.match(line) for line in lines[1:]]
    return {row[1]: (int(row[3]), row[2]) for row in rows if row}


class Typed:
    """The output of one model for all lines."""

    def __init__(self, model):
        with Session(f"model:{model}", ["via=kernel"]) as session:
            def type_all(commands):
                return {command: session.command(command) for command in commands}

            self.presets = session.command("events PAPI_")
            self.counts = type_all(command for command, _ in COUNTS)
            self.mistakes = type_all(MISTAKES if model == MODELS[0] else MISTAKES[-6:])
            here = [name for name in self.names() if not self.said(name).startswith(NOT_HERE)]
            others = [name for name in self.names() if name not in here]
            self.each = type_all(f"count {name} on loop:100" for name in here + others[:2])
            self.natives = session.command(NATIVES[model][0])
            self.again = session.command(COUNTS[0][0])

    def names(self):
        """Returns the presets, in their order."""
        return [line.split()[0] for line in self.presets if line.startswith("PAPI_")]

    def said(self, name):
        """Returns the meaning of a preset on this processor, from `events`."""
        at = next(i for i, line in enumerate(self.presets) if line.split()[0] == name)
        return self.presets[at + 1].strip()


class Amd(taptest.Case):

    @classmethod
    def setUpClass(cls):
        with Session("model:zambezi", ["via=kernel"]) as session:
            lines = [command for command, _ in AMD_COUNTS + AMD_MISTAKES]
            cls.said = {command: session.command(command) for command in lines}

    def test_counts(self):
        """events by AMD's names count on a counter of their set"""
        for command, want in AMD_COUNTS:
            with self.subTest(command):
                got = table(self.said[command])
                self.assertEqual({event: got.get(event) for event in want}, want, self.said[command])

    def test_mistakes(self):
        """a mask, a counter or an event that is not there gives one sentence, which says so"""
        for command, want in AMD_MISTAKES:
            with self.subTest(command):
                self.assertEqual(len(self.said[command]), 1, self.said[command])
                self.assertIn(want, self.said[command][0])


class Counting(taptest.Case):

    @classmethod
    def setUpClass(cls):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            cls.typed = dict(zip(MODELS, pool.map(Typed, MODELS)))

    def test_same_counts(self):
        """all five generations count the same instructions and branches"""
        for model, typed in self.typed.items():
            for command, want in COUNTS:
                out = typed.counts[command]
                with self.subTest(f"{model}: {command}"):
                    got = {event: count for event, (count, _) in table(out).items()}
                    self.assertEqual({event: got.get(event) for event in want}, want, "\n".join(out))

    def test_tables(self):
        """a table has each event's counters, counts for each round and, with cycles, for each cycle"""
        out = self.typed["corei7_haswell_4770"].counts[COUNTS[0][0]]
        counts = table(out)
        cycles = counts["PAPI_TOT_CYC"][0]
        self.assertEqual(len({counter for _, counter in counts.values()}), 3, out)
        self.assertEqual(ROW.match(out[1]).group(4, 5), ("2.00", f"{2001 * 100000 // cycles / 100:.2f}"))
        out = self.typed["pentium_mmx"].counts[COUNTS[4][0]]
        self.assertEqual(table(out)["PAPI_BR_NTK"][1], "CTR0 - CTR1", out)

    def test_presets(self):
        """each preset counts, or gives a reason; two of the reasons are typed, `events` has all"""
        for model, typed in self.typed.items():
            self.assertEqual(typed.names(), self.typed[MODELS[0]].names())
            for command, out in typed.each.items():
                name = command.split()[1]
                with self.subTest(f"{model}: {name}"):
                    if typed.said(name).startswith(NOT_HERE):
                        self.assertEqual(out, [f"{name} is {typed.said(name)}."])
                    else:
                        self.assertIn(name, table(out), out)

    def test_mistakes(self):
        """a mistake gives one sentence, and everything counts as before"""
        for model, typed in self.typed.items():
            before, after = table(typed.counts[COUNTS[0][0]]), table(typed.again)
            for event in COUNTS[0][1]:
                self.assertEqual(after.get(event), before[event], f"{model}: {typed.again}")
            for command, out in typed.mistakes.items():
                with self.subTest(f"{model}: {command}"):
                    lines = [line for line in out if line]
                    if table(lines) and "BR_MSP" in command:
                        continue                   # there are counters for all of them
                    self.assertEqual(len(lines), 1, out)
                    self.assertTrue(lines[0].endswith("."), out)

    def test_events(self):
        """`events` lists the names, counters and masks that `count` takes"""
        for model, (_, *lines) in NATIVES.items():
            for line in lines:
                self.assertIn(line, self.typed[model].natives, model)


if __name__ == "__main__":
    taptest.main()

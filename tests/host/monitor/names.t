#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The monitor's names: perf's names of events, the nearest name of an unknown word, limits of numbers."""
import concurrent.futures
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import boots                            # noqa: E402
from runner.session import Session                  # noqa: E402

HASWELL, ZEN4, KATMAI, ARROW_LAKE = "corei7_haswell_4770", "ryzen", "p3_katmai", "arrow_lake"
WORDS = {HASWELL: [], ZEN4: ["as=zen4"], KATMAI: [], ARROW_LAKE: []}
INSTRUCTIONS, BRANCHES = 1 + 2 * 1000, 1000         # of loop:1000

# (models, line, count of each event by the name that is shown)
COUNTS = (
    ((HASWELL, ZEN4, KATMAI), "count cycles,instructions loop:1000",
     {"PAPI_TOT_INS": INSTRUCTIONS, "PAPI_TOT_CYC": None}),
    ((HASWELL, ZEN4), "count instructions:u,branches,branch-instructions:k on loop:1000",
     {"PAPI_TOT_INS:u": 0, "PAPI_BR_INS": BRANCHES, "PAPI_BR_INS:k": BRANCHES}),
    ((HASWELL,), "count cache-references, cache-misses branch-misses on loop:1000",
     {"LLC_REFERENCE": None, "LLC_MISSES": None, "PAPI_BR_MSP": None}),
    ((ZEN4,), "count cache-references cache-misses branch-misses on loop:1000",
     {"cache-references": None, "cache-misses": None, "branch-misses": None}),
    ((ZEN4,), "count ex_ret_instr,ex_ret_brn,rC0,cmask=1,inv on loop:1000",
     {"RETIRED_INSTRUCTIONS": INSTRUCTIONS, "RETIRED_BRANCH_INSTRUCTIONS": BRANCHES, "rC0,cmask=1,inv": None}),
    # The first needs UMASK2 = 1, and is in the kernel's table; so does the second one, which the model does not count.
    ((ARROW_LAKE,), "count BR_INST_RETIRED.COND BR_INST_RETIRED.COND_TAKEN PAPI_BR_CN on loop:1000",
     {"BR_INST_RETIRED.COND": BRANCHES, "BR_INST_RETIRED.COND_TAKEN": 0, "PAPI_BR_CN": BRANCHES}),
)
# (line, part of its answer of one sentence), on HASWELL
SENTENCES = (
    ("count instrutions on loop", "no event instrutions on this processor (did you mean instructions?)"),
    ("count Cycles on loop", "no event Cycles on this processor (did you mean cycles?)"),
    ("count cycles,instructions", "the work is missing"),
    ("count cycles,cmsk=1 on loop", "there is no option cmsk=1"),
    ("count cycles,,instructions on loop", "does not begin with the name of an event"),
    ("count " + ",".join(["branches"] * 9) + " on loop", "9 events: there can be 1 to 8 at once"),
    ("events cycels", "has cycels in its name (did you mean cycles"),
    ("work lop:10", "there is no workload lop (did you mean loop?)"),
    ("uarch netbrust", "netbrust is not a known PMU (did you mean netburst?)"),
    ("run rdtcs.*", "rdtcs.* selects no test (did you mean rdtsc.*"),
    ("wrmsr IA32_PERFEVTSEL0 CMSK=1", "has no field CMSK here (did you mean CMASK?)"),
    ("rdmsr IA32_PERFEVTSL0", "(did you mean IA32_PERFEVTSEL0"),
    ("rdmsr PMC9", "PMC9: this processor has IA32_PMC0 to IA32_PMC7."),
    ("wrmsr IA32_FIXED_CTR3 0", "IA32_FIXED_CTR3: this processor has IA32_FIXED_CTR0 to IA32_FIXED_CTR2."),
    ("why IA32_PMC12", "IA32_PMC12: this processor has IA32_PMC0 to IA32_PMC7."),
    ("why 9", "9 is not a counter: the indices are 0H to 7H and 40000000H to 40000002H"),
    ("rdpmc 9", "#GP(0): no counter has this index: the indices are 0H to 7H and 40000000H to 40000002H."),
    ("helpp", "there is no command helpp (did you mean help?)"),
    ("help next", "next is a command of the lessons, which \"make learn\" starts."),
    ("check", "check is a command of the lessons"),
)


def typed(name):
    with Session(f"model:{name}", ["via=kernel", *WORDS[name]]) as session:
        lines = [line for models, line, _ in COUNTS if name in models] + ["events cache-", "events ex_ret_i"]
        return {line: session.command(line) for line in [*lines, *(row[0] for row in SENTENCES)]}


class Names(taptest.Case):
    said = {}

    def test_perf(self):
        """count takes perf's names, with commas or blanks between them, and without `on`"""
        for models, line, want in COUNTS:
            for name in models:
                rows = [row.split() for row in self.said[name][line][1:]]
                got = {row[0]: int(row[-3]) for row in rows}
                with self.subTest(name, line=line):
                    self.assertTrue(set(want) <= set(got), self.said[name][line])
                    for event, count in want.items():
                        self.assertIn(count, (None, got[event]), event)

    def test_events(self):
        """events shows what perf's names are here"""
        self.assertIn("cache-misses  perf's name of LLC_MISSES", self.said[HASWELL]["events cache-"])
        self.assertIn("ex_ret_instr  perf's name of RETIRED_INSTRUCTIONS", self.said[ZEN4]["events ex_ret_i"])

    def test_sentences(self):
        """an unknown word or a number out of range is one sentence, with the nearest names or the limits"""
        for line, part in SENTENCES:
            with self.subTest(line):
                answer = self.said[HASWELL][line]
                self.assertEqual(len(answer), 1, answer)
                self.assertIn(part, answer[0])


def main():
    boots.booters()                                 # before there are processes
    with concurrent.futures.ProcessPoolExecutor() as pool:
        Names.said = dict(zip(WORDS, pool.map(typed, WORDS)))
    taptest.main()


if __name__ == "__main__":
    main()

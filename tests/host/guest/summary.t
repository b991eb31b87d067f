#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The page on what a machine's PMU is good for: what it says of machines, and of some defects."""
import concurrent.futures
import importlib.machinery
import importlib.util
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import tap                              # noqa: E402
from runner.session import Session                  # noqa: E402

CLAWHAMMER = "model:athlon64_clawhammer"
HASWELL, KATMAI, WILLAMETTE = "model:corei7_haswell_4770", "model:p3_katmai", "model:p4_willamette"
NAMES = ("PMU counters events rings overflow PMI LBR PEBS BTS hidden cycles".split()
         + ["perf stat", "perf record", "rr", "PAPI"])
# (quirk or "", target, status, what the page says: {row: the beginning})
ROWS = (
    ("", HASWELL, 0, {"counters": "11 of 11 count", "LBR": "Haswell, 16 deep", "perf record": "yes, precise",
                      "rr": "yes: 1000 conditional branches", "hidden": "nothing"}),
    ("", KATMAI, 0, {"counters": "2 of 2 count", "PEBS": "no: CPUID.1:EDX[21]", "perf stat": "yes, 2 counters",
                     "perf record": "yes, by interrupts; not precise", "rr": "no: it knows"}),
    ("", WILLAMETTE, 0, {"counters": "6 of 6 count", "PEBS": "records of 40 bytes", "rr": "no: it knows"}),
    ("", "model:arrow_lake", 0, {"counters": "13 of 13 count", "LBR": "architectural, 32 deep", "rr": "yes: "}),
    ("", "model:ryzen as=zen4", 0, {"counters": "6 of 6 count", "overflow": "the status register", "rr": "yes: ",
                                    "LBR": "AMD's stack, 16 deep: perf record -b", "perf stat": "yes, 6 counters",
                                    "PEBS": "no; IBS: ops and fetches"}),
    ("", "model:ryzen as=zen3", 0, {"LBR": "BRS, the 16 branches after an overflow: perf record -b -e branch-brs"}),
    ("", "model:zambezi", 0, {"counters": "6 of 6 count", "overflow": "no register shows it", "rr": "no: it knows",
                              "LBR": "the last branch alone, in a pair of registers",
                              "perf record": "yes, by interrupts, and precise (cycles:pp, ibs_op//) by IBS"}),
    ("", CLAWHAMMER, 0, {"PMU": "AMD, four counters", "perf record": "yes, by interrupts; not precise", "counters": "4 of 4 count", "PEBS": "no: CPUID.1:EDX[21]",
                         "rr": "no: it knows", "perf stat": "yes, 4 counters"}),
    ("amd-status-needs-int", "model:ryzen as=zen4", 1, {"overflow": "the status register stays 0"}),
    ("amd-stack-by-debugctl", "model:ryzen as=zen4", 1,
     {"LBR": "AMD's stack, 16 deep: perf record -b: a branch leaves no record"}),
    ("ibs-by-lvtpc", "model:ryzen", 1, {"PEBS": "no; IBS: ops and fetches, with address, misses, latency: perf record "
                                                "-e ibs_op//: no op is sampled"}),
    ("pmi-never", CLAWHAMMER, 1, {"PMI": "one overflow raises 0 interrupts"}),
    ("", "model:pentium", 0, {"PMI": "no: the Pentium", "perf stat": "no: PAPI_TOT_CYC: ", "cycles": "RDMSR "}),
    ("", "qemu:Nehalem", 0, {"PMU": "none: no PMU: CPUID.0AH", "perf stat": "no, see PMU", "rr": "no, see PMU",
                             "hidden": "CPUID.0AH:EAX[7:0] = 0 on a processor that has a PMU; hypervisor TCG"}),
    ("pmc-1-is-dead", HASWELL, 1, {"counters": "IA32_PMC1 does not count; 10 of 11 count"}),
    ("registers-absent", HASWELL, 0, {"PMU": "architectural, version 3, 8 counters of 48 bits, fixed counters 7H of "
                                             "48 bits: a PMU that is not there", "rr": "no, see PMU"}),
    ("cpuid-version-0", HASWELL, 0, {"PMU": "none: no PMU: CPUID.0AH", "perf record": "no, see PMU",
                                     "hidden": "CPUID.0AH:EAX[7:0] = 0 on a processor that has a PMU"}),
    ("misses-count-nothing", HASWELL, 1, {"events": "TOT_CYC, TOT_INS, BR_INS, BR_CN, BR_MSP counts nothing"}),
    ("pmi-never", HASWELL, 1, {"PMI": "one overflow raises 0 interrupts", "rr": "no: an overflow raises no PMI",
                               "perf record": "no: an overflow raises no PMI", "perf stat": "yes"}),
    ("rdpmc-is-undefined", HASWELL, 0, {"cycles": "RDPMC raises #UD"}),
    ("conditional-are-branches", HASWELL, 0, {"rr": "no: 1000 conditional branches are counted as 3"}),
    ("cpuid-ebx-inverted", HASWELL, 0, {"hidden": "CPUID.0AH:EBX hides core cycles, instructions"}),
    ("status-needs-int", HASWELL, 1, {"overflow": "the status register stays 0"}),
    ("pebs-index-stays", HASWELL, 1, {"PEBS": "records of 192 bytes; INST_RETIRED.PREC_DIST leaves none"}),
)


def boot(row):
    quirk, target, _, _ = row
    return taptest.Run(*target.split(), "via=kernel", "serial=debug" if target.startswith("model") else "serial=com1",
                       "only=summary", **({"env": {**os.environ, "PMU_QUIRK": quirk}} if quirk else {}))


def page_of(run):
    """Returns the rows of the page: {name: text}."""
    said = tap.Transcript()
    for line in run.out:
        said.feed(line)
    found = (re.fullmatch(r"([\w ]+?): (.*)", entry["what"]) for entry in said.results[0].facts()["reported"])
    return {row[1]: row[2] for row in found}


class Pages(taptest.Case):

    def test_pages(self):
        """each machine and each defect has its page, and a part that is announced and does not work is a failure"""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            runs = list(pool.map(boot, ROWS))
        for (quirk, target, status, wanted), run in zip(ROWS, runs):
            with self.subTest(quirk=quirk, target=target):
                page = page_of(run)
                self.assertEqual(list(page), NAMES)
                self.assertEqual(run.status, status, run)
                self.assertEqual({name: page[name][:len(text)] for name, text in wanted.items()}, wanted)

    def test_page(self):
        """docs/summary.md has what the machines say: `make docs` makes it"""
        loader = importlib.machinery.SourceFileLoader("page", str(taptest.TESTS / "generate/summary-page"))
        made = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        loader.exec_module(made)
        self.assertEqual(made.same((taptest.ROOT / "docs/summary.md").read_text()), made.same(made.page()))

    def test_command(self):
        """the monitor's command shows the same rows"""
        with Session(HASWELL, ["via=kernel"]) as session:
            said = session.command("summary")
        self.assertEqual([line[:12].strip() for line in said], NAMES)
        self.assertIn("counters     11 of 11 count", said)


if __name__ == "__main__":
    taptest.main()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The monitor's register commands on the model: counters programmed by hand count the same each time,
and `why` finds each cause, and its suggestion fixes it."""
import functools
import os
import re
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner.session import Session                  # noqa: E402

REGS = taptest.ROOT / "arch" / "regs"
MONITOR = taptest.ROOT / "monitor/registers"
DEFINE = re.compile(r"^#define +(\w+)(?:\((\w+)\))? +\S", re.M)
RAN = re.compile(r"ran .*: \d+ rounds, (\d+) instructions")
MEND = re.compile(r"    type: (wrmsr .*)")
MOVES = re.compile(r"  As it is programmed, loop:1000 at CPL 0 moves it by (\d+); programmed for "
                   r".*, by (\d+)\.")

# Names in arch/regs that are no registers or fields: events, values of fields, computations, and families of
# which pmu/events/netburst_pmu.h has each register's name.
NO_REGISTER = re.compile(r"ARCH_REGS_.*|EVENT.*|P[56]_EVENT_.*|NETBURST_(COUNTERS|ESCRS|EVENT_\w+|LAST\w+)"
                         r"|INSTR_RETIRED_\w+|CRU_ESCR0_SELECT|RDPMC_\w+|CESR_CC_CLOCKS|\w+_FIELDS|\w+_RESERVED\w*"
                         r"|\w+_NIBBLE|CESR_\w*[01]|MSR_\w+_ESCR\d|MSR_ESCR_BLOCK[123]|MSR_\w+_(COUNTER|CCCR)0"
                         r"|LBR_FROM_\w+|MSR_LASTBRANCH_TOS_CORE|(AMD_EVENT|AMD_LOCKS|AMD_RDPMC|CPUID|UMC)_\w+|L3_PERF_CTL_\w+"
                         r"|PERF_CTR_WIDTH|PERF_CTL_EVENT|PERF_CTL_EVENT_OF|\w+_MBZ|AMD_EFER_SVME|L2I_\w+|DF_\w+")

INSTRUCTIONS = {                # the lines to count them at CPL 0, and the line that reads the count
    "pentium": (["wrmsr CESR ES0=16H CC0=1"], "rdmsr CTR0"),
    "p3_katmai": (["wrmsr PerfEvtSel0 EVENT_SELECT=C0H OS=1 EN=1"], "rdpmc 0"),
    "p4_willamette": (["wrmsr MSR_IQ_CCCR0 ENABLE=1 ESCR_SELECT=4 ACTIVE_THREAD=3",
                       "wrmsr MSR_CRU_ESCR0 EVENT_SELECT=2 EVENT_MASK=3 T0_OS=1"], "rdpmc 12"),
    "core_duo_t2400_yonah": (["wrmsr IA32_PERFEVTSEL0 EVENT_SELECT=C0H OS=1 EN=1"], "rdpmc 0"),
    "corei7_haswell_4770": (["wrmsr IA32_PERFEVTSEL0 EVENT_SELECT=C0H OS=1 EN=1",
                             "wrmsr IA32_PERF_GLOBAL_CTRL EN_PMC0=1"], "rdpmc 0"),
    "athlon_xp": (["wrmsr PerfEvtSel3 EVENT_SELECT=C0H OS=1 EN=1"], "rdpmc 3"),
    "zambezi": (["wrmsr PerfEvtSel1 EVENT_SELECT=C0H OS=1 EN=1"], "rdpmc 1"),     # the other address of PERF_CTL1
    "ryzen as=zen4": (["wrmsr PERF_CTL5 EVENT_SELECT=C0H OS=1 EN=1", "wrmsr PerfCntrGlobalCtl EN5=1"], "rdpmc 5"),
    "tigerlake": (["wrmsr IA32_FIXED_CTR_CTRL EN_OS0=1",
                   "wrmsr IA32_PERF_GLOBAL_CTRL EN_FIXED0=1"], "rdpmc 40000000H"),
}

# (the counter, the lines to type first, the cause); the line that `why` suggests then fixes it.
ARCH = "wrmsr IA32_PERFEVTSEL0 4300C0H"
GLOBAL = "wrmsr IA32_PERF_GLOBAL_CTRL 1"
CAUSES = {
    "pentium": (
        ("0", ["wrmsr CESR ES0=16H"], "CC0 of CESR says that it does not count"),
        ("1", ["wrmsr CESR ES1=16H CC1=2"], "it counts only at CPL 3"),
        ("0", ["wrmsr CESR ES0=3FH CC0=3"], "no event of the number ES0"),
    ),
    "p3_katmai": (
        ("0", [], "nothing is programmed: PerfEvtSel0 = 0"),
        ("1", ["wrmsr PerfEvtSel1 4300C0H"], "EN of PerfEvtSel0, which is for both counters, is 0"),
        ("0", ["wrmsr PerfEvtSel0 4000C0H"], "USR and OS of PerfEvtSel0 are 0"),
        ("0", ["wrmsr PerfEvtSel0 43002EH"], "UMASK of PerfEvtSel0 is 0"),
        ("0", ["wrmsr PerfEvtSel0 430012H"], "not one that this counter can count"),
        ("0", ["wrmsr PerfEvtSel0 4300FFH"], "has no event of this number"),
        ("0", ["wrmsr PerfEvtSel0 404300C0H"], "CMASK asks for more events than a cycle can have"),
    ),
    "p4_willamette": (
        ("12", ["wrmsr MSR_IQ_CCCR0 38000H"], "ENABLE of MSR_IQ_CCCR0 is 0"),
        ("12", ["wrmsr MSR_IQ_CCCR0 19000H"], "ACTIVE_THREAD of MSR_IQ_CCCR0 is not 3"),
        ("12", ["wrmsr MSR_IQ_CCCR0 3F000H"], "ESCR_SELECT of MSR_IQ_CCCR0 is a number that no ESCR has"),
        ("12", ["wrmsr MSR_IQ_CCCR0 39000H", "wrmsr MSR_CRU_ESCR0 60CH"], "EVENT_SELECT of MSR_CRU_ESCR0 is 0"),
        ("12", ["wrmsr MSR_IQ_CCCR0 39000H", "wrmsr MSR_CRU_ESCR0 7E00060CH"],
         "MSR_CRU_ESCR0 cannot count the event"),
        ("12", ["wrmsr MSR_IQ_CCCR0 39000H", "wrmsr MSR_CRU_ESCR0 400000CH"], "EVENT_MASK of MSR_CRU_ESCR0 is 0"),
        ("12", ["wrmsr MSR_IQ_CCCR0 39000H", "wrmsr MSR_CRU_ESCR0 4000600H"], "MSR_CRU_ESCR0 counts for no thread"),
        ("12", ["wrmsr MSR_IQ_CCCR0 F79000H", "wrmsr MSR_CRU_ESCR0 400060CH"],
         "THRESHOLD of MSR_IQ_CCCR0 asks for more"),
        ("12", ["wrmsr MSR_IQ_CCCR0 4039000H", "wrmsr MSR_CRU_ESCR0 400060CH"],
         "its overflows raise no PMI: LVTPC is masked"),
    ),
    "core_duo_t2400_yonah": (
        ("0", ["wrmsr IA32_PERFEVTSEL0 300C0H"], "EN of IA32_PERFEVTSEL0 is 0"),
    ),
    "corei7_haswell_4770": (
        ("0", [GLOBAL], "nothing is programmed: IA32_PERFEVTSEL0 = 0"),
        ("0", [GLOBAL, "wrmsr IA32_PERFEVTSEL0 300C0H"], "EN of IA32_PERFEVTSEL0 is 0"),
        ("0", [GLOBAL, "wrmsr IA32_PERFEVTSEL0 4000C0H"], "USR and OS of IA32_PERFEVTSEL0 are 0"),
        ("0", [ARCH], "EN_PMC0 of IA32_PERF_GLOBAL_CTRL is 0"),
        ("0", [GLOBAL, "wrmsr IA32_PERFEVTSEL0 4300FFH"], "no table here has the event"),
        ("0", [GLOBAL, "wrmsr IA32_PERFEVTSEL0 404300C0H"], "CMASK asks for more"),
        ("0", [GLOBAL, "wrmsr IA32_PERFEVTSEL0 4100C0H"], "it counts only at CPL 3"),
        ("0", [GLOBAL, "wrmsr IA32_PERFEVTSEL0 5300C0H"], "its overflows raise no PMI: LVTPC is masked"),
        ("IA32_FIXED_CTR0", ["wrmsr IA32_PERF_GLOBAL_CTRL 100000000H"], "EN_OS0 and EN_USR0 of IA32_FIXED_CTR_CTRL"),
        ("40000000H", ["wrmsr IA32_FIXED_CTR_CTRL 3"], "EN_FIXED0 of IA32_PERF_GLOBAL_CTRL is 0"),
        ("0", [ARCH, GLOBAL, "wrmsr IA32_PERFEVTSEL0 INT=1", "wrmsr IA32_PMC0 FFFFFFF0H", "apic pmi nmi",
               "wrmsr IA32_DEBUGCTL FREEZE_PERFMON_ON_PMI=1", "work loop:1000"],
         "a PMI cleared IA32_PERF_GLOBAL_CTRL"),
    ),
    "athlon_xp": (
        ("0", [], "nothing is programmed: PerfEvtSel0 = 0"),
        ("1", ["wrmsr PerfEvtSel1 300C0H"], "EN of PerfEvtSel1 is 0"),
        ("PerfCtr2", ["wrmsr PerfEvtSel2 5300C0H"], "its overflows raise no PMI: LVTPC is masked"),
    ),
    "zambezi": (
        ("1", ["wrmsr PerfEvtSel1 300C0H"], "EN of PERF_CTL1 is 0"),
        ("4", ["wrmsr PERF_CTL4 4000C0H"], "USR and OS of PERF_CTL4 are 0"),
        ("3", ["wrmsr PERF_CTL3 430076H"], "not one that this counter can count"),
    ),
    "ryzen as=zen4": (
        ("0", ["wrmsr PerfCntrGlobalCtl 0", "wrmsr PerfEvtSel0 4300C0H"], "EN0 of PerfCntrGlobalCtl is 0"),
        ("5", ["wrmsr PERF_CTL5 4000C0H"], "USR and OS of PERF_CTL5 are 0"),
        ("3", ["wrmsr PERF_CTL3 EVENT_SELECT=C0H OS=1 EN=1 GUEST_ONLY=1"],
         "GUEST_ONLY or HOST_ONLY of PERF_CTL3 is 1 and EFER.SVME is 0"),
        ("1", ["wrmsr PERF_CTL1 404300C0H"], "CNT_MASK asks for more"),
        ("2", ["wrmsr PERF_CTL2 4300C0H", "wrmsr PerfCntrGlobalStatusSet PMCF=1"], "a PMI froze all counters"),
    ),
    "tigerlake": (
        ("0", [ARCH, GLOBAL, "wrmsr IA32_PERF_GLOBAL_STATUS_SET CTR_FRZ=1"], "a PMI froze all counters"),
    ),
}

# (the target, the answer), for targets on which no counter counts.
NO_PMU = (
    ("qemu:pentium", "a PMU that is not there: MSR 11H takes D6H and reads 0H"),
    ("bochs:corei7_haswell_4770", "its registers raise #GP(0)"),
)

ZEROS = {                       # the lines that undo the programming of all causes
    "pentium": ["wrmsr CESR 0"],
    "p3_katmai": ["wrmsr PerfEvtSel0 0", "wrmsr PerfEvtSel1 0"],
    "p4_willamette": ["wrmsr MSR_IQ_CCCR0 0", "wrmsr MSR_CRU_ESCR0 0"],
    "core_duo_t2400_yonah": ["wrmsr IA32_PERFEVTSEL0 0"],
    "corei7_haswell_4770": ["wrmsr IA32_PERFEVTSEL0 0", "wrmsr IA32_PERF_GLOBAL_CTRL 0",
                            "wrmsr IA32_FIXED_CTR_CTRL 0", "wrmsr IA32_DEBUGCTL 0"],
    "athlon_xp": [f"wrmsr PerfEvtSel{number} 0" for number in range(4)],
    "zambezi": [f"wrmsr PERF_CTL{number} 0" for number in range(6)],
    "ryzen as=zen4": [*(f"wrmsr PERF_CTL{number} 0" for number in range(6)), "wrmsr PerfCntrGlobalCtl 3FH",
                      "wrmsr PerfCntrGlobalStatusClr PMCF=1"],
    "tigerlake": ["wrmsr IA32_PERFEVTSEL0 0", "wrmsr IA32_PERF_GLOBAL_CTRL 0",
                  "wrmsr IA32_FIXED_CTR_CTRL 0"],
}

REFUSED = (
    ("wrmsr IA32_DS_AREA 1000H", "IA32_DS_AREA is not written here: the processor would write to memory"),
    ("wrmsr IA32_PEBS_ENABLE PMC0=1", "IA32_PEBS_ENABLE is not written here"),
    ("wrmsr IA32_DEBUGCTL TR=1", "TR is not written here"),
    ("wrmsr IA32_DEBUGCTL C0H", "TR is not written here"),
    ("wrmsr 1D9H BTINT=1", "BTINT is not written here"),
    ("wrmsr IA32_APIC_BASE 0", "IA32_APIC_BASE is not written here: it is not the PMU's"),
    ("wrmsr 10H 0", "IA32_TIME_STAMP_COUNTER is not written here"),
    ("wrmsr C0000080H 0", "C0000080H is not a register of this PMU"),
    ("wrmsr IA32_PERF_GLOBAL_STATUS 0", "it is read-only"),
    ("wrmsr IA32_PERFEVTSEL0 EN=2", "EN has 1 bit: 2 does not fit"),
    ("wrmsr IA32_PERFEVTSEL0 NO=1", "IA32_PERFEVTSEL0 has no field NO here"),
    ("wrmsr IA32_PERFEVTSEL0 what", "what is not a number; numbers are 31"),
    ("wrmsr IA32_PERFEVTSEL0 BIT=x", "has no field BIT"),
    ("wrmsr IA32_PERFEVTSEL0 CMASK=-256", "CMASK has 8 bits: -256 does not fit"),
    ("wrmsr IA32_PERFEVTSEL0 -1", "IA32_PERFEVTSEL0 is not a counter, so it takes no negative value"),
    ("wrmsr NOTHING 0", "no register of this processor is called NOTHING"),
    ("wrmsr IA32_PERFEVTSEL0 8000000000000000H",
     "#GP(0): the bits 8000000000000000H are reserved; it stays 0H"),
    ("wrmsr IA32_PERF_GLOBAL_CTRL F0000001H", "the bits F0000000H are reserved; it stays 0H"),
    ("rdmsr 12345678H", "RDMSR 12345678H: #GP(0): this processor has no such register"),
    ("rdmsr CESR", "no register of this processor is called CESR"),
    ("rdpmc 8", "no counter has this index"), ("rdpmc 100000000H", "is not from 0 to"),
    ("rdpmc 0 user", 'CR4.PCE = 0 reserves it for CPL 0; "pce 1" allows it'),
    ("work nothing", "there is no workload nothing"), ("work loop:0", "loop takes from 1 to"),
    ("work loop:99999999999", "99999999999 is not from 0 to FFFFFFFFH"), ("work loop:1:1", "loop takes no argument"),
    ("work walk:1:FFFFFFFFH", "is beyond its end"), ("work walk:99999999", "walk takes from 1 to"),
    ("work stosd:1:1000000", "the length of stosd is from 0 to"), ("work movntps_walk:1:8", "multiple of 16"),
    ("work random:1:0", "the seed of random is not 0"), ("work cr3:1 user", "cr3 cannot run at CPL 3"),
    ("work loop:1 root", 'only "user" may follow'), ("why IA32_PERFEVTSEL0", "is not a counter"),
    ("why 99", "is not a counter"), ("pce 2", "is not from 0 to 1"), ("apic pmi smi", "not \"smi\""),
)


@functools.cache
def names_of(header):
    """Returns the registers and fields that a file of arch/regs defines."""
    text = (REGS / header).read_text(encoding="ascii")
    return [name for name, _ in DEFINE.findall(text) if not NO_REGISTER.fullmatch(name)]


class Tables(taptest.Case):
    """The monitor's tables have the registers of arch/regs and the workloads."""

    def test_registers(self):
        """every register and field of arch/regs is in the monitor's tables"""
        tables = "".join(path.read_text(encoding="ascii") for path in MONITOR.glob("registers_*.c"))
        used = set(re.findall(r"\w+", tables))
        missing = [f"{header}: {name}" for header in ("p5.h", "p6.h", "perfmon.h", "netburst.h", "lbr.h", "amd.h", "amd_branches.h")
                   for name in names_of(header) if name not in used]
        self.assertEqual(missing, [])

    def test_arguments(self):
        """every workload that takes an argument has a rule that bounds it"""
        rules = (taptest.ROOT / "pmu/workload/workload_rules.c").read_text(encoding="ascii")
        bounded = set(re.findall(r'WALK(?:16)?\("(\w+)"', rules))
        bounded |= set(re.findall(r'\.name = "(\w+)", \.argument', rules))
        taking = set()
        for folder in ("pmu/workload", "tests/suites"):
            for path in (taptest.ROOT / folder).rglob("*.asm"):
                text = path.read_text(encoding="ascii")
                parts = re.split(r"^(?:%macro )?(WORKLOAD|\w+_WALK)\b", text, flags=re.M)[1:]
                for kind, part in zip(parts[::2], parts[1::2]):
                    name = part.split()[0].rstrip(",")
                    if kind != "WORKLOAD" or "ARGUMENT(" in part.split("END_WORKLOAD")[0]:
                        taking.add(name)
        taking -= {"2", "2+", "2-3", "%1"}
        self.assertEqual(taking - bounded, set())
        self.assertGreater(len(taking), 15)


class Machine(taptest.Case):
    """A model in its monitor; it ends before the next one begins, because each keeps a host processor busy."""
    cpu = None

    @classmethod
    def setUpClass(cls):
        cpu, *words = cls.cpu.split()
        opened = Session(f"model:{cpu}", ["via=kernel", *words])
        cls.addClassCleanup(opened.close)
        cls.session = opened.__enter__()

    def shortDescription(self):
        return f"{self.cpu}: {super().shortDescription()}"

    def setUp(self):
        self.type(*ZEROS[self.cpu])

    def type(self, *lines):
        """Types the lines; returns the output of the last one."""
        said = []
        for line in lines:
            said = self.session.command(line)
        return said

    def value(self, read):
        """Returns the count that `rdmsr CTR0` or `rdpmc 0` prints."""
        said = self.type(read)[0]
        return int(said.rpartition("which is ")[2].split()[0])

    def window(self, work, read):
        """Returns the counts that one piece of work adds to the counter, and the instructions that it retires."""
        before = self.value(read)
        ran = RAN.fullmatch(self.type(work)[0])
        return self.value(read) - before, int(ran[1])


class Programmed(Machine):
    """Tests on a processor of each kind."""

    def test_1_counts(self):
        """besides the code `work` counts only the window's four instructions and one WRMSR"""
        lines, read = INSTRUCTIONS[self.cpu]
        self.type(*lines)
        for work in ("work loop:1000", "work loop:1000", "work loop:3000", "work empty",
                     "work int_iret:10", "work walk:100:40H"):
            more, retired = self.window(work, read)
            self.assertEqual(more, retired + 4 + 1, work)
        self.assertIn('  Nothing is wrong with it: it counts while "work" runs.',
                      self.type("why " + read.split()[1]))

    def test_2_causes(self):
        """`why` finds each cause, its suggestion fixes it, and `why` itself changes nothing"""
        for counter, lines, cause in CAUSES[self.cpu]:
            with self.subTest(cause):
                self.type(*lines)
                said = self.type(f"why {counter}")
                self.assertTrue([line for line in said if cause in line], said)
                tried = [move for move in map(MOVES.fullmatch, said) if move]
                self.assertTrue("froze" in cause or int(tried[0][2]) > 0, said)
                self.check_mend(counter, said, cause)
                self.type(*ZEROS[self.cpu])

    def check_mend(self, counter, said, cause):
        """Types the line that the cause suggests, and checks that the cause is gone."""
        at = next(i for i, line in enumerate(said) if cause in line)
        mend = MEND.fullmatch(said[at + 1])
        if mend:
            again = self.type(mend[1], f"why {counter}")
            self.assertFalse([line for line in again if cause in line], (mend[1], again))


class Haswell(Programmed):
    """Tests that one processor is enough for."""
    cpu = "corei7_haswell_4770"

    def test_slowly(self):
        """at the prompt nothing counts, neither while somebody types nor by reading"""
        first = self.type(ARCH, GLOBAL, "work loop:1000", "rdpmc 0")
        for key in b"rdpmc 0":
            self.session.type(bytes([key]))
            time.sleep(0.02)
        self.session.type(b"\r")
        self.assertEqual(self.session.until_prompt(self.session.silence)[1:], first)

    def test_user(self):
        """work at CPL 3 counts there, and nothing else does"""
        self.type("wrmsr IA32_PERFEVTSEL0 4100C0H", GLOBAL)
        fewer, _ = self.window("work loop:1000 user", "rdpmc 0")
        more, _ = self.window("work loop:3000 user", "rdpmc 0")
        self.assertEqual(more - fewer, 4000)
        self.assertEqual(self.window("work loop:1000", "rdpmc 0")[0], 0)

    def test_pmi(self):
        """an overflow is reported after the command, and LVTPC is masked then"""
        self.type("wrmsr IA32_PERFEVTSEL0 5300C0H", "wrmsr IA32_PMC0 FFFFFF00H", GLOBAL, "apic pmi nmi")
        self.assertRegex(self.type("work loop:1000")[-1], "^1 PMI came.*LVTPC = 10400H")
        self.assertEqual(len(self.type("work loop:1000")), 1)

    def test_warm_log(self):
        """`why` with a trial of its own leaves every register as it was"""
        self.type(ARCH, GLOBAL, "wrmsr IA32_FIXED_CTR_CTRL 3", "work loop:1000")
        before = [line for line in self.type("rdmsr") if "IA32_TIME" not in line]
        self.type("why 0", "why 1", "why 40000000H")
        self.assertEqual([line for line in self.type("rdmsr") if "IA32_TIME" not in line], before)

    def test_refused(self):
        """each harmful line, and each mistake, gets one sentence, and nothing is programmed"""
        for line, sentence in REFUSED:
            with self.subTest(line):
                said = self.type(line)
                self.assertEqual(len(said), 1, said)
                self.assertIn(sentence, said[0])
        self.assertFalse([line for line in self.type("rdmsr") if "PERFEVTSEL" in line])


class Nothing(taptest.Case):
    """Tests on a processor on which no counter counts."""

    def test_no_pmu(self):
        """the reason is printed, and nothing is programmed"""
        for target, sentence in NO_PMU:
            with self.subTest(target), Session(target, ["via=kernel"]) as session:
                for line in ("why", "why 0"):
                    said = session.command(line)
                    self.assertIn(sentence, said[0])
                    self.assertRegex(said[0], "^No counter counts here: this is ")


for name in sorted(INSTRUCTIONS.keys() - {Haswell.cpu}):
    globals()[name] = type(name, (Programmed,), {"cpu": name})
del Machine, Programmed


if __name__ == "__main__":
    taptest.main()

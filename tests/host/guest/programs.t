#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/linux/run program=... without a boot: its table, its words, its judge on made-up output."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

from runner import machine                          # noqa: E402
from runner.campaigns import matrix                 # noqa: E402
from runner.guests import linux_programs, programs_judge    # noqa: E402
from runner.problems import Problem                 # noqa: E402

RUN = taptest.TESTS / "linux" / "run"
SCRIPTS = taptest.TESTS / "linux" / "programs"
HEAD = "where 401ad0 401ad7\nwhere status 0\nprocessors 1\nprocessors status 0\n"
LOG = """\
log [    1.5] Performance Events: PEBS fmt4+-baseline, Icelake events, 32-deep LBR, Intel PMU driver.
log [    5.7] WARNING: CPU: 0 PID: 94 at arch/x86/kernel/traps.c:1089 exc_debug+0x101/0x1a0
log status 0
end
"""
STAT = "".join(f"stat {turns} {tried} {4 * turns + 68 + (tried == 1)},,instructions:u,5097250,100.00,,\n"
               f"stat {turns} {tried} {turns + 19},,branches:u,5097250,100.00,,\n"
               f"stat {turns} {tried} {turns + 8},,r11c4:u,5097250,100.00,,\nstat {turns} {tried} status 0\n"
               for tried in (1, 2, 3) for turns in (1000, 3000))
PERF = f"""{HEAD}{STAT}\
record plain status 0
samples plain     152 401ad0
samples plain     103 401ad1
samples plain     121 401ad2
samples plain      20 401ad5
samples plain status 0
record default Couldn't record kernel reference relocation symbol
record default status 0
samples default       8 401ad0
samples default      83 kernel
samples default status 0
cycles 81239,,cycles:u,5828510,100.00,,
cycles status 0
record precise status 0
samples precise       8 401ad0
samples precise status 0
record stack status 0
samples stack    3167 401ad5 401ad0
samples stack       1 ffffffff81c01220 401ad0
samples stack status 0
topdown 4012015,,slots:u,15997140,100.00,,
topdown 3996281,,topdown-retiring:u,15997140,100.00,,
topdown 0,,topdown-bad-spec:u,15997140,100.00,,
topdown 15733,,topdown-fe-bound:u,15997140,100.00,,
topdown 0,,topdown-be-bound:u,15997140,100.00,,
topdown 2,,context-switches,15667220,100.00,,
topdown status 0
{LOG}"""
RR = HEAD + "".join(f"record {turns} status 0\nreplay {turns} status 0\nticks {turns} {turns + 8}\nticks {turns} status 0\n"
                    for turns in (1000, 3000)) + f"""\
record mixed 35ffec72  -
record mixed status 0
replay mixed 35ffec72  -
replay mixed status 0
record turns 1 11.37
record turns 2 11.40
record turns status 0
replay turns 1 11.37
replay turns 2 11.40
replay turns status 0
events turns       5 EXIT
events turns      53 SCHED
events turns status 0
{LOG}"""
PAPI = f"""{HEAD}\
avail Fast counter read (rdpmc): yes
avail status 0
papi PAPI_TOT_INS stop 4819 12819
papi PAPI_TOT_INS read 4866 12866
papi PAPI_TOT_INS status 0
papi PAPI_BR_INS stop 1158 3158
papi PAPI_BR_INS read 1165 3165
papi PAPI_BR_INS status 0
papi PAPI_BR_CN stop 1101 3101
papi PAPI_BR_CN read 1108 3108
papi PAPI_BR_CN status 0
command PAPI_TOT_INS : \t200855396
command status 0
cost status 0
{LOG}"""
SELFTESTS = f"""{HEAD}\
selftest pmu_event_filter_test status 0
selftest vmx_pmu_caps_test ok 1 vmx_pmu_caps.guest_wrmsr_perf_capabilities
selftest vmx_pmu_caps_test status 0
selftest pmu_counters_test ==== Test Assertion Failure ====
selftest pmu_counters_test   x86_64/pmu_counters_test.c:129: count >= (10 * 3 + 5)
selftest pmu_counters_test status 254
{LOG}"""
READS = "186=0 c1=0 309=0 38d=0 38f=ff 38e=0 "
GUESTS = f"""{HEAD}\
module kvm status 0
vpmu Y
vpmu status 0
new reads {READS}
new moves 
new status 0
leave left
leave status 0
used leave reads {READS}
used leave moves 
used leave status 0
kill killed
kill status 0
used kill reads {READS}
used kill moves 
used kill status 0
stale reads 186=4300c0 c1=1543a3 309=154284 38d=333 38f=7000000ff 38e=0 
stale moves c1=18520c 309=1850ed 
stale status 0
alone instructions 80452
alone branches 40123
alone status 0
both branches 40123
both instructions 80454
both status 0
cost idle cpuid=3244 rdpmc=2792 counter=6 select=3134 global_ctrl=3067
cost counting cpuid=4508 rdpmc=4225 counter=3 select=4383 global_ctrl=4316
cost status 0
host guest_after_event refused: KVM_CREATE_VCPU: Device or resource busy
host all refused: Operation not supported
host host_only -1595
host status 0
{LOG}"""
NAMES = {"r20c4": 3, "mem_inst_retired.all_loads": 4, "mem_inst_retired.all_stores": 3, "inst_retired.any_p": 10,
         "br_inst_retired.all_branches": 4, "br_inst_retired.conditional": 2, "br_inst_retired.near_call": 1,
         "br_inst_retired.near_return": 1, "br_inst_retired.near_taken": 3, "br_inst_retired.not_taken": 1}
EVENTS = HEAD + "".join(f"names {turns} {tried} {turn * turns + 17 + (tried == 1)},,{name}:u,5097250,100.00,,\n"
                        f"names {turns} {tried} status 0\n"
                        for name, turn in NAMES.items() for tried in (1, 2, 3, 4) for turns in (1000, 3000)) + LOG
GOOD = {"events": ("corei7_skylake_x", EVENTS), "perf": ("corei7_icelake_u", PERF), "rr": ("corei7_skylake_x", RR), "papi": ("corei7_skylake_x", PAPI),
        "selftests": ("corei7_haswell_4770", SELFTESTS), "guests": ("corei7_icelake_u", GUESTS)}
LINUX = {"selftests": "6.12", "guests": "7.3"}
BOARD = {"guests": machine.Machine(vpmu="mediated")}
# (the program, the change, the results that must fail)
BAD = (
    ("perf", "processors 1", "processors 2", ["perf.processors"]),
    ("events", "9017,,r20c4", "9018,,r20c4", ["events.r20c4"]),
    ("events", "12017,,mem_inst_retired.all_loads:u,5097250,100.00", "12017,,mem_inst_retired.all_loads:u,5097250,66.67",
     ["events.mem_inst_retired.all_loads"]),
    ("events", "3017,,br_inst_retired.near_call", "<not supported>,,br_inst_retired.near_call",
     ["events.br_inst_retired.near_call"]),
    ("perf", "12068,", "12069,", ["perf.stat.instructions"]),
    ("perf", "3019,,branches", "3020,,branches", ["perf.stat.branches"]),
    ("perf", "3019,,branches:u", "3020,,cpu_core/branches:u/", ["perf.stat.branches"]),
    ("perf", "3019,,branches:u", "3019,,cpu_atom/branches:u/", ["perf.stat.branches"]),
    ("perf", "3008,,r11c4:u,5097250,100.00", "3008,,r11c4:u,5097250,66.67", ["perf.stat.conditional"]),
    ("perf", "samples plain     152", "samples plain     151", ["perf.record.plain"]),
    ("perf", "samples plain      20 401ad5", "samples plain      20 401ad7", ["perf.record.plain.inside"]),
    ("perf", "samples default       8 401ad0", "samples default       8 401acf", ["perf.record.default"]),
    ("perf", "samples precise       8 401ad0\n", "", ["perf.record.precise", "perf.record.precise.inside"]),
    ("perf", "samples precise       8 401ad0", "samples precise       8 401ad8", ["perf.record.precise.inside"]),
    ("perf", "samples precise       8", "samples precise      11", ["perf.record.precise"]),
    ("perf", "3167 401ad5 401ad0", "3167 401ad5 401ad1", ["perf.record.stack.inside"]),
    ("perf", "3167 401ad5 401ad0", "3070 401ad5 401ad0", ["perf.record.stack"]),
    ("perf", "3996281", "3896281", ["perf.topdown"]),
    ("perf", "topdown 0,,topdown-bad-spec", "topdown <not counted>,,topdown-bad-spec", ["perf.topdown"]),
    ("perf", "2,,context", "0,,context", ["perf.topdown.switches"]),
    ("perf", "exc_debug", "native_write_msr", ["perf.complaints"]),
    ("perf", "log status 0\n", "", ["perf.complaints"]),
    ("rr", "replay 3000 status 0", "replay 3000 status 1", ["rr.replay.3000"]),
    ("rr", "record turns status 0\n", "", ["rr.replay.turns"]),
    ("rr", "replay mixed 35ffec72", "replay mixed 35ffec73", ["rr.output.mixed"]),
    ("rr", "replay turns 1 11.37\n", "", ["rr.output.turns"]),
    ("rr", "ticks 3000 3008", "ticks 3000 3009", ["rr.ticks"]),
    ("rr", "ticks 1000 1008", "ticks 1000", ["rr.ticks"]),
    ("rr", "53 SCHED", "9 SCHED", ["rr.turns"]),
    ("papi", "stop 4819", "stop 4820", ["papi.papi_tot_ins.stop"]),
    ("papi", "read 1165 3165", "failed PAPI_read: -4", ["papi.papi_br_ins.read"]),
    ("papi", "read 1108 3108", "read 1108 -3108", ["papi.papi_br_cn.read"]),
    ("papi", "(rdpmc): yes", "(rdpmc): no", ["papi.rdpmc"]),
    ("papi", "command status 0", "command status 1", ["papi.command"]),
    ("papi", "cost status 0\n", "", ["papi.cost"]),
    ("selftests", "filter_test status 0", "filter_test status 254", ["selftests.pmu_event_filter_test"]),
    ("selftests", "caps_test status 0\n", "", ["selftests.vmx_pmu_caps_test"]),
    ("selftests", "c:129: count", "c:113: count", ["selftests.pmu_counters_test"]),
    ("selftests", "counters_test status 254\n", "", ["selftests.pmu_counters_test"]),
    ("guests", "vpmu Y", "vpmu N", ["guests.vpmu"]),
    ("guests", "new moves ", "new moves c1=5", ["guests.new.still"]),
    ("guests", "used leave reads 186=0 c1=0", "used leave reads 186=0 c1=1543a3", ["guests.after_leave.reads"]),
    ("guests", "used leave moves ", "used leave moves c1=18520c", ["guests.after_leave.still"]),
    ("guests", "leave left\n", "", ["guests.after_leave.ended"]),
    ("guests", "used kill reads 186=0", "used kill reads 186=4300c0", ["guests.after_kill.reads"]),
    ("guests", "used kill moves ", "used kill moves 309=7", ["guests.after_kill.still"]),
    ("guests", "kill killed\n", "", ["guests.after_kill.ended"]),
    ("guests", "stale reads 186=4300c0 c1=1543a3 309=154284 38d=333 38f=7000000ff 38e=0 ", f"stale reads {READS}",
     ["guests.stale.reads"]),
    ("guests", "stale moves c1=18520c 309=1850ed ", "stale moves ", ["guests.stale.moves"]),
    ("guests", "both instructions 80454", "both instructions 120575", ["guests.both.instructions"]),
    ("guests", "both branches 40123", "both branches 39000", ["guests.both.branches"]),
    ("guests", "rdpmc=4225 counter=3", "rdpmc=4225 counter=4391", ["guests.cost.counting"]),
    ("guests", "host all refused: Operation not supported", "host all 400123", ["guests.host.all"]),
    ("guests", "host guest_after_event refused: KVM_CREATE_VCPU: Device or resource busy", "host guest_after_event made",
     ["guests.host.first"]),
    ("guests", "host host_only -1595", "host host_only 401000", ["guests.host.exclude_guest"]),
)


class Judge(unittest.TestCase):
    def claims(self, program, text, cpu=None):
        row = programs_judge.expected(cpu or GOOD[program][0], program, None, LINUX.get(program, programs_judge.DEBIANS))
        return list(programs_judge.judge(program, BOARD.get(program, machine.Machine()), row, text.splitlines()))

    def failed(self, program, text, cpu=None):
        return [claim.name for claim in self.claims(program, text, cpu) if not claim.is_good]

    def test_good(self):
        """a correct boot passes"""
        for program, (_, text) in GOOD.items():
            self.assertEqual(self.failed(program, text), [], program)

    def test_bad(self):
        """each mistake fails its own results, and no other"""
        for program, old, new, names in BAD:
            text = GOOD[program][1]
            self.assertIn(old, text)
            self.assertEqual(self.failed(program, text.replace(old, new)), names, new)

    def test_hybrid(self):
        """on a hybrid perf names the events of a group in another way"""
        for name in ("cpu_core/slots:u/", "cpu_core/slots/u"):
            self.assertEqual(self.failed("perf", PERF.replace(",slots:u,", f",{name},")), [], name)

    def test_nothing(self):
        """a silent program passes no claim"""
        for program in GOOD:
            every = [claim.name for claim in self.claims(program, "")]
            self.assertEqual(self.failed(program, ""), every, program)

    def test_cut(self):
        """output that ends early fails, wherever it is cut, and is never a traceback"""
        for program, (_, text) in GOOD.items():
            for at in range(0, len(text) - len("log status 0\nend\n"), 37):
                self.assertNotEqual(self.failed(program, text[:at]), [], text[:at][-40:])

    def test_refused(self):
        """without PEBS a sample is as wrong as perf's consent"""
        text = PERF.replace("r11c4", "rd1").replace("samples precise       8 401ad0\n", "")
        for said, failed in (("status 255", False), ("status 0", True)):
            names = self.failed("perf", text.replace("record precise status 0", f"record precise {said}"), "ryzen")
            self.assertEqual("perf.record.precise.refused" in names, failed, said)


class Table(unittest.TestCase):
    def test_rows(self):
        """each row of the matrix has one in the table, for a program that works there"""
        programs = set()
        for row in matrix.rows().values():
            words = [word for word in row.words if word.startswith("program=")]
            if words:
                name = linux_programs.find(words[0])
                version = [word.removeprefix("linux=") for word in row.words if word.startswith("linux=")]
                posed = [f" {word}" for word in row.words if word.startswith("as=")]
                programs_judge.expected(row.target.partition(":")[2] + "".join(posed), name, None, *version)
                programs.add(name)
        self.assertEqual(programs, set(linux_programs.OWN))

    def test_scripts(self):
        """each program has its script, whose variables are columns of the table"""
        row = programs_judge.expected("corei7_skylake_x", "perf")
        columns = linux_programs.shell(row)
        for name in linux_programs.OWN:
            self.assertTrue((SCRIPTS / f"{name}.sh").is_file(), name)
        self.assertIn("CONDITIONAL='r1c4'\n", columns)
        self.assertIn("STACK='32'\n", columns)
        self.assertIn("CONDITIONAL=''\n", linux_programs.shell(programs_judge.expected("p3_katmai", "perf")))

    def test_wrong(self):
        """a row with a field too few, a word for a number, or another word is refused"""
        head = programs_judge.TABLE.read_text(encoding="utf-8").splitlines()
        head = next(line for line in head if line.startswith("cpu,"))
        for row in ("a,32,6.1,-,exact,yes,0,no,no,-", "a,x,6.1,-,exact,yes,0,no,no,-,-", "a,32,6.1,c4,exact,yes,0,no,no,-,-",
                    "a,32,6.1,-,all,yes,0,no,no,-,-", "a,32,6.1,-,exact,yes,0,no,no,PAPI_TOT_IN,-",
                    "a,32,6.1,-,exact,yes,0,no,no,-,-,-", "a,32,6.1,-,exact,yes,0,no,no,-,test:line"):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "rows.csv"
                path.write_text(f"{head}\n{row}\n", encoding="utf-8")
                with self.assertRaises(Problem, msg=row):
                    programs_judge.rows(path)


class Command(unittest.TestCase):
    def test_wrong(self):
        """wrong words are one sentence and status 2"""
        for words in (["linux:corei7_skylake_x", "program=top"], ["linux:corei7_skylake_x", "program=rr", "program=rr"],
                      ["linux:i386", "program=perf"], ["linux:arrow_lake", "program=rr"],
                      ["linux:p3_katmai", "program=papi"], ["linux:p3_katmai", "program=perf", "bits=64"]):
            done = subprocess.run([RUN, *words], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)


taptest.main()

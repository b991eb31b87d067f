#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The monitor's commands that sample: sample, pmi, pebs, lbr, cascade, watchdog, on the model.

The model repeats itself to the last count and has no skid, so the expected output follows from the
workload's code (its symbols in the kernel's file) and from the count that the command prints."""
import functools
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner.session import Session                  # noqa: E402

RESET = "The PMU was reset, LVTPC is masked: what was programmed before is lost."
HEAD = re.compile(r"(\S+): (\d+) of \S+ in this work, a (?:PMI|record) every (\d+): "
                  r"(\d+) due, (\d+) (?:seen|written), (\d+) lost")
TICKS = re.compile(r"The kernel's watchdog ticked (\d+) times meanwhile")
ROW = re.compile(r" *(\d+) +[\d.]+%  ([0-9A-F]+)H +(\S+)")
PMI = re.compile(r" *\d+  (\d) +(\S+) +(\S+) +([0-9A-F]+)H  ([0-9A-F]+)H")
LBR = re.compile(r" *\d+  ([0-9A-F]+)H +(\S+) +([0-9A-F]+)H +(\S+)")

NO_PEBS = ("pebs", "^no records are written here: the PMU has no PEBS")
NO_CASCADE = ("cascade", "^only NetBurst, the Pentium 4, has cascading")


@functools.cache
def symbols(bits):
    """Returns the kernel's symbols by name: addresses."""
    text = subprocess.run(["nm", taptest.ROOT / f"build/barecount{bits}.elf.debug"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    lines = (line.split() for line in text.splitlines())
    return {line[2]: int(line[0], 16) for line in lines if len(line) == 3}


class Monitor(taptest.Case):
    """A model in its monitor; it ends before the next one begins, because each keeps a host processor busy."""

    @classmethod
    def setUpClass(cls):
        opened = Session(f"model:{cls.model}", ["via=kernel"])
        cls.addClassCleanup(opened.close)
        cls.session = opened.__enter__()
        cls.symbol = symbols(cls.bits)

    def shortDescription(self):
        return f"{self.model}: {super().shortDescription()}"

    def type(self, command):
        return self.session.command(command)

    def type_head(self, command):
        """Its lines, what it counted, how often it sampled: as often as that count allows."""
        out = self.type(command)
        head = HEAD.match(out[0])
        self.assertTrue(head, (command, out))
        counted, every, due, seen, lost = (int(head[i]) for i in range(2, 7))
        ticks = [int(found[1]) for found in map(TICKS.match, out) if found]
        self.assertEqual((due, lost), (counted // every, 0),
                         (command, "a sample every N of what the work counts", out))
        self.assertIn(seen - due, range(1 + sum(ticks)), (command, "a tick's IRET counts, too", out))
        self.assertEqual(out[-1], RESET, command)
        return out, counted, seen

    def rows(self, out):
        return {int(row[2], 16): (int(row[1]), row[3]) for row in map(ROW.match, out) if row}

    def branches(self, out):
        found = [LBR.match(line).groups() for line in out if LBR.match(line)]
        return [(int(row[0], 16), int(row[2], 16)) for row in found]

    def loop(self):
        """Returns the addresses of workload_loop's DEC, where a round begins, and of its JNZ, which has 2 bytes."""
        return self.symbol["code_loop.round"], self.symbol["code_loop.round_end"] - 2

    def refused(self, *rows):
        for command, sentence in rows:
            with self.subTest(command):
                out = self.type(command)
                self.assertLessEqual(out[:-1], [RESET], (command, "and nothing else", out))
                self.assertRegex(out[-1], sentence, command)


class Interrupts:
    """Tests for every processor with PMIs; `status` and `lvtpc` are the values that a PMI finds."""
    bits, status, lvtpc, lbr_depth, has_filter = 64, "100000000H", "10400", 16, False

    def test_kernel(self):
        """sample: periods of a loop in the kernel are exact: the handler's counts are taken off."""
        out, counted, seen = self.type_head("sample PAPI_TOT_INS every 4999 on loop:10000")
        self.assertIn(counted - 20_002 - 4, (0, 1, 2),
                      ("2 a round, MOV, RET; the window's 4, and either of its WRMSRs", out))
        rows = self.rows(out)
        self.assertEqual(set(rows), set(self.loop()), ("a loop of two instructions", out))
        self.assertEqual({count for count, _ in rows.values()}, {seen // 2},
                         ("an odd period ends at both in turn", out))

    def test_user(self):
        """sample: at CPL 3 periods may be short; none is lost."""
        out, counted, seen = self.type_head("sample PAPI_TOT_INS:u every 7 on loop:200 user")
        extra = 4 if self.bits == 32 else 2         # CALL and INT, after the PUSHes of 32-bit arguments
        self.assertIn(counted - 402 - extra, (0, 1), ("or the IRET to CPL 3, too", out))
        rows = self.rows(out)
        self.assertEqual(sum(count for count, _ in rows.values()), seen, out)
        self.assertGreaterEqual(sum(rows[place][0] for place in self.loop()), 400 // 7, out)

    def test_least(self):
        """sample: a period that the handler fills by itself is refused, the least one works."""
        out = self.type("sample PAPI_TOT_INS every 200 on loop:10000")
        self.assertRegex(out[-1], "^every 200 is too often: a PMI's handler itself counts ")
        least = int(re.search(r"take (\d+) or more", out[-1])[1])
        out = self.type(f"sample PAPI_TOT_INS every {least - 1} on loop:10000")
        self.assertEqual(out[0], RESET)
        self.assertRegex(out[-1], "is too often")
        self.type_head(f"sample PAPI_TOT_INS every {least} on loop:10000")

    def test_pmi(self):
        """pmi: each comes after its Nth instruction, with its address, status and LVTPC."""
        out, counted, seen = self.type_head("pmi PAPI_TOT_INS:u every 101 on nops:1000 user")
        first = self.symbol["code_nops.sled_end"] - 1000
        before = counted - 1000 - 2         # RET and the INT that ends the work follow the NOPs
        found = [PMI.match(line).groups() for line in out if PMI.match(line)]
        self.assertEqual([int(pmi[4], 16) for pmi in found],
                         [first + 101 * (i + 1) - before for i in range(seen)], out)
        self.assertEqual({pmi[0] for pmi in found}, {"3"}, ("CPL", out))
        self.assertEqual({pmi[1] for pmi in found}, {"0"}, ("no skid", out))
        self.assertEqual({pmi[2] for pmi in found}, {self.status}, ("the counter's bit", out))
        self.assertEqual({pmi[3] for pmi in found}, {self.lvtpc}, ("LVTPC on entry", out))

    def test_lbr(self):
        """lbr: the last branches of a loop, newest first: its RET, its JNZ a round, the call."""
        start, jump = self.loop()
        out = self.type("lbr on loop:8")
        found = self.branches(out)
        self.assertEqual(len(found), min(self.lbr_depth, 1 + 7 + 1), out)
        self.assertEqual(found[0][0], jump + 2, ("the RET follows the JNZ", out))
        self.assertEqual(found[1:8], [(jump, start)] * len(found[1:8]), out)
        self.assertEqual([to for _, to in found[8:]], [self.symbol["code_loop"]] * len(found[8:]), out)
        out = self.type("lbr on loop:8 user")
        if self.has_filter:
            self.assertEqual(self.branches(out)[1:8], [(jump, start)] * 7, ("those of CPL 3", out))
        else:
            self.assertIn("no filter", out[0])

    def test_watchdog(self):
        """watchdog: an NMI ends code that hangs with interrupts off, after two periods."""
        out = self.type("watchdog every 50000")
        self.assertRegex(out[1], r"Tick 2: it has not, so this hangs\.$", out)
        self.assertRegex(out[2], r"^It hung at [0-9A-F]+H, \d+ bytes into the endless loop", out)
        self.assertRegex(out[3], r"^2 periods of 50000 and \d+ more of PAPI_TOT_", out)
        self.assertEqual(out[-1], RESET)
        self.assertRegex(self.type("watchdog")[0], "is ended after 10 s by the 8254")


class Reset:
    """`control` is a register that a user may have programmed, with its value; `counter` then counts."""
    control, counter = ("IA32_PERFEVTSEL0", "4300C0H"), "IA32_PMC0"

    def test_reset(self):
        """A command removes its own programming and all before it; lbr removes nothing."""
        name, value = self.control
        self.type(f"wrmsr {name} {value}")
        self.type("lbr on loop")
        self.assertRegex(self.type(f"rdmsr {name}")[0], f" = {value}$", "lbr leaves it alone")
        for rounds in 6000, 10:             # of which the second is refused
            self.type(f"wrmsr {name} {value}")
            self.assertIn(RESET, self.type(f"sample PAPI_BR_INS every 5000 on loop:{rounds}"))
            self.assertRegex(self.type(f"rdmsr {name}")[0], " = 0H$", rounds)
            self.type("work loop")
            self.assertRegex(self.type(f"rdmsr {self.counter}")[0], r" = 0H\b", "nothing counts on")
        self.assertTrue(any(re.match("LVTPC +=? +10[0-9]00H  masked", line)
                            for line in self.type("apic")))

    def test_kept(self):
        """sample: what cannot work is refused before anything that was programmed is lost."""
        name, value = self.control
        self.type(f"wrmsr {name} {value}")
        for line, sentence in (
                ("sample PAPI_TOT_INS every 5000 on loop:10", "loop has 22 instructions, fewer than N = 5000"),
                ("sample PAPI_TOT_INS every 2 on loop", "^every 2 is too often: .* take 1000 or more"),
                ("sample PAPI_BR_INS:u every 7 on loop", "counts only CPL 3, and this work runs at CPL 0")):
            with self.subTest(line):
                out = self.type(line)
                self.assertEqual(len(out), 1, out)
                self.assertRegex(out[0], sentence)
                self.assertRegex(self.type(f"rdmsr {name}")[0], f" = {value}$")


class Pebs:
    """`pebs_event` records the loads of walk. `pebs_after` has the allowed distances of a record's address
    from the load's own, which has 2 bytes, by the SDM; NetBurst's may be either."""
    pebs_event, pebs_after = "loads", {0}

    def test_pebs(self):
        """pebs: a record every Nth event, each with the place of the load, and its fields."""
        load = self.symbol["code_walk.round"]
        for suffix, work in (("", "walk:1000"), (":u", "walk:1000 user")):
            out, counted, seen = self.type_head(f"pebs {self.pebs_event}{suffix} every 20 on {work}")
            self.assertTrue(1000 <= counted < 1020, ("a load a round, RET, the way there", out))
            kept = {place - load: count for place, (count, _) in self.rows(out).items()}
            self.assertEqual(len(kept), 1, ("all at one instruction", out))
            self.assertLessEqual(set(kept), self.pebs_after, ("the load, or after it", out))
            self.assertEqual(sum(kept.values()), seen, out)
            ip = next(line for line in out if re.match(" +(EVENTING )?IP ", line))
            self.assertIn(f" {load + min(kept):X}H ", ip, ("the first record's", out))
            self.assertTrue(any(line.startswith("  FLAGS ") for line in out), out)


class NetBurst(Pebs):
    control, counter = ("MSR_CRU_ESCR0", "400020CH"), "MSR_IQ_COUNTER0"
    status = "1000H"                # OVF of CCCR 12, which is this counter's
    pebs_after = {0, 2}

    def test_cascade(self):
        """cascade: the second counter counts as much as the first one since its overflow."""
        for after, rounds in ((1000, 1000), (2, 500), (5000, 1000)):
            out = self.type(f"cascade PAPI_TOT_INS after {after} on loop:{rounds}")
            first = int(re.search(r" counted (\d+) of ", out[0])[1])
            second = int(re.search(r" counted (\d+); expected", out[1])[1])
            self.assertIn(first - 2 * rounds - 6, (0, 1, 2), out)
            self.assertEqual(second, max(0, first - after), ("the rest", out))
            self.assertEqual(out[-1], RESET)


class Pentium(Monitor):
    """Counters raise no PMIs."""
    model, bits = "pentium_mmx", 32

    def test_refused(self):
        """A Pentium has neither PMIs nor PEBS nor branch records."""
        self.refused(("sample PAPI_TOT_INS every 5000 on loop:100000", "raise no interrupt"),
                     ("pmi PAPI_TOT_INS every 5000 on loop:100000", "raise no interrupt"),
                     ("watchdog every 100000", "raise no interrupt"),
                     ("lbr on loop", "^there are no last branch records: family 5H"),
                     NO_PEBS, NO_CASCADE)


class P6(Interrupts, Reset, Monitor):
    """P6 has no status register; no document says that a PMI masks its LVTPC."""
    control, counter = ("PerfEvtSel0", "4300C0H"), "PerfCtr0"
    model, bits, status, lvtpc, lbr_depth = "p3_katmai", 32, "none", "400", 1

    def test_refused(self):
        """P6 has no PEBS and no cascades."""
        self.refused(NO_PEBS, NO_CASCADE)

    def test_gates(self):
        """Work that faults on purpose has its handler, also after a command that was refused."""
        self.refused(("sample PAPI_BR_INS every 3000 on fault:10", "no PMI is due"))
        out, _, seen = self.type_head("sample PAPI_TOT_INS every 3000 on fault:2000")
        self.assertEqual({place[:5] for _, place in self.rows(out).values()}, {"fault"}, out)
        self.assertEqual(seen, 2, out)


class Pentium4(NetBurst, Interrupts, Reset, Monitor):
    model, bits, lbr_depth = "p4_willamette", 32, 4

    def test_examples(self):
        """The example of each command's help can be typed, on a processor that has all of them."""
        for command in ("sample", "pmi", "pebs", "lbr", "watchdog", "cascade"):
            example = self.type(f"help {command}")[-1]
            self.assertTrue(example.startswith(f"Example: {command}"), example)
            out = self.type(example.removeprefix("Example: "))
            self.assertGreater(len(out), 1, (example, "it did something", out))


class Prescott(NetBurst, Interrupts, Monitor):
    model = "p4_prescott_celeron_336"


class Core2(Interrupts, Pebs, Monitor):
    model, lbr_depth, pebs_event, pebs_after = "core2_penryn_t9600", 4, "l1_misses", {2}


class Haswell(Interrupts, Pebs, Reset, Monitor):
    model, has_filter = "corei7_haswell_4770", True

    def test_buffer(self):
        """sample: samples that are not kept are counted and reported."""
        out, _, seen = self.type_head("sample PAPI_TOT_INS:u every 2 on loop:4120 user")
        self.assertGreater(seen, 4096, out)
        self.assertEqual(sum(count for count, _ in self.rows(out).values()), 4096, out)
        self.assertTrue(any(re.match(rf" +{seen - 4096} +after the first 4096", line)
                            for line in out), out)

    def test_pebs_full(self):
        """pebs: records that do not fit into the buffer are lost and reported."""
        out = self.type("pebs loads every 2 on walk:1000")
        head = HEAD.match(out[0])
        room = 16 * 1024 // 192                     # of the records of format 2
        self.assertEqual((int(head[5]), int(head[6])), (room, int(head[4]) - room), out)
        self.assertIn("the buffer is full", out[0])

    def test_refused(self):
        """Impossible requests are refused with the reason."""
        self.refused(
            ("sample", r"^it is sample EVENT every N \[by ibs\] on WORK"),
            ("sample ops every 160 by ibs on loop", "^the PMU is not AMD's"),
            ("sample PAPI_TOT_INS each 5000 on loop", '"every" must follow the event, not each'),
            ("sample PAPI_TOT_INS every 5000 in loop", '"on" and the work must follow N, not in'),
            ("sample PAPI_TOT_INS every 0 on loop", "^N: 0 is not from 1 to 2147483647"),
            ("sample PAPI_TOT_INS every 2147483648 on loop", "is not from 1 to"),
            ("sample PAPI_TOT_INS every x on loop", "^N: x is not a number"),
            ("sample PAPI_BR_INS every 5000 on loop:10", "less than 5000: no PMI is due"),
            ("sample no_such_event every 5000 on loop", "no_such_event"),
            ("pmi PAPI_TOT_INS every 5000 on no_such_work", "no_such_work"),
            ("pebs no_such_event every 50 on walk", "no event that PEBS records here"),
            ("pebs loads:x every 50 on walk", "not :x"),
            ("pebs loads every 1 on walk", "^N is 2 or more"),
            ("lbr off loop", r"^it is lbr \[on WORK\]"),
            ("watchdog every 10", "^N: 10 is not from 10000 to"),
            NO_CASCADE)


class ArrowLake(Interrupts, Pebs, Monitor):
    model, lbr_depth, has_filter = "arrow_lake", 32, True


class Ryzen(Monitor):
    """IBS has the very instruction, and shows of all samples those of an event."""
    model, bits = "ryzen", 64

    def test_ibs(self):
        """sample by ibs: loads and misses are the walk's load, branches that are taken its jump"""
        load = self.symbol["code_walk.round"]
        jump = self.loop()[1]
        for event, work, place in (("loads", "walk:5000", load), ("misses", "walk:5000", load),
                                   ("taken", "loop:5000 user", jump)):
            out = self.type(f"sample {event} every 160 by ibs on {work}")
            all_samples, of_event = map(int, re.match(
                rf"(\d+) samples, \d+ interrupts without one; of {event} (\d+):", out[0]).groups())
            rows = self.rows(out)
            self.assertTrue(20 < of_event < all_samples, out)
            self.assertGreaterEqual(rows[place][0], of_event * 9 // 10, ("the kernel has a few", out))
            self.assertRegex(out[-1], "^The first sample: IbsOpRip ")

    def test_all(self):
        """sample ops by ibs is ibs op; clocks and fetches are counted otherwise"""
        for command in ("sample ops every 320 by ibs", "ibs op every 320", "sample clocks every 2048 by ibs",
                        "sample fetches every 160 by ibs", "ibs fetch every 160"):
            out = self.type(f"{command} on loop:10000")
            self.assertRegex(out[0], r"^[1-9]\d* samples, \d+ interrupts without one:$", command)
            self.assertTrue(set(self.rows(out)) & set(self.loop()), out)

    def test_lbr(self):
        """lbr: the pair has the RET that ended the work"""
        out = self.type("lbr on loop:8")
        self.assertEqual((out[0], len(self.branches(out))), ("1 of 1 entry, the newest first.", 1), out)
        self.assertEqual(self.branches(out)[0][0], self.loop()[1] + 2, out)
        self.assertIn("pair of registers, 1 deep", self.type("lbr")[0])

    def test_refused(self):
        """Impossible requests are refused with the reason."""
        self.refused(("sample mises every 160 by ibs on walk", r"^IBS samples no mises \(did you mean misses"),
                     ("sample ops every 160 by pebs on walk", "^only ibs can follow"),
                     ("sample ops every 160 by ibs in walk", "^it is \"sample ops every N by ibs on WORK\""),
                     ("sample ops each 160 by ibs on walk", "^it is \"sample ops every N by ibs on WORK\""),
                     ("sample ops every 160 by", "^it is sample EVENT every N"),
                     ("sample ops every 16 by ibs on walk", "^N: 16 is not from 144 to"),
                     ("sample PAPI_TOT_INS every 160 by ibs on walk", "^IBS samples no PAPI_TOT_INS"), NO_PEBS)


del Monitor                     # it has no processor, and must not be run as a case
taptest.main()

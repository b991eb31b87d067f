#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The words of tests/boot: it takes some itself, passes others to the kernel, and refuses mistakes."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import handover, logs, machine  # noqa: E402
from runner.campaigns import matrix  # noqa: E402
from runner.problems import Problem                 # noqa: E402
from targets import kvm, model, qemu                # noqa: E402

BAD_WORDS = (
    "mem=0", "mem=x", "mem=-1", "mem=99999999", "smp=2", "smp=0:1:1", "smp=16:16:16", "smp=1:1:1:1",
    "bits=16", "bits=", "firmware=efi", "via=floppy", "timeout=0", "timeout=soon", "serial=com5",
    "apic=maybe", "a'b", 'a"b', "a b", "a\tb", "a\nb", "a\\b", "\x7f", "\xe9", "", "a\0b",
)


class Words(unittest.TestCase):
    """Words are parsed, and become files and options."""

    def test_split(self):
        """the machine's words are taken, the others are left for the kernel in their order"""
        board, ours, kernels = machine.split(
            ["only=rdpmc.*", "smp=1:2:2", "mem=16", "console=mmio32,0xfe000000,115200", "memory=3",
             "uarch=netburst"])
        self.assertEqual((board.smp.cpus, board.mem_mb, board.com_port), (4, 16, 1))
        self.assertEqual(ours, ["smp=1:2:2", "mem=16"])
        self.assertEqual(kernels, ["only=rdpmc.*", "console=mmio32,0xfe000000,115200", "memory=3",
                                   "uarch=netburst"])

    def test_bad(self):
        """a value that a word does not take, and a word that GRUB would change, are refused"""
        for word in BAD_WORDS:
            with self.subTest(word), self.assertRaises(Problem):
                machine.split([word])

    def test_twice(self):
        """a word that comes twice is refused"""
        with self.assertRaises(Problem):
            machine.split(["mem=16", "mem=32"])

    def test_shape(self):
        """processors of one core or one thread are refused with more of them, and the sentence names what can be"""
        for cpu, smp, can in (("p3_katmai", "1:2:1", "2:1:1"), ("core2_penryn_t9600", "2:2:2", "2:4:1")):
            with self.assertRaisesRegex(Problem, f"smp={can} makes as many"):
                model.check_shape(cpu, machine.topology(smp))
            model.check_shape(cpu, machine.topology(can))

    def test_disk(self):
        """the disk of words has the file that grub.cfg sources"""
        board, _, words = machine.split(["only=a.*", "skip=b?", "x=$y", "bits=32"])
        hand = handover.Handover(board, words)
        disk = hand.words_disk()
        text = subprocess.run(["mtype", "-i", disk, "::/barecount.cfg"], text=True, check=True,
                              capture_output=True, pass_fds=hand.fds).stdout
        self.assertEqual(text, "set barecount_words='only=a.* skip=b? x=$y'\nset timeout=0\n"
                               "set barecount_bits=32\n")
        hand.close()

    def test_bits(self):
        """bits=: GRUB gets a variable, QEMU's own loader the file; no other words are needed"""
        board, _, words = machine.split(["only=a"])
        self.assertNotIn("barecount_bits", handover.Handover(board, words)._configuration())
        for given, file in (("", "barecount32.elf"), ("bits=32", "barecount32.elf"),
                            ("bits=64", "barecount64.elf")):
            board, _, words = machine.split(["via=kernel", *given.split()])
            machine.check_offers("qemu:", board, qemu.OFFERS)
            hand = mock.Mock(kernel_words=words, kernel=lambda bits: f"barecount{bits}.elf")
            self.assertEqual(qemu.media(board, hand)[1], file)
        with self.assertRaisesRegex(Problem, "QEMU's own loader"):
            machine.check_offers("qemu:", machine.split(["via=kernel", "firmware=uefi"])[0],
                                 qemu.OFFERS)
        names = {logs.file_name("qemu:Nehalem", words.split()) for words in ("", "bits=32", "bits=64")}
        self.assertEqual(len(names), 3)

    def test_network(self):
        """via=pxe takes GRUB's image for the firmware and the disk of words, via=ipxe a script"""
        for given, asked, words in (("via=pxe", "tftp=net,bootfile=boot/grub/i386-pc/core", True),
                                    ("via=pxe firmware=uefi", "bootfile=boot/grub/x86_64", True),
                                    ("via=ipxe bits=64", "tftp=/dev/fd,bootfile=script64", False)):
            board, *_ = machine.split(given.split())
            machine.check_offers("qemu:", board, qemu.OFFERS)
            hand = mock.Mock(netboot=lambda: "net", ipxe_script=lambda bits: f"script{bits}")
            media = qemu.media(board, hand)
            self.assertIn(asked, media[1])
            self.assertEqual(any("id=words" in word for word in media), words)
        with self.assertRaisesRegex(Problem, "via=ipxe is a loader of multiboot"):
            machine.check_offers("qemu:", machine.split(["via=ipxe", "firmware=uefi"])[0],
                                 qemu.OFFERS)
        with self.assertRaisesRegex(Problem, "cannot do via=pxe"):
            machine.check_offers("bochs:", machine.split(["via=pxe"])[0], {"via": ("cd",)})

    def test_log_names(self):
        """log names are file names, and different for different words"""
        words = ([], ["only=a"], ["only=a/b"], ["only=a-b"], ["only=" + "x" * 500],
                 ["only=" + "x" * 501], ["smp=1:1:1"], ["smp=1-1-1"])
        names = [logs.file_name("qemu:Nehalem", each) for each in words]
        self.assertEqual(len(set(names)), len(names), names)
        self.assertTrue(all("/" not in name and len(name) < 200 for name in names))
        self.assertEqual(names[0], "qemu-Nehalem")

    def test_cpu_names(self):
        """names are read from the lists of older and newer QEMUs"""
        older = "Available CPUs:\nx86 486-v1   \nx86 Nehalem  (alias)\n\nRecognized CPUID flags:\n  3dn\n"
        self.assertEqual(qemu.names_in(older), {"486-v1", "Nehalem"})
        self.assertEqual(qemu.names_in(older.replace("x86 ", "  ")), {"486-v1", "Nehalem"})

    def test_pmu_of_kvm(self):
        """each of three signs shows a virtual PMU; its absence is reported with the values"""
        for capability, leaves, expected in (
                (0, {}, False), (1, {}, True), (0, {0xA: (0x07300402, 0, 0, 0)}, True),
                (0, {0x80000001: (0, 0, 1 << 23, 0)}, True), (0, {0xA: (0x300, 0, 0, 0)}, False)):
            with self.subTest(capability=capability, leaves=leaves):
                self.assertEqual(not kvm.why_no_pmu_with(capability, leaves), expected)


class Matrix(unittest.TestCase):
    """The table of runs."""

    def load(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "matrix"
            path.write_text(text)
            return matrix.rows(path)

    def test_rows(self):
        """a row is a name, a need, a place, a target and words"""
        rows = self.load("# head\n\na must test qemu:x  mem=16 only=*  # why\nb may matrix kvm:host\n")
        self.assertEqual(rows["a"], matrix.Row("a", "must", "test", "qemu:x", ("mem=16", "only=*")))
        self.assertEqual(rows["b"].words, ())

    def test_bad_rows(self):
        """a line that is not a row is named by file and line"""
        for text in ("a must test\n", "a should test qemu:x\n", "a must qemu:x mem=16\n",
                     "a must test qemu:x\na must test qemu:y\n"):
            with self.subTest(text), self.assertRaisesRegex(Problem, r"matrix:\d+: "):
                self.load(text)

    def test_ours(self):
        """every row of the project's table has words that are understood"""
        for row in matrix.rows().values():
            with self.subTest(row.name):
                if row.program == matrix.BOOT:
                    machine.split(row.words)


if __name__ == "__main__":
    taptest.main()

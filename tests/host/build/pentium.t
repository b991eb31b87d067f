#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The 32-bit kernel runs on a Pentium, and tests/pentium finds each kind of breach."""
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

KERNEL = taptest.ROOT / "build" / "barecount32.elf.debug"
CHECK = taptest.TESTS / "pentium"
GUARDS = taptest.TESTS / "pentium.csv"
APART = 32
NEWER = {                       # instructions of processors after the Pentium, and their names
    "cmove eax,eax": "0f 44 c0",
    "fcomi st,st(1)": "db f1",
    "nop DWORD PTR [eax]": "0f 1f 00",
    "rdpmc": "0f 33",
    "sysenter": "0f 34",
    "movd mm0,eax": "0f 6e c0",
    "xorps xmm0,xmm0": "0f 57 c0",
    "prefetcht0 BYTE PTR [eax]": "0f 18 08",
    "clflush BYTE PTR [eax]": "0f ae 38",
    "lfence": "0f ae e8",
    "fxsave [eax]": "0f ae 00",
    "movnti DWORD PTR [eax],eax": "0f c3 00",
    "endbr32": "f3 0f 1e fb",
    "fisttp DWORD PTR [eax]": "db 08",
    "tzcnt eax,eax": "f3 0f bc c0",
    "popcnt eax,eax": "f3 0f b8 c0",
    "monitor": "0f 01 c8",
    "vzeroupper": "c5 f8 77",
    "(bad)": "0f 04",
}


def load_check():
    """Returns the script as a module."""
    loader = importlib.machinery.SourceFileLoader("pentium", str(CHECK))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("pentium", loader))
    loader.exec_module(module)
    return module


def run(*arguments):
    """Runs tests/pentium; returns its exit status and its output."""
    done = subprocess.run([CHECK, *arguments], text=True, check=False, capture_output=True)
    return done.returncode, done.stdout + done.stderr


class Pentium(unittest.TestCase):
    """tests/pentium on the kernel, and on copies that were made wrong."""

    @classmethod
    def setUpClass(cls):
        cls.script = load_check()
        cls.kernel = cls.script.Kernel(KERNEL)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.copy = pathlib.Path(folder.name) / "copy"
        self.table = pathlib.Path(folder.name) / "guards.csv"

    def planted(self, *codes, symbol="code_nops.sled"):
        """Returns the kernel with these bytes at a symbol, some NOPs apart: by default where 1000 begin."""
        image = bytearray(self.kernel.image)
        offset = self.kernel.offset(self.kernel.at(symbol))
        for code in map(bytes.fromhex, codes):
            image[offset:offset + len(code)] = code
            offset += APART
        self.copy.write_bytes(image)
        return run(self.copy)

    def guards(self, old, new):
        """Breaches in the kernel with a changed table of exceptions: whether there are some, and which."""
        text = GUARDS.read_text(encoding="ascii")
        self.assertIn(old, text)
        self.table.write_text(text.replace(old, new), encoding="ascii")
        _, breaches = self.script.check(self.kernel, self.script.read_rows(self.table))
        return bool(breaches), "\n".join(breaches)

    def test_kernel(self):
        """the kernel has no instruction that a Pentium lacks and nothing guards"""
        status, said = run(KERNEL)
        self.assertEqual(status, 0, said)

    def test_newer(self):
        """each instruction newer than the Pentium is named, with its place"""
        start = self.kernel.at("code_nops.sled")
        status, said = self.planted(*NEWER.values())
        self.assertEqual(status, 1, said)
        for number, name in enumerate(NEWER):
            with self.subTest(name):
                self.assertIn(f"{start + number * APART:X}H (code_nops.sled): {name}: ", said)

    def test_real_mode(self):
        """a newer instruction in 16-bit code is named"""
        status, said = self.planted("0f 44 c0 90 90", symbol="real_ended")
        self.assertEqual(status, 1, said)
        self.assertIn("(real_ended): cmove ax,ax: not on a Pentium", said)

    def test_hidden(self):
        """an instruction that a jump over its first byte hides is found by the jump"""
        status, said = self.planted("eb 01 b8 0f 44 c0 90")
        self.assertEqual(status, 1, said)
        self.assertIn("(code_nops.sled): jmp to ", said)

    def test_guards(self):
        """an exception without a guard, with a guard that does not ask CPUID, or about nothing is named"""
        for old, new, wanted in (
                ("sysexit,need_sysenter", "sysexit,fixup", "sysexit: no fixup at this address"),
                ("sysexit,need_sysenter", "sysexit,need_this", "there is no function need_this"),
                ("sysexit,need_sysenter", "sysexit,memset", "memset does not ask CPUID"),
                ("needs=mmx", "needs=sse", "paddb mm0,mm1: its workload needs mmx"),
                ("needs=sse", "fixup", "xorps xmm0,xmm0: no fixup at this address"),
                ("sysexit,need", "sysret,need", "sysexit: not on a Pentium"),
                ("sysexit,need", "sysret,need", ": sysret is not in fast_calls_sysexit")):
            with self.subTest(wanted):
                is_breached, said = self.guards(old, new)
                self.assertTrue(is_breached)
                self.assertIn(wanted, said)


if __name__ == "__main__":
    taptest.main()

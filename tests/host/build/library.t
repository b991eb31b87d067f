#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The model as others get it: a header without foreign names, an archive with one prefix, an example."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

PREFIX = "refpmu_"
HEADER = taptest.ROOT / "model" / "refpmu.h"
HEADERS = (HEADER, taptest.ROOT / "model" / "refpmu_kinds.h")
EXAMPLES = taptest.ROOT / "model" / "example"
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-pedantic")
# An emulator has names of its own, which may mean something else.
OWN_NAMES = """\
#define BIT(n) this_is_not_c n
#define FIELD(hi, lo) this_is_not_c
#define FIELD_GET(field, reg) this_is_not_c
#define MIN(a, b) this_is_not_c
#define MSR_IA32_PERFCTR0 this_is_not_c
#define IA32_PMC(n) this_is_not_c
#define CACHE_THREADS this_is_not_c
#define SIGNALS this_is_not_c
struct machine { int mine; };
#include "{header}"
int main(void) {{ return {prefix}version() == 0; }}
"""
# The functions that gcc may need in a freestanding environment; on 32 bits also those of libgcc and of
# position-independent code.
MAY_ASK = {"memcpy", "memset", "memmove", "memcmp"}
MAY_ASK_32 = MAY_ASK | {"__udivdi3", "__umoddi3", "_GLOBAL_OFFSET_TABLE_"}


def run(*command, **options):
    return subprocess.run([str(word) for word in command], text=True, check=False, capture_output=True,
                          **options)


def symbols(library, *options):
    """Returns the names that nm shows so."""
    said = run("nm", *options, library).stdout
    return {line.split()[-1] for line in said.splitlines() if re.search(r" [A-Za-z] ", line)}


def declared():
    """Returns the functions that the header declares, and does not have itself."""
    text = re.sub(r"/\*.*?\*/", "", "".join(header.read_text() for header in HEADERS), flags=re.S)
    text = re.sub(r"^static inline .*?^\}", "", text, flags=re.S | re.M)
    return set(re.findall(rf"\b({PREFIX}\w+)\(", text))


class Library(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="barecount-library-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.made = {bits: cls.make(f"BUILD={cls.folder}/{bits}", f"CFLAGS=-O1 -m{bits} -Werror")
                    for bits in (64, 32)}
        cls.installed = cls.make("install", f"BUILD={cls.folder}/64", "CFLAGS=-O1 -m64 -Werror",
                                 "PREFIX=/opt/pmu", f"DESTDIR={cls.folder}/root")
        cls.root = cls.folder / "root" / "opt" / "pmu"

    @staticmethod
    def make(*arguments):
        clean = {key: os.environ[key] for key in os.environ if not key.startswith("M")}
        return run("make", "-s", "-j2", "-C", taptest.ROOT / "model", *arguments, env=clean)

    def test_flags(self):
        """other flags make other objects, also for install; -m32 alone keeps the optimization; clean leaves nothing"""
        folder = self.folder / "flags"
        whole, library = f"BUILD={folder}", folder / "librefpmu.a"

        def is_fast():
            return "-O2" in (folder / "refpmu" / "flags").read_text().split()
        self.assertEqual(self.make(whole).returncode, 0)
        self.assertIn("elf64-x86-64", run("objdump", "-f", library).stdout)
        made = self.make("install", whole, "CFLAGS=-m32", "PREFIX=/opt/pmu", f"DESTDIR={folder}")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("elf32-i386", run("objdump", "-f", folder / "opt/pmu/lib/librefpmu.a").stdout)
        self.assertTrue(is_fast())
        self.assertEqual(self.make(whole, "CFLAGS=-m32", "--question").returncode, 0)
        self.assertEqual(self.make("clean", whole).returncode, 0)
        self.assertEqual([path.name for path in folder.iterdir()], ["opt"])

    def flags(self):
        """Returns the flags that pkg-config has for the installed library; without pkg-config the same flags."""
        if not shutil.which("pkg-config"):
            return [f"-I{self.root}/include", f"-L{self.root}/lib", "-lrefpmu"]
        said = run("pkg-config", "--cflags", "--libs", "refpmu", env={
            **os.environ, "PKG_CONFIG_PATH": f"{self.root}/lib/pkgconfig",
            "PKG_CONFIG_SYSROOT_DIR": str(self.folder / "root")})
        self.assertEqual(said.returncode, 0, said.stderr)
        return said.stdout.split()

    def test_header(self):
        """the header compiles beside names that mean something else, in C11 and in C++17"""
        source = self.folder / "own.c"
        source.write_text(OWN_NAMES.replace("{header}", str(HEADER)).replace("{prefix}", PREFIX)
                          .replace("{{", "{").replace("}}", "}"))
        for language in (("gcc", "-std=c11"), ("g++", "-std=c++17", "-x", "c++")):
            for bits in ("-m64", "-m32"):
                done = run(*language, bits, *WARNINGS, "-ffreestanding", "-fsyntax-only", source)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_names(self):
        """the header defines no macro and no enumerator without its prefix, and includes no other one"""
        text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
        self.assertEqual(set(re.findall(r"#include (\S+)", text)),
                         {"<stdbool.h>", "<stddef.h>", "<stdint.h>"})
        names = set(re.findall(r"#define (\w+)", text))
        names |= {name for body in re.findall(r"enum[^{;]*\{(.*?)\}", text, flags=re.S)
                  for name in re.findall(r"\b([A-Z]\w*)", body)}
        names |= {name for name in re.findall(r"\b(?:struct|enum) (\w+)", text) if name != PREFIX[:-1]}
        self.assertEqual({name for name in names if not name.upper().startswith(PREFIX.upper())}, set())

    def test_archives(self):
        """the archive is built for 64 and 32 bits, and exports the functions of the header and no others"""
        for bits, made in self.made.items():
            self.assertEqual((made.returncode, made.stderr), (0, ""))
            library = self.folder / str(bits) / "librefpmu.a"
            self.assertEqual(symbols(library, "-g", "--defined-only"), declared())
            asked = symbols(library, "-u")
            self.assertEqual(asked - (MAY_ASK_32 if bits == 32 else MAY_ASK), set())

    def run_example(self, name):
        """Compiles an example with the installed library, runs it, and returns what it printed."""
        self.assertEqual(self.installed.returncode, 0, self.installed.stderr)
        built = run("gcc", "-std=c11", *WARNINGS, EXAMPLES / f"{name}.c", *self.flags(), "-o", self.folder / name)
        self.assertEqual(built.returncode, 0, built.stderr)
        done = run(self.folder / name)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done

    def test_guest(self):
        """the example of a guest counts its instructions alone, and has its bad field refused"""
        said = self.run_example("toy_guest").stdout
        self.assertEqual(said, "a VM exit with reason 80000021H\n"
                               "counted 300 instructions, the guest executed 300; saved field 100000000H\n")

    def test_example(self):
        """the example counts its own instructions"""
        done = self.run_example("toy")
        self.assertIn("instructions counted     5001, done   5001\n", done.stdout)
        self.assertIn("samples taken              16, done     16\n", done.stdout)

    def test_version(self):
        """refpmu.pc has the version of the header"""
        text = HEADER.read_text()
        parts = [re.search(rf"#define \w+_VERSION_{part} (\d+)", text)[1]
                 for part in ("MAJOR", "MINOR", "PATCH")]
        said = (self.root / "lib" / "pkgconfig" / "refpmu.pc").read_text()
        self.assertIn(f"\nVersion: {'.'.join(parts)}\n", said)


if __name__ == "__main__":
    taptest.main()

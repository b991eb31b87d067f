#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/targets/bochs-build, with a source that compiles in no time and an apt that finds nothing."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

SCRIPT = taptest.TESTS / "targets" / "bochs-build"
CONFIGURE = """\
#!/bin/sh
echo "$@" > configured
printf '#!/bin/sh\necho "$@" > made_of\n' > config.status
chmod +x config.status
printf 'bochs:\\n\\t{make}\\n' > Makefile
"""
APT = """\
#!/bin/sh
case $* in
indextargets*) echo '{named}'; exit ;;
*--print-uris*) exit ;;
esac
exec {real} -o Acquire::Retries=0 "$@"
"""
MAKE = 'cp /bin/true bochs; echo x >> "$(COUNT)"'


class Build(unittest.TestCase):
    """Builds in a cache of their own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.cache, self.source = self.folder / "cache", self.folder / "a source"
        self.count = self.folder / "count"
        (self.source / "instrument").mkdir(parents=True)
        self.write_source(MAKE)
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.cache),
                            "COUNT": str(self.count), "BARECOUNT_BOCHS_SRC": str(self.source)}

    def write_source(self, make):
        (self.source / "configure").write_text(CONFIGURE.format(make=make))
        (self.source / "configure").chmod(0o755)

    def start(self, *arguments, **environment):
        return subprocess.Popen([SCRIPT, *arguments], text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env={**self.environment, **environment})

    def build(self, *arguments, **environment):
        """Status, what is on standard output, and the last line of standard error."""
        with self.start(*arguments, **environment) as process:
            out, err = process.communicate()
        return process.returncode, out.strip(), (err.strip().splitlines() or [""])[-1]

    def builds(self):
        return len(self.count.read_text().splitlines())

    def test_once(self):
        """a source is built once, in the cache, and leaves no other files"""
        status, path, _ = self.build()
        self.assertEqual(status, 0)
        self.assertTrue(os.access(path, os.X_OK))
        self.assertEqual(self.build(), (0, path, ""))
        self.assertEqual(self.builds(), 1)
        kept = sorted(entry.name for entry in (self.cache / "barecount").iterdir())
        self.assertEqual(kept, [pathlib.Path(path).name, "lock"])

    def test_outer_make(self):
        """a make that calls it has no say in how Bochs is made: its flags, as -r, and its jobs are not passed on"""
        self.write_source(MAKE + '; echo "$(origin CC) $(MAKELEVEL) $(MAKEOVERRIDES)" > $(COUNT).said')
        self.assertEqual(self.build(MAKEFLAGS="r -j2 --jobserver-auth=3,4 -- QUIRKS=all", MAKELEVEL="2",
                                    MAKEOVERRIDES="${-*-command-variables-*-}")[0], 0)
        self.assertEqual((self.folder / "count.said").read_text().split(), ["default", "0"])

    def module(self, **contents):
        """Returns the arguments for an instrumentation module with these contents."""
        folder = self.folder / "a module"
        folder.mkdir(exist_ok=True)
        for name in ("instrument.h", "instrument.cc", "Makefile.in"):
            (folder / name).write_text(contents.get(name.replace(".", "_"), ""))
        return "--instrument", str(folder)

    def trees(self):
        return {entry.name for entry in (self.cache / "barecount").glob("tree-*")}

    def test_key(self):
        """another source, and a module, make another emulator"""
        paths = [self.build()[1], self.build(*self.module())[1]]
        paths.append(self.build(*self.module(instrument_h="two"))[1])
        paths.append(self.build(*self.module(instrument_h="two"), "LICENSE")[1])
        (self.source / "more").write_text("")
        paths.append(self.build()[1])
        self.assertEqual(len(set(paths)), 5, paths)
        self.assertTrue(all(os.access(path, os.X_OK) for path in paths))

    def test_module(self):
        """another instrument.cc, or a file beside it, is linked with what was compiled before"""
        self.write_source(f"{MAKE}; cat instrument/barecount/*.cc $$(find . -name LICENSE) >> seen")
        first = self.build(*self.module(instrument_cc="one"))[1]
        again = self.build(*self.module(instrument_cc="one"))[1]
        self.assertEqual((first, self.builds()), (again, 2), "compiled, then linked, once each")
        trees = self.trees()
        self.build(*self.module(instrument_cc="two"), "LICENSE")
        self.assertEqual((self.trees(), self.builds()), (trees, 3))
        seen = (self.cache / "barecount" / trees.pop() / "seen").read_text()
        self.assertRegex(seen, r"two[^$]*MIT License")
        self.build(*self.module(instrument_h="two"))
        self.assertEqual((len(self.trees()), self.builds()), (2, 5))

    def test_module_fails(self):
        """a module that cannot be linked is status 2, and costs no second compilation"""
        self.write_source(f"{MAKE}; ! grep wrong instrument/barecount/instrument.cc")
        self.assertEqual(self.build(*self.module())[0], 0)
        status, path, sentence = self.build(*self.module(instrument_cc="wrong"))
        self.assertEqual((status, path), (2, ""))
        log = pathlib.Path(sentence.rpartition(" ")[2])
        self.assertIn("wrong", log.read_text())
        self.assertEqual((len(self.trees()), self.builds()), (1, 3))
        self.assertEqual(self.build(*self.module(instrument_cc="right"))[0], 0)
        self.assertEqual(self.builds(), 4)

    def test_warm_log(self):
        """only the newest trees, and the newest emulators with modules, stay"""
        self.build(*self.module(instrument_h="one"))
        for number in range(50):
            old = self.cache / "barecount" / f"bochs-{number}-old"
            old.touch()
            os.utime(old, (number, number))
        self.build(*self.module(instrument_h="two"))
        self.build(*self.module(instrument_h="three"))
        emulators = list((self.cache / "barecount").glob("bochs-*-*"))
        self.assertEqual((len(self.trees()), len(emulators)), (2, 40))
        self.assertEqual(sum(path.stat().st_size > 0 for path in emulators), 3)

    def test_parallel(self):
        """two builders at the same time build once"""
        self.write_source(f"sleep 0.5; {MAKE}")
        with self.start() as one, self.start() as other:
            self.assertEqual(one.stdout.read(), other.stdout.read())
        self.assertEqual(self.builds(), 1)

    def test_tarball(self):
        """the source may be a tarball"""
        tarball = self.folder / "source.tar.xz"
        subprocess.run(["tar", "-cJf", tarball, "-C", self.folder, self.source.name], check=True)
        status, path, _ = self.build(BARECOUNT_BOCHS_SRC=str(tarball))
        self.assertEqual((status, os.access(path, os.X_OK)), (0, True))

    def test_failure(self):
        """a failed build is status 2, says its first error and names its log, which stays"""
        self.write_source("@echo no such header; echo a.c:1: error: x; false")
        status, path, sentence = self.build()
        self.assertEqual((status, path), (2, ""))
        self.assertIn("failed (a.c:1: error: x); its log", sentence)
        log = pathlib.Path(sentence.rpartition(" ")[2])
        self.assertIn("no such header", log.read_text())
        self.assertEqual(list((self.cache / "barecount").glob("build.*")), [])

    def test_no_source(self):
        """a missing source is status 77"""
        status, _, sentence = self.build(BARECOUNT_BOCHS_SRC="/nowhere")
        self.assertEqual(status, 77)
        self.assertIn("/nowhere is neither", sentence)

    def test_no_archive(self):
        """an archive that does not answer, and an apt without an archive, are status 77"""
        for mirror, expected in (("http://127.0.0.1:9", "is not available"), ("", "no Debian mirror")):
            with self.subTest(expected):
                status, _, sentence = self.build(PATH=self.apt_with(mirror), BARECOUNT_BOCHS_SRC="")
                self.assertEqual(status, 77, sentence)
                self.assertIn(expected, sentence)
                self.assertIn("set BARECOUNT_BOCHS_SRC", sentence)

    def apt_with(self, mirror):
        """Returns a PATH whose apt-get names this mirror for Debian, and is the real one otherwise."""
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        named = f"Debian main {mirror}" if mirror else ""
        script = folder / "apt-get"
        script.write_text(APT.format(named=named, real=shutil.which("apt-get") or "false"))
        script.chmod(0o755)
        return f"{folder}:{os.environ['PATH']}"

    def test_stopped(self):
        """a build that is stopped leaves nothing half-made"""
        self.write_source("sleep 1")
        with self.start() as process:
            process.stderr.readline()
            process.terminate()
        self.assertEqual(process.returncode, 143)
        self.assertEqual([entry.name for entry in (self.cache / "barecount").iterdir()], ["lock"])

    def test_usage(self):
        """wrong arguments are status 2"""
        for arguments in (["--what"], ["--instrument"], ["--instrument", "/nowhere"],
                          [*self.module(), "/etc/passwd"], [*self.module(), "no such file"]):
            self.assertEqual(self.build(*arguments)[0], 2)


if __name__ == "__main__":
    taptest.main()

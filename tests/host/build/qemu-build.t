#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/targets/qemu-build, with a source and tools that build nothing: how a build ends that does not succeed."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

SCRIPT = taptest.TESTS / "targets" / "qemu-build"
# What the first patch looks for; its line stands 174 lines into the file.
MESON_BUILD = """\
foreach target : edk2_targets
  if target in target_dirs
    bzip2 = find_program('bzip2', required: get_option('install_blobs'))
    unpack_edk2_blobs = bzip2.found()
    break
  endif
endforeach
"""
TOOLS = {
    "pkg-config": "exit 0",
    "dpkg-deb": 'cd "${0%/*}" && tar -c ./usr',
    "strip": 'cp "$3" "$2"',
    "ninja": "cp /bin/true qemu-system-x86_64; echo '[1/1] linked'",
}
ENOUGH, TOO_LITTLE = 'echo "Filesystem blocks used free"; echo "disk 9999 1 9998 1% /"', 'echo "disk 9999 9998 1 99% /"'
WAIT_SECONDS = 20


class Build(unittest.TestCase):
    """Builds stock QEMU in a cache of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.kept, self.tools = self.folder / "cache" / "barecount", self.folder / "tools"
        self.kept.mkdir(parents=True)
        (self.tools / "usr/lib/python3/dist-packages").mkdir(parents=True)
        for name in ("meson_1_all.deb", "python3-pycotap_1_all.deb"):
            (self.kept / name).write_text("")
        for name, line in TOOLS.items():
            self.put(name, line)
        self.put("df", ENOUGH)
        self.pack("exit 0")

    def put(self, name, line):
        """Makes a tool of one line, which is found before the machine's own."""
        (self.tools / name).write_text(f"#!/bin/sh\n{line}\n")
        (self.tools / name).chmod(0o755)

    def pack(self, configure):
        """Makes a source with this configure."""
        source = self.folder / "qemu-10"
        devices = source / "configs/devices/x86_64-softmmu"
        devices.mkdir(parents=True, exist_ok=True)
        (devices / "default.mak").write_text("")
        (source / "meson.build").write_text("\n" * 173 + MESON_BUILD)
        (source / "configure").write_text(f"#!/bin/sh\n{configure}\n")
        (source / "configure").chmod(0o755)
        with tarfile.open(self.folder / "source.tar.xz", "w:xz") as archive:
            archive.add(source, "qemu-10")

    def start(self):
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache"), "PATH": f"{self.tools}:{os.environ['PATH']}",
                       "BARECOUNT_QEMU_SRC": str(self.folder / "source.tar.xz")}
        return subprocess.Popen([SCRIPT, "stock"], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=environment, start_new_session=True)

    def build(self):
        """Returns the status, standard output, and the last line of standard error."""
        with self.start() as process:
            out, err = process.communicate()
        return process.returncode, out.strip(), (err.strip().splitlines() or [""])[-1]

    def left(self):
        """Returns what a build left in the cache."""
        return {path.name.split("-")[1] for path in self.kept.glob("qemu-*")}

    def test_built(self):
        """a build prints the emulator's path and leaves its tree, for the next one"""
        status, path, last = self.build()
        self.assertEqual((status, pathlib.Path(path).parent), (0, self.kept), last)
        self.assertTrue(os.access(path, os.X_OK))
        self.assertIn("tree", self.left())

    def test_stopped(self):
        """a build that is stopped while it configures says so, and leaves no tree and no other folder"""
        self.pack(f"touch {self.folder}/begun; sleep 60")
        with self.start() as process:
            for _ in range(WAIT_SECONDS * 10):
                if (self.folder / "begun").exists():
                    break
                time.sleep(0.1)
            os.killpg(process.pid, signal.SIGTERM)
            err = process.communicate()[1]
        self.assertEqual(process.returncode, 143, err)
        self.assertRegex(err, "the build of QEMU was stopped")
        self.assertEqual(self.left(), set())

    def test_no_room(self):
        """a disk without room for a tree is known before anything is unpacked"""
        self.put("df", TOO_LITTLE)
        status, _, last = self.build()
        self.assertEqual(status, 77)
        self.assertRegex(last, "needs 700 MB, and 1 are free in /")
        self.assertEqual(self.left(), set())

    def test_full(self):
        """a disk that becomes full is the reason, whatever failed first"""
        self.put("ninja", f"cp {self.tools}/full {self.tools}/df; exit 1")
        self.put("full", TOO_LITTLE)
        status, _, last = self.build()
        self.assertEqual(status, 2)
        self.assertRegex(last, "the disk is full, 1 MB are free in /")

    def test_fails(self):
        """a build that fails for another reason names its log, with the first error"""
        self.put("ninja", "echo 'a.c:1: error: it is wrong'; exit 1")
        status, _, last = self.build()
        self.assertEqual(status, 2)
        self.assertRegex(last, r"failed \(a.c:1: error: it is wrong\); its log is /")


if __name__ == "__main__":
    taptest.main()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The log of a kernel that Linux' kexec started, out of memory after a reset, as docs/kexec.md types it."""
import functools
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

HOST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [HOST, os.path.join(HOST, "screen")]
import hands                                        # noqa: E402
import taptest                                      # noqa: E402
from runner.guests import kexec                     # noqa: E402

END = "# end of run: status 0"
LINUX_SECONDS = 120             # it boots in 5 on an idle host
RESERVED = "memmap=4M$32M"
READ = "busybox dd if=/dev/mem bs=1M skip=32 count=4 2> /dev/null | busybox strings; echo is all"


class Kexec(unittest.TestCase):

    def test_kept(self):
        """Linux leaves the log alone where it is told to, reads it after a reset, and tests/show takes it"""
        page = (taptest.ROOT / "docs/kexec.md").read_text(encoding="utf-8")
        self.assertIn(RESERVED, page)
        self.assertIn("dd if=/dev/mem bs=1M skip=32 count=4", page)
        with mock.patch.object(kexec, "WORDS", f"{kexec.WORDS} {RESERVED}"), \
                mock.patch.object(kexec, "initramfs", functools.partial(kexec.initramfs, last=f"{READ}\n")), \
                hands.Machine("Nehalem", "via=kexec", "only=summary") as machine:
            self.assertEqual(machine.until("is all", LINUX_SECONDS).split(), ["is", "all"])
            first = machine.until(END, LINUX_SECONDS)
            machine.reset()
            kept = machine.until("is all", LINUX_SECONDS)
        first = first[first.index("TAP version 13"):]
        self.assertEqual(kept[kept.index("TAP version 13"):].partition(END)[0] + END, first)
        with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
            log.write(kept)
            log.flush()
            shown = subprocess.run([taptest.TESTS / "show", "cat", log.name], text=True, capture_output=True, check=False)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("PASS", shown.stdout)


if __name__ == "__main__":
    taptest.main()

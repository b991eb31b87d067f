#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""qemu-snapshots.t [SEED...]: QEMU with the model goes on from its snapshots as if there were none; seeds 1 to SNAPSHOTS."""
import os
import pathlib
import random
import struct
import sys
import tempfile
import unittest

HOST = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOST))
import qemutest                                     # noqa: E402
import taptest                                      # noqa: E402

RUNS = """
    corei7_haswell_4770     only=arch.pmi.*,pebs.*,bts.*,lbr.*
    corei7_haswell_4770     smp=1:2:2 only=arch.pmi.*,arch.filters.*
    zambezi                 only=amd.*
    ryzen                   only=amd.*
    ryzen                   as=zen4 only=amd.*,ibs.*,lbr.*
"""
SEEDS = [int(word) for word in sys.argv[1:]] or range(1, int(os.environ.get("SNAPSHOTS") or 2) + 1)
EDITED = ("corei7_haswell_4770", "only=arch.pmi.*")     # the run whose file is edited
SMALL_SECONDS = 0.1             # how long a run goes on before it is taken back, at most
MAGIC = b"refpmu\0\0"           # the library's string begins with it; its format's number and its length follow
FORMAT, LENGTH = 8, 16
OWN, IS_ACTIVE = 4, 98          # after a size the glue adds struct Pmu of each processor: whether the first one's counts or records
LEAST_ACTIVE = 0.1              # of the snapshots
WHY_NOT = qemutest.why_not()


def place(saved):
    """Returns the place of the library's string in a stream, and its size; a section's name looks like its beginning."""
    at = saved.rindex(MAGIC)
    return at, struct.unpack_from("<Q", saved, at + LENGTH)[0]


@unittest.skipIf(WHY_NOT, WHY_NOT)
class Snapshots(unittest.TestCase):
    """There is a test for each run."""


def whole(*machine):
    with qemutest.Machine(*machine) as run:
        return run.to_end()


def test_of(cpu, words):
    def test(self):
        with tempfile.TemporaryDirectory() as folder:
            plain = whole(folder, cpu, words)
            self.assertIn(b"\n# end of run: status 0", plain)
            active = 0
            for seed in SEEDS:
                with self.subTest(seed=seed):
                    active += taken_back(self, folder, cpu, words, random.Random(seed), plain)
            print(f"# {active} of {len(SEEDS)} snapshots while the PMU of the first processor counted", flush=True)
            self.assertGreaterEqual(active, int(len(SEEDS) * LEAST_ACTIVE))
    test.__doc__ = f"{' '.join([cpu, *words])}: savevm, loadvm and migration, seed {' '.join(map(str, SEEDS))}"
    return test


def taken_back(self, folder, cpu, words, chance, plain):
    """Stops a run somewhere, lets it go on, takes it back to there; and goes on from there in other processes.

    Returns whether the PMU counted or recorded there.
    """
    with qemutest.Machine(folder, cpu, words) as first:
        first.run_until(chance.randrange(len(plain) // 2), chance.random() * SMALL_SECONDS)
        before = first.said()
        first.command("savevm here")
        moved = first.migrate()
        first.go_on(chance.random() * SMALL_SECONDS)
        gone_on = first.said()
        first.command("loadvm here")
        self.assertTrue(plain.startswith(before))
        self.assertEqual(before + first.to_end()[len(gone_on):], plain)
    for how in (("-loadvm", "here"), ("-incoming", f"file:{moved}")):
        self.assertEqual(before + whole(folder, cpu, words, how), plain, how[0])
    saved = moved.read_bytes()
    return bool(saved[sum(place(saved)) + OWN + IS_ACTIVE])


for number, run in enumerate(RUNS.split("\n")[1:-1]):
    setattr(Snapshots, f"test_{number}", test_of(run.split()[0], run.split()[1:]))


@unittest.skipIf(WHY_NOT, WHY_NOT)
class Refusals(unittest.TestCase):
    """A machine does not begin with a state that is not its own."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cpu, *words = EDITED
        with qemutest.Machine(cls.folder.name, cpu, words) as run:
            run.run_until(1000, 0)
            cls.saved = run.migrate().read_bytes()
        cls.at, cls.length = place(cls.saved)

    def refused(self, stream, sentence, *words):
        cpu, *usual = EDITED
        path = pathlib.Path(self.folder.name, "edited")
        path.write_bytes(stream)
        with qemutest.Machine(self.folder.name, cpu, [*usual, *words], ("-incoming", f"file:{path}")) as run:
            self.assertEqual(run.to_end(), b"")
            self.assertEqual(run.process.returncode, 1)
            self.assertIn(sentence, run.complaint())

    def edited(self, at, byte):
        return self.saved[:self.at + at] + bytes([byte]) + self.saved[self.at + at + 1:]

    def test_good(self):
        """the file that is edited is a good one"""
        path = pathlib.Path(self.folder.name, "edited")
        path.write_bytes(self.saved)
        with qemutest.Machine(self.folder.name, EDITED[0], EDITED[1:], ("-incoming", f"file:{path}")) as run:
            self.assertIn(b"\n# end of run: status 0", run.to_end())

    def test_processor(self):
        """another processor is refused"""
        self.refused(self.saved, "refpmu: the PMU's state cannot be restored: it was saved on other processors", "as=penryn")

    def test_version(self):
        """another version of the library's format is refused"""
        self.refused(self.edited(FORMAT, 99), "it was saved by another version of the library")

    def test_damaged(self):
        """a byte that changed is refused"""
        at = self.length // 2
        self.refused(self.edited(at, self.saved[self.at + at] ^ 1), "it is damaged")

    def test_truncated(self):
        """a stream that ends in the library's string is refused"""
        self.refused(self.saved[:self.at + self.length // 2], "refpmu")


if __name__ == "__main__":
    del sys.argv[1:]
    taptest.main()

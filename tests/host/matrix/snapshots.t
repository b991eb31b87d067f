#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""snapshots.t [SEED...]: whole runs with snapshots of the model print the same bytes as without; seed 1."""
import pathlib
import subprocess
import sys
import unittest

HOST = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOST))
import taptest                                      # noqa: E402

# A processor of each generation; two threads, two packages, both kernels.
RUNS = """
    pentium_mmx
    p3_katmai
    p3_katmai                  smp=2:1:1
    p4_prescott_celeron_336    bits=64
    p4_prescott_celeron_336    bits=32 smp=1:1:2
    corei7_haswell_4770        bits=64
    corei7_haswell_4770        bits=32 smp=1:1:2
    corei7_haswell_4770        caches=kept seed=7 only=arch.*
"""
SEEDS = sys.argv[1:] or ["1"]
SILENCE = "timeout=120"         # a test may take a minute with snapshots, on a busy host


def boot(cpu, *words):
    done = subprocess.run([taptest.TESTS / "boot", f"model:{cpu}", "via=kernel", "serial=debug", SILENCE, *words],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


class Snapshots(unittest.TestCase):
    """There is a test for each run."""


def test_of(cpu, words):
    def test(self):
        status, plain = boot(cpu, *words)
        self.assertEqual(status, 0, plain)
        for seed in SEEDS:
            _, with_them = boot(cpu, *words, f"snapshot={seed}")
            self.assertEqual(taptest.checked(with_them.replace(f" snapshot={seed}", "")), plain)
    test.__doc__ = f"{' '.join([cpu, *words])}: the same bytes with snapshots, seed {' '.join(SEEDS)}"
    return test


for number, run in enumerate(RUNS.split("\n")[1:-1]):
    setattr(Snapshots, f"test_{number}", test_of(run.split()[0], run.split()[1:]))


if __name__ == "__main__":
    del sys.argv[1:]
    taptest.main()

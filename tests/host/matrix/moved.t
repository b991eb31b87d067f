#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Kernels of the same sources that lie elsewhere, or that another compiler might have made: the same verdicts.

MOVED=n takes the seeds 1 to n instead of a few; `make nightly` takes 20.
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import taptest                                      # noqa: E402
from runner import boots, relink                    # noqa: E402
from runner.campaigns import alarms                 # noqa: E402
from runner.people import lessons, replay           # noqa: E402
from targets import bochs, model                    # noqa: E402

# With the kernels that the processor can run.
PROCESSORS = {"pentium": (32,), "p3_katmai": (32,), "p4_willamette": (32,), "corei7_haswell_4770": (32, 64),
              "athlon_xp": (32,), "zambezi": (32, 64), "ryzen": (32, 64)}
FASTEST = ("via=kernel", "serial=debug")
FEW = 2                         # each with other optimizations
SEEDS = range(1, int(os.environ.get("MOVED") or FEW) + 1)


def run(job):
    cpu, bits, *words = job
    status, results, said = boots.boot(f"model:{cpu}", [*FASTEST, f"bits={bits}", *words])
    return status, alarms.verdicts(results), said


class Moved(taptest.Case):
    """All suites, on processors of each kind of PMU that the model has."""

    def test_verdicts(self):
        """no verdict depends on the compiler, or on where code, data and stacks lie"""
        bochs.share(model.MODULE)
        for seed in SEEDS:
            relink.compiled(relink.OPTIMIZATIONS[seed % len(relink.OPTIMIZATIONS)])
        plain = [(cpu, bits) for cpu, widths in PROCESSORS.items() for bits in widths]
        moved = [(*machine, f"moved={seed}") for seed in SEEDS for machine in plain]
        healthy = dict(zip(plain, boots.spread(run, plain)))
        for job, (status, found, said) in zip(moved, boots.spread(run, moved)):
            expected = healthy[job[:2]][1]
            changed = [f"{test} is {found.get(test, 'lost')}, was {verdict}"
                       for test, verdict in expected.items() if found.get(test) != verdict]
            with self.subTest(" ".join(map(str, job))):
                self.assertEqual((status, changed, len(found)), (0, [], len(expected)), said)
        print(f"# {len(moved)} runs, {len(SEEDS)} seeds")

    def test_lessons(self):
        """no answer in a lesson depends on them; every second seed"""
        for seed in SEEDS[::2]:
            pages = lessons.load()
            for part in (part for page in pages for part in page.parts):
                part.words.append(f"moved={seed}")
            for page, outcome in zip(pages, replay.replay_all(pages)):
                with self.subTest(f"{page.shown} moved={seed}"):
                    self.assertEqual(outcome.wrong, "")


if __name__ == "__main__":
    taptest.main()

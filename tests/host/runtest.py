# SPDX-License-Identifier: MIT
"""Test programs whose tests are runs of tests/boot, made side by side: RUNS of guest/guest.t and its neighbours."""
import concurrent.futures
import os

import taptest
from runner.booter import Booters


class Case(taptest.Case):
    """Each test is one run."""

    RUNNING = {}                # the result to come of each target with its words


def case(target, words, status, sentence, parts):
    def test(self):
        run = self.RUNNING[target, words].result()
        if run.status == 77:
            self.skipTest(run.err[-1])
        self.check(run, status, sentence)
        for part in parts:
            self.assertIn(part, "\n".join(run.out), run)
    return test


def main(of_class, runs):
    """Starts all runs, as many at a time as there are processors, then looks at each.

    A run's name leads to its target, words, exit status, a part of the sentence on stderr, and parts of the output.
    """
    for index, (name, what) in enumerate(runs.items()):
        test = case(*what)
        test.__doc__ = name
        setattr(of_class, f"test_{index:02}", test)
    booters = Booters(os.cpu_count())               # before there are threads
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        of_class.RUNNING = {(target, words): pool.submit(taptest.Booted, booters, target, *words.split())
                            for target, words, *_ in runs.values()}
        taptest.main()

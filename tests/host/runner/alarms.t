#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/alarms: which results are alarms; each suite is run as often as asked."""
import collections
import contextlib
import io
import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402,F401  (finds the runner)
from runner import tap                      # noqa: E402
from runner.campaigns import alarms                      # noqa: E402
from runner.campaigns.alarms_plan import MACHINES, SUITES, Job, jobs_for      # noqa: E402
from runner.people.show import Screen                      # noqa: E402

RED = ["  ---", '  what: "PMC0"', '  got: "3"', '  want: "2"', "  ..."]
HEALTHY = {"arch.a": "ok", "arch.b": "SKIP", "arch.c": "TODO", "lbr.a": "ok"}


def result(test, verdict="ok"):
    directive = verdict if verdict in ("SKIP", "TODO") else ""
    return tap.Result(verdict in ("ok", "SKIP"), 1, test, directive, "a reason", RED)


def judged(changes, status=0, names=("model.arch", "model.lbr")):
    """Returns the tallies of one run that is healthy except for the changes."""
    verdicts = {**HEALTHY, **changes}
    results = [result(test, verdict) for test, verdict in verdicts.items() if verdict]
    tallies = {name: alarms.Tally() for name in names}
    alarms.note(Job(0, 7, names), (status, results, "it hung"), HEALTHY, tallies)
    return {name: tally.alarms for name, tally in tallies.items()}


class Judging(unittest.TestCase):

    def test_healthy(self):
        """the same verdicts are no alarm, also skips and deviations"""
        self.assertEqual(judged({}), {"model.arch": [], "model.lbr": []})

    def test_red(self):
        """a test that fails is an alarm, of its suite alone, with the values"""
        found = judged({"arch.a": "not ok"}, 1)
        self.assertEqual(found["model.arch"], ["arch.a: not ok, but ok without a seed "
                                               "(PMC0: got 3, want 2)"])
        self.assertEqual(found["model.lbr"], [])

    def test_others(self):
        """a skip, a deviation that does not happen, and a missing or additional result are alarms"""
        for changes in ({"arch.a": "SKIP"}, {"arch.c": "ok"}, {"arch.b": ""}, {"arch.z": "ok"}):
            self.assertEqual(len(judged(changes)["model.arch"]), 1, changes)

    def test_broken(self):
        """a broken run is an alarm of every suite in it"""
        found = judged({}, 2)
        self.assertEqual(found, dict.fromkeys(found, ["broken run: it hung"]))

    def test_end(self):
        """the status says whether there was an alarm, and the log has the command that repeats it"""
        tally = alarms.Tally({0}, 1, 5, ["arch.a: not ok"], ["tests/boot x seed=7"])
        for tallies, status in (({"model.arch": tally}, 1), ({"model.lbr": alarms.Tally()}, 0)):
            with mock.patch.object(alarms, "TAP", mock.Mock()) as log:
                said = alarms.conclude(tallies, 1, Screen(io.StringIO()))
            self.assertEqual(said, status)
            self.assertEqual("tests/boot x seed=7" in log.write_text.call_args[0][0], bool(status))

    def test_command_line(self):
        """a malformed number, an unknown option and an unknown suite end it"""
        for words in (["--runs"], ["--runs", "0"], ["--runs", "x"], ["model.nothing"], ["--what"]):
            with contextlib.redirect_stderr(io.StringIO()):
                try:
                    status = alarms.main(words)
                except SystemExit as end:
                    status = end.code
            self.assertEqual(status, 2, words)


class Plan(unittest.TestCase):

    def test_runs(self):
        """each suite runs once with each seed, on a machine that has it; always the same"""
        jobs = jobs_for(list(SUITES), 50)
        runs = collections.Counter(name for job in jobs for name in job.names)
        self.assertEqual(runs, dict.fromkeys(SUITES, 50))
        for job in jobs:
            for name in job.names:
                self.assertIn(MACHINES[job.machine].kind, SUITES[name])
        self.assertEqual(jobs, jobs_for(list(SUITES), 50))

    def test_spread(self):
        """200 seeds reach every machine"""
        self.assertEqual({job.machine for job in jobs_for(list(SUITES), 200)},
                         set(range(len(MACHINES))))

    def test_repeat(self):
        """the command has all that makes the run, the seed among it"""
        self.assertIn(" seed=7", Job(0, 7, ("model.p5",)).repeat)
        self.assertIn("only=p5.*", Job(0, 7, ("model.p5",)).repeat)


if __name__ == "__main__":
    taptest.main()

# SPDX-License-Identifier: MIT
"""Many runs of tests/boot side by side, each judged by this program."""
import concurrent.futures
import functools
import os

from runner import tap
from runner.booter import Booters
from runner.problems import UNAVAILABLE, Unavailable


@functools.cache
def booters():
    """One for each processor here."""
    return Booters(os.cpu_count())


def boot(target, words, environment=None):
    """Exit status of one run, its results, and what tests/boot complained about."""
    status, output, said = booters().run([target, *words], environment or {})
    run = tap.Transcript()
    for line in output.splitlines():
        run.feed(line)
    run.flush()
    if status == UNAVAILABLE:
        raise Unavailable(said.strip().removeprefix("tests/boot: "))
    return status, run.results, said.strip()


def spread(work, jobs):
    """What work(job) returns for each job, in their order; by as many threads as processors."""
    booters()                   # before there are threads
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    try:
        yield from pool.map(work, jobs)
    finally:
        pool.shutdown(cancel_futures=True)

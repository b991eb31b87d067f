# SPDX-License-Identifier: MIT
"""Makes many runs of tests/boot side by side, which this program judges."""
import concurrent.futures
import functools
import os

from runner import tap
from runner.booter import Booters
from runner.problems import UNAVAILABLE, Unavailable


@functools.cache
def booters():
    """Returns a Booters with one Booter for each processor of the host."""
    return Booters(os.cpu_count())


def boot(target, words, environment=None):
    """Returns the exit status of one run, its results, and the complaints of tests/boot."""
    status, output, said = booters().run([target, *words], environment or {})
    run = tap.Transcript()
    for line in output.splitlines():
        run.feed(line)
    run.flush()
    if status == UNAVAILABLE:
        raise Unavailable(said.strip().removeprefix("tests/boot: "))
    return status, run.results, said.strip()


def spread(work, jobs):
    """Does the same as side_by_side(), for work that boots."""
    booters()                   # before there are threads
    yield from side_by_side(work, jobs)


def side_by_side(work, jobs):
    """Yields the result of work(job) for each job, in their order; uses as many threads as processors."""
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    try:
        yield from pool.map(work, jobs)
    finally:
        pool.shutdown(cancel_futures=True)

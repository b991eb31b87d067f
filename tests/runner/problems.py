# SPDX-License-Identifier: MIT
"""The problems of a run, apart from its results; each is one sentence and an exit status."""

PASSED = 0
FAILED = 1
BROKEN = 2
UNAVAILABLE = 77


class Problem(Exception):
    """The run cannot be started, or is broken; str() is a sentence for people."""

    status = BROKEN


class Unavailable(Problem):
    """The target is not available on this host; str() says why and, if possible, what to install."""

    status = UNAVAILABLE

# SPDX-License-Identifier: MIT
"""Files of Debian's packages that some boots need; tests/linux/fetch keeps them."""
import subprocess

from runner import layout, problems
from runner.problems import Problem, Unavailable

FETCH = layout.ROOT / "tests" / "linux" / "fetch"


def fetch(what):
    """Returns the path of Debian's kernel "amd64" or "686", or of "kexec" and all that it needs.

    Fetches it first if it is missing. Raises Unavailable with the reason if it cannot be had.
    """
    fetched = subprocess.run([FETCH, what], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, check=False)
    if fetched.returncode == 0:
        return fetched.stdout.strip()
    kind = Unavailable if fetched.returncode == problems.UNAVAILABLE else Problem
    raise kind((fetched.stderr.strip().splitlines() or ["tests/linux/fetch failed"])[-1])

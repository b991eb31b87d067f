# SPDX-License-Identifier: MIT
"""Files of Debian's packages that some boots need; tests/linux/fetch keeps them."""
import subprocess
import tarfile

from runner import layout, problems
from runner.guests import linux_image
from runner.problems import Problem, Unavailable

FETCH = layout.ROOT / "tests" / "linux" / "fetch"


def fetch(what):
    """Returns the path of Debian's kernel "amd64" or "686", of "kexec" and all that it needs, or of "kvm-VERSION".

    Fetches it first if it is missing. Raises Unavailable with the reason if it cannot be had.
    """
    fetched = subprocess.run([FETCH, what], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, check=False)
    if fetched.returncode == 0:
        return fetched.stdout.strip()
    kind = Unavailable if fetched.returncode == problems.UNAVAILABLE else Problem
    raise kind((fetched.stderr.strip().splitlines() or ["tests/linux/fetch failed"])[-1])


def files(what):
    """Yields name, mode and content of each file in a tarball of fetch()."""
    with tarfile.open(fetch(what)) as tar:
        for entry in tar:
            name = entry.name.removeprefix("./")
            if entry.isdir() and name != ".":
                yield name, linux_image.FOLDER, b""
            elif entry.issym():
                yield name, linux_image.LINK, entry.linkname.encode()
            elif entry.isfile():
                yield name, linux_image.PROGRAM, tar.extractfile(entry).read()

# SPDX-License-Identifier: MIT
"""One boot with one fault: its folder, its run of tests/boot, and what is left over after it."""
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
import typing

from runner import layout
from runner.problems import Problem

BOOT = layout.ROOT / "tests" / "boot"
MARK = "BARECOUNT_CHAOS"        # in the environment: the processes of a boot are known by it
HANG_SECONDS = 345              # booting, and then 30 times the longest silence, are the most that a run may take
SETTLE_SECONDS = 3              # after the end of tests/boot, its processes have this long to go
POLL_SECONDS = 0.002
QEMU = "qemu-system-x86_64"
LOOK = re.compile(r"(not )?ok |1\.\.")
# What differs between two sound runs by the host's clock; other such lines are found by comparing sound runs.
VARIES = re.compile(r"# (TSC|check|target): |.*\b(kHz|MHz|ns|us)\b")


class Sound(typing.NamedTuple):
    """What runs without a fault have in common."""

    status: int
    lines: frozenset            # those of all runs
    common: tuple               # those that all runs have, in their order
    results: tuple
    bytes: int                  # of the raw log
    seconds: float


class Boot:
    """A boot of `target`, words and all, with a fault that `seed` chooses among those of a kind.

    A kind sets the other members: `env`, `prefix` (words before tests/boot), `during` (called while the run lasts),
    `stdout`, `root` (of another checkout), `is_guest` (the guest may be blamed, with status 1),
    `is_mute` (tests/boot cannot write a sentence), `what` (a sentence),
    `region` (of a bit that flips), `killed` (the signal by which the run must end),
    `other` (a boot beside it, which is judged, too), `hidden` (a file with the names of what is left over in a TMPDIR
    that only the run can see).
    """

    def __init__(self, kind, seed, target):
        self.kind, self.seed, self.target = kind, seed, target
        self.rng = random.Random(f"{kind}:{seed}")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="chaos-"))
        self.logs, self.hidden = self.folder / "logs", self.folder / "hidden"
        (self.folder / "tmp").mkdir()
        self.env, self.prefix, self.root = {}, [], layout.ROOT
        self.during = self.stdout = self.killed = self.sound = self.other = None
        self.is_guest = self.missed = self.is_mute = False
        self.what = self.region = ""
        self.process = None

    def build(self):
        """Returns a folder with links to all that is built, which the fault may replace."""
        own = self.folder / "build"
        if not own.exists():
            own.mkdir()
            for path in layout.BUILD.iterdir():
                if path.name != "logs":
                    (own / path.name).symlink_to(path)
            self.env["BUILD"] = str(own)
        return own

    def replace(self, name, data):
        path = self.build() / name
        path.unlink(missing_ok=True)
        path.write_bytes(data)

    def wrap(self, script):
        """Puts a shell script in the place of QEMU; `$real` there is QEMU's path."""
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        real = shutil.which(QEMU)
        if not real:
            raise Problem("QEMU is not installed; install qemu-system-x86")
        path = folder / QEMU
        path.write_text(f"#!/bin/sh\nreal={real}\ncase \" $* \" in *' -machine '*) ;; *) exec $real \"$@\" ;; esac\n"
                        f"serial=$(printf '%s\\n' \"$@\" | sed -n 's/^file,id=serial,path=//p')\n{script}\n")
        path.chmod(0o755)
        self.env["PATH"] = f"{folder}:{os.environ['PATH']}"

    def run(self):
        """Runs tests/boot to its end; sets status, out (lines), err (lines), seconds, and left."""
        environment = {**os.environ, "TMPDIR": str(self.folder / "tmp"), MARK: self.folder.name,
                       "BARECOUNT_LOGS": str(self.logs), **self.env}
        environment = {name: value for name, value in environment.items() if value is not None}
        start = time.monotonic()
        with open(self.folder / "out", "w+b") as out, open(self.folder / "err", "w+b") as err:
            self.process = subprocess.Popen([*self.prefix, self.root / "tests" / "boot", *self.target], env=environment,
                                            stdin=subprocess.DEVNULL, stdout=self.stdout or out, stderr=err, cwd="/")
            if self.during:
                self._meanwhile()
            try:
                self.status = self.process.wait(HANG_SECONDS)
            except subprocess.TimeoutExpired:
                self.status = None
                self.process.kill()
                self.process.wait()
            self.seconds = time.monotonic() - start
            self.out, self.err = (self._lines(file) for file in (out, err))
        self.left = self.leftovers()

    def _meanwhile(self):
        """Does what the fault needs; a guest that has ended before is a fault that never came."""
        try:
            self.during()
        except (OSError, EOFError, Problem, TypeError, ValueError) as error:
            self.missed = True
            self.what += f" (it did not come: {error})"

    @staticmethod
    def _lines(file):
        file.seek(0)
        return file.read().decode(errors="replace").splitlines()

    def leftovers(self):
        """Returns the names of processes and files that outlive the run, and ends the processes."""
        end = time.monotonic() + SETTLE_SECONDS
        while (found := processes(self.folder.name)) and time.monotonic() < end:
            time.sleep(0.02)
        for number in found:
            os.kill(number, signal.SIGKILL)
        files = [path.name for path in (self.folder / "tmp").iterdir()] if (self.folder / "tmp").is_dir() else []
        hidden = self.hidden.read_text().split() if self.hidden.exists() else []
        return [*(f"process {number}" for number in found), *files, *hidden]

    def wait_for_log(self, share):
        """Waits until the guest has printed this share of a sound run's log."""
        while self.process.poll() is None:
            if max((path.stat().st_size for path in self.logs.glob("*.log") if "emulator" not in path.name),
                   default=0) >= share * self.sound.bytes:
                return
            time.sleep(POLL_SECONDS)
        raise EOFError("the run was over before")

    def emulator(self):
        """Returns the number of the emulator's process."""
        while self.process.poll() is None:
            for number in processes(self.folder.name):
                if b"\0-machine\0" in command_of(number):
                    return number
            time.sleep(POLL_SECONDS)
        raise EOFError("the run was over before")

    def runs(self):
        return [self, self.other] if self.other else [self]

    def remove(self):
        if self.other:
            self.other.remove()
        shutil.rmtree(self.folder, ignore_errors=True)


def processes(mark):
    """Returns the numbers of this program's descendants that carry a boot's mark in their environment."""
    wanted, found = f"{MARK}={mark}\0".encode(), []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and wanted in pathlib.Path("/proc", name, "environ").read_bytes() + b"\0":
                found.append(int(name))
        except OSError:
            pass                        # it has ended, or is another user's
    return found


def command_of(number):
    try:
        return pathlib.Path("/proc", str(number), "cmdline").read_bytes()
    except OSError:
        return b""


def lines_of(boot):
    """Returns the lines of a run that a sound run repeats."""
    return [line for line in boot.out if not VARIES.match(line)]


def sound(target, environment, runs=3):
    """Returns the Sound of a target in this environment."""
    boots = []
    for number in range(runs):
        boot = Boot("sound", number, target)
        boot.env.update(environment)
        boot.run()
        boot.bytes = max(path.stat().st_size for path in boot.logs.glob("*.log"))
        boots.append(boot)
        boot.remove()
    seen = [frozenset(lines_of(boot)) for boot in boots]
    first = boots[0]
    if first.status not in (0, 1):
        raise Problem(f"a boot without a fault has status {first.status}: {' '.join(first.err)}")
    return Sound(first.status, frozenset.union(*seen),
                 tuple(line for line in lines_of(first) if all(line in lines for lines in seen)),
                 tuple(filter(LOOK.match, first.out)), first.bytes, first.seconds)

# SPDX-License-Identifier: MIT
"""Faults of the host: the emulator, its process, the runner's, its files, its output."""
import os
import random
import shutil
import signal
import time

from runner import layout

FAKE_SECONDS = 1000
COPIED = ("boot", "runner", "targets", "ids.csv")       # of tests/: what a run of tests/boot reads
TEXTS = (
    "TAP version 13\\n",
    "TAP version 13\\n1..0 # SKIP list\\n# end of run: status 0\\n",
    "TAP version 13\\n1..1\\nok 1 - pmu\\n# end of run: status 0\\n",
    "TAP version 13\\n1..0 # SKIP list\\n# check: CRC-32 00000000, 2 lines\\n# end of run: status 0\\n",
    "Bail out! x\\n", "Segmentation fault\\n",
)
# With fewer than six open files Python itself does not start; a hard limit of time is SIGKILL, not SIGXCPU.
ULIMITS = {"-n": (6, 8, 12, 16), "-v": (20000, 100000, 300000, 1000000), "-f": (0, 1, 8, 40), "-u": (1,), "-St": (1,)}


def fake(boot):
    """Another program runs in the emulator's place, or it fails."""
    what, script = boot.rng.choice((
        *((f"exit {status}", f"exit {status}") for status in (0, 1, 2, 77, 127)),
        ("noise", "head -c 200000 /dev/urandom > \"$serial\"; exit 0"),
        ("silence", f"exec sleep {FAKE_SECONDS}"),
        ("a late start", "sleep 5; exec $real \"$@\""),
        *((f"prints {text!r}", f"printf '%b' '{text}' > \"$serial\"; exit 0") for text in TEXTS)))
    boot.wrap(script)
    boot.what = f"the emulator: {what}"


def kill(boot):
    """The emulator gets a signal at some moment."""
    number, share = boot.rng.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGINT)), boot.rng.random()
    boot.what = f"the emulator gets {number.name} at {share:.0%} of the log"

    def during():
        boot.wait_for_log(share)
        send(boot, boot.emulator(), number)
    boot.during = during


def stop(boot):
    """The emulator stops for some seconds, or for ever."""
    share, seconds = boot.rng.random(), boot.rng.choice((0.2, 1, 3, None))
    boot.what = f"the emulator stops at {share:.0%} of the log for {seconds or 'ever'}"

    def during():
        boot.wait_for_log(share)
        number = boot.emulator()
        send(boot, number, signal.SIGSTOP)
        if seconds:
            time.sleep(seconds)
            send(boot, number, signal.SIGCONT)
    boot.during = during


def send(boot, process, number):
    if boot.process.poll() is None:
        os.kill(process, number)


def end_runner(boot):
    """The runner gets a signal at some moment."""
    number = boot.rng.choice((signal.SIGTERM, signal.SIGINT, signal.SIGKILL, signal.SIGHUP))
    after = boot.rng.uniform(0, boot.sound.seconds * 0.9)
    boot.what, boot.killed = f"tests/boot gets {number.name} after {after:.2f} s", -number

    def during():
        time.sleep(after)
        boot.process.send_signal(number)
    boot.during = during


def output(boot):
    """Standard output or standard error is closed, full, or left by its reader."""
    which = boot.rng.choice(("closed", "full", "left", "complaints closed"))
    boot.what, boot.is_mute = f"the output: {which}", which == "complaints closed"
    if which == "full":
        boot.stdout = open("/dev/full", "w", encoding="ascii")          # closed with this process
    elif which == "left":
        boot.prefix = ["/bin/bash", "-c", f"set -o pipefail; \"$@\" | head -n {boot.rng.randrange(1, 800)}", "x"]
    else:
        boot.prefix = ["/bin/sh", "-c", f"exec \"$@\" {'>&-' if which == 'closed' else '2>&-'}", "x"]


def files(boot):
    """The kernel's file or the folder of logs is another one, or no such thing."""
    which = boot.rng.choice(("cut", "empty", "noise", "folder", "other", "logs", "no list", "program"))
    name, elf = layout.KERNELS[32].name, layout.KERNELS[32].read_bytes()
    boot.what, boot.is_guest = f"a file: {which}", which == "cut"
    if which == "cut":
        boot.replace(name, elf[:boot.rng.randrange(len(elf))])
    elif which == "folder":
        (boot.build() / name).unlink()
        (boot.build() / name).mkdir()
    elif which == "logs":
        boot.logs.write_bytes(b"")
    elif which == "no list":
        (boot.build() / layout.CONTENTS[32].name).unlink()
    elif which == "program":
        boot.wrap("")
        (boot.folder / "bin" / "qemu-system-x86_64").write_bytes(b"\x7fELFnoise")
    else:
        boot.replace(name, {"empty": b"", "noise": random.Random(boot.seed).randbytes(300000),
                            "other": layout.KERNELS[64].read_bytes()}[which])


def sources(boot):
    """A file of the runner is missing, empty or damaged, from the beginning or from some moment on."""
    boot.root = boot.folder / "tree"
    (boot.root / "tests").mkdir(parents=True)
    for name in COPIED:
        source = layout.ROOT / "tests" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, boot.root / "tests" / name)
    for name in ("kernel", "model", "build"):
        (boot.root / name).symlink_to(layout.BUILD if name == "build" else layout.ROOT / name)
    boot.env.update(BUILD=str(layout.BUILD), PYTHONDONTWRITEBYTECODE="1")
    victims = sorted([*boot.root.glob("tests/runner/*.py"), *boot.root.glob("tests/targets/*.py"),
                      *boot.root.glob("tests/targets/*/*.csv"), boot.root / "tests" / "ids.csv"])
    victim, how, after = (boot.rng.choice(victims), boot.rng.choice(("gone", "empty", "noise")),
                          boot.rng.choice((0, 0, boot.rng.random())))
    boot.what = f"{victim.relative_to(boot.root)}: {how}, after {after:.1f} s"

    def hurt():
        time.sleep(after)
        if how == "gone":
            victim.unlink()
        else:
            victim.write_bytes(b"" if how == "empty" else random.Random(boot.seed).randbytes(100))
    if after:
        boot.during = hurt
    else:
        hurt()


def limits(boot):
    """The runner may have few files, little memory, short files, one process, a second."""
    option = boot.rng.choice(sorted(ULIMITS))
    value = boot.rng.choice(ULIMITS[option])
    boot.prefix = ["/bin/bash", "-c", f"ulimit {option} {value}; exec \"$@\"", "x"]
    boot.is_mute = option == "-f"       # the rig takes what a run says in files
    boot.what, boot.killed = f"ulimit {option} {value}", -signal.SIGXCPU if option == "-St" else None

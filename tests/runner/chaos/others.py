# SPDX-License-Identifier: MIT
"""Faults of the host beside the run: another run of the same, and clocks that jump."""
import functools
import pathlib
import time

from runner.chaos.boot import Boot

LIBRARIES = sorted(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
JUMPS = ("+3600", "-3600", "+86400", "+5", "-5", "+100000000")          # seconds
LATEST = 0.9                    # of a run's seconds, until the other one starts


def together(boot):
    """The same run starts twice, the other one later; they share the folder of logs."""
    after = boot.rng.uniform(0, LATEST * boot.sound.seconds)
    boot.what = f"the same run starts {after:.2f} s later"
    boot.other = Boot(boot.kind, boot.seed, boot.target)
    boot.other.logs, boot.other.sound = boot.logs, boot.sound

    def during():
        time.sleep(after)
        boot.other.run()
    boot.during = during


@functools.cache
def lacks_faketime():
    return "" if LIBRARIES else "libfaketime is missing; install faketime"


def clock(boot):
    """The runner's clocks jump, all of them, and the emulator's do not.

    The wall clock alone would not do: with it libfaketime 0.9.10 lets each sleep of Python fail, and no line of the
    runner asks for the time of day.
    """
    jump, share = boot.rng.choice(JUMPS), boot.rng.random()
    moment = boot.folder / "moment"
    moment.write_text("+0", encoding="ascii")
    boot.wrap("unset LD_PRELOAD; exec $real \"$@\"")
    boot.env.update(LD_PRELOAD=str(LIBRARIES[0]), FAKETIME_TIMESTAMP_FILE=str(moment), FAKETIME_NO_CACHE="1",
                    FAKETIME_DISABLE_SHM="1", FAKETIME_DONT_FAKE_MONOTONIC="0")
    boot.what = f"the clocks jump by {jump} s at {share:.0%} of the log"

    def during():
        boot.wait_for_log(share)
        moment.write_text(jump, encoding="ascii")
    boot.during = during

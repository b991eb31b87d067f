# SPDX-License-Identifier: MIT
"""The files of a run in build/logs: the guest's output, and the emulator's own messages."""
import fcntl
import hashlib
import re

from runner import layout, program
from runner.problems import Problem

NAME_CHARACTERS = 100           # file systems take 255 bytes; the suffixes need some
MOST_PARALLEL = 100             # runs of the same target with the same words at the same time
LAST_WORDS_BYTES = 4096
TRIVIAL = re.compile(r"^\W*$|^\s*\d+i\[|Bochs is exiting|^={5,}|warning: TCG doesn't support")


class Logs:
    """The files `serial` (raw bytes of the serial line) and `emulator` (its own messages), open for writing.

    Their name has the target and the words; a parallel run of the same gets a number of its own.
    Raises Problem if they cannot be written.
    """

    def __init__(self, target, words):
        name = file_name(target, words)
        try:
            layout.LOGS.mkdir(parents=True, exist_ok=True)
            self.serial = first_free(name)
            self.base = self.serial.name.removesuffix(".log")
            self.emulator = open(self.base + ".emulator.log", "w+b", buffering=0)
        except OSError as error:
            folder = layout.shown(layout.LOGS)
            raise Problem(f"{folder} cannot be written: {error.strerror}; BARECOUNT_LOGS names another folder") from None

    @property
    def shown(self):
        return layout.shown(self.serial.name)

    def last_words(self):
        """Returns the emulator's last message that means something, or ""."""
        self.emulator.seek(0, 2)
        self.emulator.seek(max(0, self.emulator.tell() - LAST_WORDS_BYTES))
        text = self.emulator.read().decode("utf-8", "replace")
        lines = [line.strip() for line in text.splitlines() if not TRIVIAL.search(line)]
        panics = [line for line in lines if "PANIC" in line]
        return (panics or lines or [""])[-1]

    def notices(self, prefix):
        """Returns the lines of the emulator that begin with the prefix, each once; nothing without a prefix."""
        self.emulator.seek(0)
        lines = self.emulator.read().decode("utf-8", "replace").splitlines() if prefix else []
        return list(dict.fromkeys(line for line in lines if line.startswith(prefix)))

    def keep_screenshot(self, ppm):
        with program.writing(self.screenshot_shown), open(self.base + ".ppm", "wb") as file:
            file.write(ppm)

    @property
    def screenshot_shown(self):
        return layout.shown(self.base + ".ppm")

    def close(self):
        self.serial.close()
        self.emulator.close()


def file_name(target, words):
    """Returns a file name for target and words; a digest distinguishes names that are cut."""
    full = "_".join([target.replace(":", "-"), *words])
    name = re.sub(r"[^A-Za-z0-9._=,+-]", "-", full)[:NAME_CHARACTERS]
    plain = target.count(":") < 2 and name == full
    return name if plain else f"{name}_{hashlib.sha256(full.encode()).hexdigest()[:8]}"


def first_free(name):
    """Returns the first of NAME.log, NAME~2.log, ... that no current run holds: open, locked and empty."""
    for number in range(1, MOST_PARALLEL + 1):
        suffix = f"~{number}" if number > 1 else ""
        file = open(layout.LOGS / f"{name}{suffix}.log", "ab", buffering=0)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            continue
        file.truncate(0)
        return file
    raise Problem(f"more than {MOST_PARALLEL} runs of {name} at the same time")

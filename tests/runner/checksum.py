# SPDX-License-Identifier: MIT
"""The check sum of a log: it distinguishes a whole log from a part of one, and from parts of two."""
import re
import zlib

CHECK = re.compile(r"# check: CRC-32 ([0-9A-F]{8}), (\d{1,9}) lines$")
END = re.compile(r"# end of run: status ([012])$")


class CheckSum:
    """The sum of the lines from `TAP version 13` on, each as its characters and one line end."""

    def __init__(self):
        self.crc = self.count = 0

    def take(self, line):
        self.crc = zlib.crc32(line.encode("utf-8", "surrogateescape") + b"\n", self.crc)
        self.count += 1

    @property
    def line(self):
        return f"# check: CRC-32 {self.crc:08X}, {self.count} lines"

    def complaint(self, line):
        """Returns the reason why the log's own line does not fit, or "" if it does."""
        crc, count = CHECK.match(line).groups()
        if int(count) != self.count:
            return f"the check sum is of {count} lines, and {self.count} are here: lines were lost, " \
                   "added, or are of another log"
        if crc != f"{self.crc:08X}":
            return f"the check sum of the lines before is {self.crc:08X}, not {crc}: " \
                   "one was changed, or is of another log"
        return ""


class Summed:
    """Writes lines, and the check line before the run's end, if the run is sound."""

    def __init__(self, write, is_sound=lambda: True):
        self.write = write
        self.is_sound = is_sound
        self.sum = CheckSum()

    def __call__(self, line):
        if END.match(line) and self.is_sound():
            self.write(self.sum.line)
        self.sum.take(line)
        self.write(line)

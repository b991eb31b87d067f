# SPDX-License-Identifier: MIT
"""Reads a log of Barecount from a file, and refuses everything that is not one whole, sound log.

The file is the kernel's output, the output of tests/boot, or the log of a program (runner.tapwriter). A
capture of a serial line may end its lines with CR LF, and have a firmware's text before and after the log.
"""
import dataclasses
import re
import shlex

from runner import guest, tap, verdict, version
from runner.checksum import CHECK, END
from runner.problems import Problem
from runner.whole import expected

HEAD = re.compile(r"# Barecount (\S+), schema (\d{1,9}), (\S+)$")
TARGET = re.compile(r"# target: (.+)$")
QUIRK = re.compile(r"# quirk: (\S+)$")
QEMU = re.compile(r"# QEMU: (\S.*)$")           # a binary of one's own: path and version
FACT = re.compile(r"# ([A-Za-z][\w -]*): (.*)$")
SECONDS = re.compile(r"# seconds: (\d{1,7}(?:\.\d{1,3})?)$")
KERNELS = ("32-bit", "64-bit")
PROGRAMS = ("quirks", "mutants", "linux", "alarms")
# The keys of a kernel's head, before the plan; programs have their own.
HEAD_KEY = re.compile(r"cpu( \d+)?|brand|hypervisor|boot|boot problem|local APIC|TSC|clock|clock wait|APIC timer"
                      r"|watchdog|paging"
                      r"|modes|kernel|cpus|cpus problem|cpus wait|console problem|pmu|kind [A-Za-z0-9-]+|driver|events|tests")
# Lines that only a log has; outside of a log they are parts of another one.
OF_A_LOG = (tap.VERSION, tap.PLAN, tap.RESULT, HEAD, CHECK, END)
# A block's line: `  key: value`, `    - key: value` of a list's entry, or `      key: value`.
BLOCK_LINE = re.compile(r'(?:  |    - |      )([a-z_]+):(?: ("(?:[^"\\]|\\.)*"|[\w.,-]+))?$')
CHECK_KEYS = {"what", "got", "want", "why", "at"}
BLOCK_KEYS = {*CHECK_KEYS, "severity", "claim", "source", "repeat", "also", "not_shown", "reported",
              "tests"}


class Refused(Problem):
    """The file is not one whole log; str() is PATH:LINE: and a sentence."""

    def __init__(self, path, line, sentence):
        super().__init__(f"{path}:{line}: {sentence}")
        self.path, self.line, self.sentence = path, line, sentence


@dataclasses.dataclass
class Log:
    """A log that was accepted."""

    path: str
    target: str = ""            # as tests/boot names it, without its words; "" without tests/boot
    words: tuple = ()           # of its machine and for its kernel
    quirk: str = ""
    qemu: str = ""
    version: str = ""
    schema: int = 0
    kind: str = ""              # one of KERNELS or PROGRAMS
    head: dict = dataclasses.field(default_factory=dict)        # cpu, pmu, cpus, ...: the text
    comments: list = dataclasses.field(default_factory=list)    # those between results, "# " and all
    results: list = dataclasses.field(default_factory=list)     # of tap.Result, each of a test on a processor
    verdict: str = ""
    status: int = 0             # 0 or 1: the run's own
    seconds: float | None = None        # where tests/run-matrix has measured them

    @property
    def bits(self):
        """32 or 64 for a kernel; None for a program."""
        return int(self.kind.split("-")[0]) if self.kind in KERNELS else None

    @property
    def name(self):
        """The name of the log's machine: the target and its words, or the file."""
        return shlex.join([self.target, *self.words]) if self.target else self.path


def read(path, any_version=False):
    """Returns the Log in this file; raises Refused, and OSError if the file cannot be read.

    With any_version logs of other versions of Barecount are accepted, if they have the same schema.
    """
    with open(path, "rb") as file:
        return Reader(str(path), any_version).read(file.read())


def is_log(data):
    """Says whether these bytes claim to be a log, or a part of one, of Barecount."""
    return bool(re.search(rb"^# Barecount \S+, schema ", data, re.MULTILINE))


class Reader:
    """Takes a file's lines one by one; refuses with the number of the line it has come to."""

    def __init__(self, path, any_version):
        self.any_version = any_version
        self.run = tap.Transcript()
        self.log = Log(path)
        self.number = 0

    def read(self, data):
        *lines, rest = data.split(b"\n")
        for self.number, line in enumerate(lines, 1):
            self._take(line.rstrip(b"\r"))
        if rest:
            self._take_rest(rest)
        return self._finish()

    def _take_rest(self, line):
        """Takes the last line of a file, if it has no line end."""
        self.number += 1
        is_end = END.match(line.decode("ascii", "replace").rstrip("\r"))
        if self.run.started and self.run.end is None and not is_end:
            self._refuse("the log is cut off in the middle of this line")
        self._take(line.rstrip(b"\r"))

    def _refuse(self, sentence, line=None):
        raise Refused(self.log.path, line or max(self.number, 1), sentence)

    def _take(self, line):
        if not self.run.started or self.run.end is not None:
            self._outside(line.decode("utf-8", "replace"))
        elif not re.fullmatch(rb"[ -~]*", line):
            self._refuse(f"bytes that Barecount does not print: {line[:tap.SHOWN_CHARACTERS]!r}")
        else:
            self._inside(line.decode("ascii"))

    def _outside(self, line):
        begins = not self.run.started and tap.VERSION.search(line)
        seconds = self.run.started and SECONDS.match(line)
        if seconds and self.log.seconds is None:
            self.log.seconds = float(seconds[1])
        elif not begins and any(pattern.match(line) for pattern in OF_A_LOG):
            where = "after the end of the log" if self.run.started else "before the log begins"
            self._refuse(f"{where} there is a line of another one: {line[:tap.SHOWN_CHARACTERS]!r}")
        self.run.feed(line)

    def _inside(self, line):
        run = self.run
        if tap.VERSION.search(line):
            self._refuse(f"a second log begins here, {run.position} of the first")
        if run.reads_block(line) and line.startswith(tap.INDENT):
            self._block_line(line)
        elif not self.log.kind:
            self._first_lines(line)
        elif run.is_checked and not END.match(line):
            self._refuse(f"the end must follow the check sum, not {line[:tap.SHOWN_CHARACTERS]!r}")
        elif line.startswith("#"):
            self._comment(line)
        elif not line:
            self._refuse("an empty line, which Barecount does not print")
        run.feed(line)
        problem = run.malformed or run.misnumbered or run.miscounted
        if problem:
            self._refuse(problem)
        if run.bail_out is not None:
            self._refuse(f"the run gave up: {run.bail_out}")

    def _first_lines(self, line):
        """Takes `# target:`, `# quirk:` and `# QEMU:` of tests/boot, and the line that names the version."""
        log = self.log
        if TARGET.match(line) and not log.target:
            try:
                log.target, *words = shlex.split(TARGET.match(line)[1])
                log.words = tuple(words)
            except ValueError:
                self._refuse("the target's words cannot be read: a quotation mark is missing")
        elif QUIRK.match(line) and log.target and not log.quirk:
            log.quirk = QUIRK.match(line)[1]
        elif QEMU.match(line) and log.target and not log.qemu:
            log.qemu = QEMU.match(line)[1]
        elif HEAD.match(line):
            self._versions(*HEAD.match(line).groups())
        else:
            self._refuse("the line `# Barecount VERSION, schema NUMBER, KIND` should be here: "
                         f"{line[:tap.SHOWN_CHARACTERS]!r}")

    def _versions(self, number, schema, kind):
        ours, our_schema = version.read()
        if int(schema) != our_schema:
            self._refuse(f"the log has schema {schema}, which is read by another version of "
                         f"Barecount; this one, {ours}, reads schema {our_schema}")
        if number != ours and not self.any_version:
            self._refuse(f"the log is of Barecount {number}, this is {ours}: its tests may differ")
        if kind not in (*KERNELS, *PROGRAMS):
            self._refuse(f"a log of no known kind: {kind}")
        self.log.version, self.log.schema, self.log.kind = number, int(schema), kind

    def _comment(self, line):
        log, fact = self.log, FACT.match(line)
        if any(pattern.match(line) for pattern in (TARGET, QUIRK, QEMU, HEAD)):
            self._refuse("a line of another log's head")
        if self.run.plan is None and not self.run.lines:
            if not fact or fact[1] in log.head or not self._is_head_key(fact[1]):
                self._refuse("not a line of the head, or one that was there before: "
                             f"{line[:tap.SHOWN_CHARACTERS]!r}")
            log.head[fact[1]] = fact[2]
        elif not (END.match(line) or CHECK.match(line)):
            log.comments.append(line)

    def _is_head_key(self, key):
        return self.log.kind in PROGRAMS or HEAD_KEY.fullmatch(key)

    def _block_line(self, line):
        """Checks a line of a block; a kernel's keys are known, a program has its own."""
        found = BLOCK_LINE.match(line)
        known = found and (found[1] in BLOCK_KEYS or self.log.kind in PROGRAMS)
        if line not in (tap.BLOCK_START, tap.BLOCK_END) and not known:
            self._refuse(f"not a line of a result's block: {line[:tap.SHOWN_CHARACTERS]!r}")

    def _finish(self):
        run, log = self.run, self.log
        if not run.started:
            self._refuse("no log of Barecount: there is no line `TAP version 13`")
        if run.end is None:
            self._refuse(f"the log is cut off here, {run.position}: it has no end")
        log.results, log.verdict, log.status = run.results, run.verdict, run.end
        problem = verdict.what_is_broken(run) or expected.of_log(run, log.words if log.target else None)
        if problem:
            self._refuse(problem)
        return log

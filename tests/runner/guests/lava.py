# SPDX-License-Identifier: MIT
"""tests/fleet/lava: one job of LAVA by lava-run, which needs no server, judged in two ways.

The job is tests/fleet/job.yaml on tests/fleet/device.yaml, with the URLs of this build. The guest's output in
LAVA's log is judged as tests/boot judges it; and each test must have, as a test case of LAVA, the verdict that
the guest has given it.
"""
import contextlib
import os
import shutil
import subprocess
import tempfile

import yaml

from runner import cli, deviations, fast_yaml, layout, logs, machine, problems, tap, verdict
from runner.checksum import Summed
from runner.handover import Handover
from runner.report import Report
from runner.problems import Problem, Unavailable
from targets import qemu

FLEET = layout.ROOT / "tests" / "fleet"
PREFIX = "lava"
PACKAGE = "lava-dispatcher"
PROGRAM = "tests/fleet/lava"
LAVA_RUN = "lava-run"
SUITE = "barecount"             # the monitor's name in job.yaml
CANCEL_SECONDS = 20             # a job that is stopped removes its files
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
USAGE = f"""\
usage: tests/fleet/lava {PREFIX}:CPU [WORD...]

Runs build/barecount.iso as a job of LAVA, by Debian's {LAVA_RUN} and without a server, in QEMU's own
translator; CPU is as for qemu:. Prints the guest's TAP with the recorded deviations of qemu:CPU
marked. The WORDs are tests/boot's smp=, mem= and bits=, and the kernel's. Exit status: 0 all
passed, 1 something failed, 2 the run or the job is broken, or LAVA has other verdicts than the
guest, {problems.UNAVAILABLE} LAVA is not available on this host, or not for this user.
"""


def main(arguments):
    """Runs with these words; returns the exit status."""
    return cli.start(PROGRAM, lambda: USAGE, run, arguments)


def run(target, words):
    """Runs one job; returns its exit status. Raises Problem if there can be no job."""
    board, machine_words, kernel_words = machine.split(words)
    cpu = prepare(target, board)
    rows = deviations.load("qemu", cpu, qemu.version(), words)
    repeat = ["tests/boot", f"qemu:{cpu}", *machine_words]
    guest = tap.Transcript()
    output = Summed(cli.say, lambda: not verdict.what_is_broken(guest, bits=board.bits))
    job = Job(guest, Report(rows, repeat, output, run=guest), cli.head(target, words))
    with contextlib.closing(logs.Logs(target, words)) as log, \
            contextlib.closing(Handover(board, [*kernel_words, qemu.LEAVE])) as handover:
        job.run(handover, options(cpu, board), log)
        job.report.finish()
        broken = job.what_is_broken(board.bits)
        if broken:
            cli.complain(f"{broken}; LAVA's log is {layout.shown(log.emulator.name)}", PROGRAM)
        return problems.BROKEN if broken else job.report.status


def prepare(target, board):
    """Returns the target's CPU; raises Problem if it is no CPU or not available."""
    prefix, _, cpu = target.partition(":")
    if prefix != PREFIX or not cpu:
        raise Problem(f"{target!r} is not a target of LAVA; those are {PREFIX}:CPU")
    machine.check_offers(f"{PREFIX}:", board, {})
    if not shutil.which(LAVA_RUN):
        raise Unavailable(f"{LAVA_RUN} is not installed; install {PACKAGE}")
    if os.geteuid():
        raise Unavailable(f"{LAVA_RUN} runs as root only, and this is user {os.geteuid()}")
    qemu.prepare(cpu, board)
    return cpu


def options(cpu, board):
    """Returns the values of the device's options, by their names."""
    smp = board.smp
    return {"-cpu": cpu, "-m": board.mem_mb,
            "-smp": f"{smp.cpus},sockets={smp.packages},cores={smp.cores},threads={smp.threads}"}


def definition(handover):
    """Returns the job with the files of this build, under names that have no blanks and that no other run uses."""
    job = read("job.yaml")
    images = job["actions"][0]["deploy"]["images"]
    for name, file in (("iso", handover.iso()), ("words", handover.words_disk())):
        images[name]["url"] = f"file:///proc/{os.getpid()}/fd/{file.rpartition('/')[2]}"
    return job


def device(asked):
    made = read("device.yaml")
    parameters = made["actions"]["boot"]["methods"]["qemu"]["parameters"]
    parameters["options"] = [option for option in parameters["options"]
                             if option.split()[0] not in asked]
    parameters["options"] += [f"{name} {value}" for name, value in asked.items()]
    return made


def read(name):
    with open(FLEET / name, encoding="utf-8") as file:
        return yaml.load(file, Loader=yaml.SafeLoader)


def dump(handover, name, what):
    return handover.memory(name, yaml.dump(what, Dumper=DUMPER).encode())


def verdict_of(result):
    """Returns the verdict that LAVA must have for a result of the guest."""
    if result.directive:
        return "skip"
    return "pass" if result.ok else "fail"


class Job:
    """lava-run and its output: the guest's lines and the test cases that LAVA makes of them."""

    def __init__(self, guest, report, head):
        self.guest = guest
        self.report = report
        self.head = head
        self.reported = []          # (id, verdict) of the guest's results, in their order
        self.cases = []         # of LAVA's test cases
        self.outcome = {}       # LAVA's last word, of the job itself

    def run(self, handover, asked, log):
        with tempfile.TemporaryDirectory(prefix="barecount-lava-") as folder:
            argv = [LAVA_RUN, "--job-id", str(os.getpid()), "--output-dir", folder,
                    "--device", dump(handover, "device", device(asked)),
                    dump(handover, "job", definition(handover))]
            with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, pass_fds=handover.fds,
                                  start_new_session=True) as process:
                try:
                    for line in process.stdout:
                        self.take(line, log)
                except BaseException:           # it ends its guest and removes its files
                    process.terminate()
                    process.wait(CANCEL_SECONDS)
                    raise
        self.status = process.returncode

    def take(self, line, log):
        """Takes one line of LAVA's log: YAML, or a library's message."""
        log.emulator.write(line)
        try:
            entry = fast_yaml.load(line)
            level, message = entry["lvl"], entry["msg"]
        except (ValueError, KeyError, TypeError):
            return
        if level == "target":
            message = message.replace('\\"', '"')   # LAVA puts a backslash before each of them
            log.serial.write(message.encode() + b"\n")
            self.hear(message)
        elif level == "results" and message["definition"] == SUITE:
            self.cases.append((message["extra"]["test_case_id"], message["result"]))
        elif level == "results" and message["case"] == "job":
            self.outcome = message

    def hear(self, line):
        """Takes a line of the guest."""
        items = self.guest.feed(line.rstrip("\r"))
        self.reported += [(item.id, verdict_of(item)) for item in items if isinstance(item, tap.Result)]
        self.report.take(items)
        if self.guest.started and self.head:
            for own in self.head:
                self.report.write(own)
            self.head = ()

    def what_is_broken(self, bits):
        """Returns the sentence, or ""."""
        broken = verdict.what_is_broken(self.guest, bits=bits)
        if self.status or self.outcome.get("result") != "pass":
            keys = ("error_type", "error_msg")
            error = ": ".join(self.outcome.get(key, "no word") for key in keys)
            heard = f", and {broken}" if broken and self.guest.started else ""
            return f"LAVA's job is not complete ({error}){heard}"
        return broken or self.difference()

    def difference(self):
        """Returns a sentence on the first difference between LAVA's verdicts and the guest's, or ""."""
        for mine, theirs in zip(self.reported, self.cases):
            if mine != theirs:
                return f"the guest says {' '.join(mine)}, and LAVA says {' '.join(theirs)}"
        if len(self.reported) != len(self.cases):
            return f"the guest has {len(self.reported)} results, and LAVA has {len(self.cases)}"
        return ""

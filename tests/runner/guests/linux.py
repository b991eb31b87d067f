# SPDX-License-Identifier: MIT
"""tests/linux/run: boots Debian's Linux on the model once, from the words to the exit status."""
import contextlib
import functools
import math
import os
import pathlib
import shlex

from runner import cli, layout, logs, machine
from runner.guests import debian, linux_image, linux_judge, linux_programs, programs_judge
from runner.guest import Guest
from runner.handover import Handover, must_be_built
from runner.problems import Problem
from runner.tapwriter import Writer
from targets import model, qemu_model

BUILT = layout.BUILD / "linux"
FLAVOURS = {32: "686", 64: "amd64"}
DEBIANS = machine.Machine.linux           # the version of the Debian whose kernels come in both widths
TARGETS = {"linux": model, "linux-qemu": qemu_model}    # by the prefix of a target
# The guest's clocks are slow against the emulator, because Linux often waits for time, and its NMI watchdog's
# period is in cycles of that clock.
INSTRUCTIONS_PER_SECOND = 10_000_000
NANOSECONDS = 1_000_000_000     # in a second
MEM_MB = 192
SILENCE_SECONDS = 120           # quiet from the BIOS to our program, on a busy host
OVERALL_SECONDS = 600
# Initcalls that are not needed and not about counting, because each second of them costs an emulator two.
LEFT_OUT = ("load_system_certificate_list", "trace_eval_init", "tracer_init_tracefs", "init_evm",
            "init_ima")
# clearcpuid=417: since Zen 2 Linux starts IRPerfCount, if CPUID has it, and never stops it: the model would follow each
# instruction of the whole boot.
WORDS = f"""
    console=ttyS0 quiet acpi=off lapic lapic=notscdeadline tsc=reliable
    no_timer_check nokaslr mitigations=off mce=off nomce init_on_alloc=0 random.trust_cpu=on
    pnpbios=off nosoftlockup nmi_watchdog=0 watchdog_thresh=1
    cryptomgr.notests clearcpuid=417
""".split() + [f"initcall_blacklist={','.join(LEFT_OUT)}"]
PANIC = ("Kernel panic", "Oops")
USAGE = """\
usage: tests/linux/run linux:CPU|linux-qemu:CPU [program=perf|events|hybrid|rr|papi|selftests|guests] [as=PROCESSOR] [bits=32|64] [linux=VERSION]
                       [vpmu=emulated|mediated] [smp=P:C:T] [hybrid=NP:ME] [timeout=SECONDS]

Boots Debian's Linux on model:CPU, or qemu-model:CPU, with one program of the tests' own, and prints as TAP whether the
kernel's PMU driver found what tests/linux/cpus.csv has for the processor, and whether it counts and samples
with it.  With program= it runs perf, rr, PAPI or Linux' selftests of KVM instead, and judges their output
by tests/linux/programs/rows.csv; program=guests looks whether KVM's guests see each other's counters.  PMU_QUIRK=NAME gives the model one defect.  Exit status: 0 all passed,
1 something failed, 2 the run is broken, 77 it is not available on this host.
"""


def main(arguments):
    """Runs with these words; returns the exit status."""
    return cli.start("tests/linux/run", lambda: USAGE, run, arguments)


def run(target, words):
    """Boots once; returns the exit status. Raises Problem if the run cannot be started or is broken."""
    programs = [linux_programs.find(word) for word in words if word.startswith("program=")]
    mem_mb = linux_programs.MEM_MB if programs else MEM_MB
    board, _, others = machine.split([*words, "via=kernel", f"mem={mem_mb}"])
    prefix, _, cpu = target.partition(":")
    if prefix not in TARGETS or len(others) != len(programs) or len(programs) > 1:
        raise Problem(f"{' '.join([target, *others])!r} is not linux:CPU with program=, as=, bits=, linux=, smp= and timeout=")
    boot = programs_boot if programs else driver_boot
    row, made, speed, judge = boot(f"{cpu} as={board.as_}" if board.as_ else cpu, board, *programs)
    TARGETS[prefix].prepare(cpu, board)
    with contextlib.closing(logs.Logs(target, words)) as log, \
            contextlib.closing(Handover(board, [])) as handover:
        argv = START[prefix](cpu, board, handover, kernel(row.bits, board.linux), linux_image.archive(made), speed)
        silence = board.timeout or SILENCE_SECONDS
        with Guest(argv, handover, log.emulator, silence) as guest:
            said = listen(guest, log)
        if not said or said[-1] != linux_judge.END:
            raise Problem(f"{why(said, guest)}; the raw log is {log.shown}")
    return report(target, words, judge(row, said))


def driver_boot(name, board):
    """Returns the row, the initramfs' files, instructions per second, and what judges (row, lines)."""
    row = linux_judge.expected(name, board.bits)
    program = must_be_built(BUILT / f"init{row.bits}").read_bytes()
    files = [("proc", linux_image.FOLDER, b""), ("init", linux_image.PROGRAM, program)]
    return row, files, INSTRUCTIONS_PER_SECOND, linux_judge.judge


def programs_boot(name, board, program):
    """Returns the same for a program of Debian."""
    row = programs_judge.expected(name, program, board.bits, board.known_linux)
    return (row, linux_programs.files(program, row, board), linux_programs.INSTRUCTIONS_PER_SECOND,
            functools.partial(programs_judge.judge, program, board))


def in_bochs(cpu, board, handover, packed, initramfs, speed):
    """Returns the command of the model, with the unpacked kernel, its initramfs and what starts both in memory."""
    start = must_be_built(BUILT / "start.bin").read_bytes()
    handover.whole_image = linux_image.START, linux_image.whole(start, packed, initramfs, words(speed))
    return model.command(cpu, board, handover, speed)


def in_qemu(cpu, board, handover, packed, initramfs, speed):
    """Returns the command of QEMU, whose own loader starts the kernel; an instruction takes a power of 2 of ns there."""
    shift = round(math.log2(NANOSECONDS / speed))
    handover.linux = packed, initramfs, words(NANOSECONDS >> shift)
    return qemu_model.command(cpu, board, handover, shift)


START = {"linux": in_bochs, "linux-qemu": in_qemu}


def kernel(bits, version):
    """Returns Debian's kernel as it is packed. Raises Problem if no Debian has it in this width."""
    if version == DEBIANS:
        return pathlib.Path(debian.fetch(FLAVOURS[bits])).read_bytes()
    if bits == 32:
        raise Problem(f"bits=32 goes with linux={DEBIANS} alone: no later Debian has a 32-bit kernel")
    return next(content for name, _, content in debian.files(f"kvm-{version}") if name == "vmlinuz")


def words(instructions_per_second):
    """Returns Linux' words on a machine of this speed."""
    return [*WORDS, f"tsc_early_khz={instructions_per_second // 1000}"]


def listen(guest, log):
    """Returns all lines up to the program's last one or the kernel's end."""
    said = []
    for line in guest.lines(log.serial, OVERALL_SECONDS):
        said.append(line)
        if line == linux_judge.END:
            guest.leave()
            break
        if any(word in line for word in PANIC):
            guest.silence = 5
    return said


def why(said, guest):
    """Returns the reason why the boot did not come to its end."""
    panics = [line for line in said if any(word in line for word in PANIC)]
    if panics:
        return f"Linux gave up: {panics[0]}"
    return f"Linux did not come to the end of the program (its output is {guest.ending})"


def report(target, words, claims):
    quirk = os.environ.get(model.QUIRK)
    head = [f"target: {shlex.join([target, *words])}", *([f"quirk: {quirk}"] if quirk else [])]
    writer = Writer("linux", cli.say, head)
    for claim in claims:
        facts = {"what": claim.what, "got": claim.got, "want": claim.want, "why": claim.why}
        writer.result(claim.is_good, claim.name, None if claim.is_good else facts)
    return writer.end()

# SPDX-License-Identifier: MIT
"""Events that nobody announces to the kernel: interrupts, machine checks, a reset, a pause, a processor that stops."""
import time

from runner.chaos.debugger import Debugger, ask_person, attach, monitor_at

VECTORS = (0x20, 0x21, 0x27, 0x2F, 0x30, 0x40, 0x80, 0xF0, 0xFE, 0xFF)      # those of the PICs, and of local APICs
FIRST_VECTOR = 0x20             # below lie the exceptions
STORM = 50                      # interrupts
MESSAGES = 0xFEE00000           # a write there is an interrupt; SDM 3A, "Message Address Register Format"
DESTINATION_LSB = 12            # of its field with the APIC ID
FATAL, HARMLESS = "0xb200000000000000 0x5", "0x9000000000000000 0x0"        # IA32_MC1_STATUS and IA32_MCG_STATUS
SPIN = b"\xfa\xeb\xfe"          # cli; jmp to itself
SPIN_AT = 0x6000                # memory that nobody uses: arch/modes/low_memory.h begins behind it


def of(processors):
    """Returns a fault: one event at a random moment of the run, on one of these processors."""
    makers = [nmi, machine_check, reset, pause, spurious, storm, *([stopped] * 3 if processors > 1 else [])]

    def fault(boot):
        share, make, processor = boot.rng.random(), boot.rng.choice(makers), boot.rng.randrange(processors)
        sockets = attach(boot)
        what, happen = make(boot.rng, processor)
        boot.is_guest = make is not pause       # time that passes for nobody is no excuse
        boot.what = f"{what} on processor {processor} at {share:.0%} of the log"

        def during():
            boot.wait_for_log(share)
            with monitor_at(sockets[1]) as monitor:
                happen(monitor, sockets[0])
        boot.during = during
    return fault


# Each returns what the event is, and a function of the monitor and the debugger's socket that makes it.
def nmi(_, processor):
    def happen(monitor, _):
        ask_person(monitor, f"cpu {processor}")
        ask_person(monitor, "nmi")
    return "an NMI", happen


def machine_check(rng, processor):
    status = rng.choice((FATAL, FATAL, HARMLESS))
    return (f"a {'fatal' if status == FATAL else 'corrected'} machine check",
            lambda monitor, _: ask_person(monitor, f"mce {processor} 1 {status} 0x1000 0"))


def reset(*_):
    return "a reset", lambda monitor, _: monitor.execute("system_reset")


def pause(rng, _):
    seconds = rng.uniform(0.1, 3)

    def happen(monitor, _):
        monitor.execute("stop")
        time.sleep(seconds)
        monitor.execute("cont")
    return f"a pause of {seconds:.1f} s", happen


def spurious(rng, processor):
    return interrupts(processor, [rng.choice((*VECTORS, rng.randrange(FIRST_VECTOR, 256)))])


def storm(rng, processor):
    return interrupts(processor, [rng.randrange(FIRST_VECTOR, 256) for _ in range(STORM)])


def interrupts(processor, vectors):
    """Returns an event: all these vectors while the machine stands still, so that they come at once."""
    def happen(_, socket):
        with Debugger(socket) as debugger:
            for vector in vectors:
                debugger.write(MESSAGES | processor << DESTINATION_LSB, vector.to_bytes(4, "little"))
    return (f"vector {vectors[0]:#x}" if len(vectors) == 1 else f"{len(vectors)} vectors"), happen


def stopped(_, processor):
    def happen(_, socket):
        with Debugger(socket) as debugger:
            debugger.write(SPIN_AT, SPIN)
            debugger.jump(processor, SPIN_AT)
    return "an endless loop", happen

# SPDX-License-Identifier: MIT
"""kvm-on-model:CPU, a guest of KVM in Debian's Linux on model:CPU, which has VMX: the virtual PMU of real KVM."""
import dataclasses

from runner import machine
from runner.guests import kvm
from runner.problems import Problem
from targets import model, qemu

OFFERS = {"linux": ("5.10", "6.1", "6.12", "7.3", "newest"), "vmm": ("own", "qemu"), "vpmu": ("emulated", "mediated"),
          "as": model.PROCESSORS, "features": machine.ANYTHING,
          "hybrid": machine.HYBRIDS}
BOOT_SECONDS = 120
HAS_MODEL = True
NOTICE = model.NOTICE
MEM_MB, QEMU_MEM_MB = 256, 512  # of Linux: QEMU and its libraries are in memory, twice for a while
SILENCE_SECONDS = 60            # a test with many VM exits may take seconds, and lines come in heaps


def version():
    return model.version()


def words(_):
    """Returns words for the kernel: its monitor, either of them, has QEMU's port."""
    return (qemu.LEAVE,)


def prepare(cpu, machine):
    if machine.vpmu == "mediated" and machine.known_linux != "7.3":
        raise Problem(f"vpmu=mediated goes with linux=7.3 and linux=newest, not with {machine.linux}")
    if machine.features != "pmu=on" and machine.vmm != "qemu":
        raise Problem("features= goes with vmm=qemu")
    model.prepare(cpu, machine)


def settled(machine):
    """Returns the machine that Bochs has: the guest's words are the monitor's business."""
    return dataclasses.replace(machine, via="kernel", serial="debug", mem=machine.mem or (QEMU_MEM_MB if machine.vmm == "qemu" else MEM_MB),
                               timeout=machine.timeout or SILENCE_SECONDS)


def implied(machine):
    """Returns the words that hold without being typed, for rows of deviations that name them."""
    return [f"linux={machine.known_linux}", f"vmm={machine.vmm}", f"vpmu={machine.vpmu}"]


def command(cpu, machine, handover):
    handover.whole_image = kvm.image(handover, machine)
    return model.command(cpu, machine, handover, kvm.INSTRUCTIONS_PER_SECOND)

# SPDX-License-Identifier: MIT
"""kvm:CPU, QEMU with KVM and its virtual PMU; CPU is any name QEMU knows, host among them."""
import fcntl
import os
import struct

from runner.problems import Unavailable
from targets import qemu

OFFERS = {**qemu.OFFERS, "pmu": ("ask", "any")}
BOOT_SECONDS = 90               # nested KVM was seen to take 20 s where TCG takes half a second
DEVICE = "/dev/kvm"

# linux/kvm.h
KVM_CHECK_EXTENSION = 0xAE03
KVM_GET_SUPPORTED_CPUID = 0xC008AE05
KVM_CAP_PMU_CAPABILITY = 212
CPUID_ENTRIES = 256
CPUID_HEAD, CPUID_ENTRY = struct.Struct("=II"), struct.Struct("=10I")   # struct kvm_cpuid2, _entry2

LEAF_PMU = 0x0A                 # EAX[7:0]: version of architectural performance monitoring, 0: none
LEAF_AMD = 0x80000001           # ECX[23]: PerfCtrExtCore
PERF_CTR_EXT_CORE = 1 << 23


def prepare(cpu, machine):
    reason = why_no_kvm() or (machine.pmu == "ask" and why_no_pmu())
    if reason:
        raise Unavailable(reason)
    qemu.prepare(cpu, machine)


def version():
    return qemu.version()


def own_binary():
    return qemu.own_binary()


def words(machine):
    return qemu.words(machine)


def command(cpu, machine, handover):
    return qemu.command(f"{cpu},pmu=on", machine, handover, ("-accel", "kvm"))


def why_no_kvm():
    """Returns the reason why KVM cannot be used, or ""."""
    if not os.path.exists(DEVICE):
        return f"{DEVICE} does not exist on this host"
    try:
        os.close(os.open(DEVICE, os.O_RDWR))
    except OSError as error:
        return f"{DEVICE} cannot be opened: {error.strerror}"
    return ""


def why_no_pmu():
    """Returns the reason why guests of this KVM have no PMU, as KVM itself reports it, or ""."""
    device = os.open(DEVICE, os.O_RDWR)
    try:
        capability = fcntl.ioctl(device, KVM_CHECK_EXTENSION, KVM_CAP_PMU_CAPABILITY)
        leaves = supported_cpuid(device)
    except OSError as error:
        return f"KVM does not answer what its guests have: {error.strerror}"
    finally:
        os.close(device)
    return why_no_pmu_with(capability, leaves)


def why_no_pmu_with(capability, leaves):
    """Returns the reason why there is no PMU if KVM reports this of its guests, or ""."""
    version = leaves.get(LEAF_PMU, (0,) * 4)[0] & 0xFF
    amd = leaves.get(LEAF_AMD, (0,) * 4)[2] & PERF_CTR_EXT_CORE
    if capability or version or amd:
        return ""
    return ("KVM gives no virtual PMU here (KVM_CAP_PMU_CAPABILITY is 0, CPUID.0AH:EAX[7:0] is 0, "
            "CPUID.80000001H:ECX[23] is 0)")


def supported_cpuid(device):
    """Returns the CPUID that KVM can show its guests: {leaf: (EAX, EBX, ECX, EDX)} of each leaf's first subleaf."""
    buffer = bytearray(CPUID_HEAD.pack(CPUID_ENTRIES, 0) + bytes(CPUID_ENTRY.size * CPUID_ENTRIES))
    fcntl.ioctl(device, KVM_GET_SUPPORTED_CPUID, buffer)
    count, _ = CPUID_HEAD.unpack_from(buffer)
    leaves = {}
    for index in range(count):
        leaf, _, _, *registers = CPUID_ENTRY.unpack_from(
            buffer, CPUID_HEAD.size + index * CPUID_ENTRY.size)
        leaves.setdefault(leaf, tuple(registers[:4]))
    return leaves

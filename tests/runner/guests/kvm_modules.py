# SPDX-License-Identifier: MIT
"""The modules of Linux' KVM, in the order of loading."""

# Bochs says that it has what these use. Its VMX-preemption timer goes by another clock than the model's TSC, and
# it wants the descriptor of posted interrupts aligned to a page (docs/bochs.md).
INTEL, AMD = "GenuineIntel", "AuthenticAMD"
# Processors, by CPUID's name of their vendor; each module, and its parameters.
MODULES = (("all", "irqbypass", ""), ("all", "kvm", ""), (INTEL, "kvm-intel", "preemption_timer=0 enable_apicv=0"),
           (AMD, "rng-core", ""), (AMD, "ccp", ""), (AMD, "kvm-amd", "avic=0"))


OF_VPMU = {"emulated": {}, "mediated": {"kvm-intel": "enable_mediated_pmu=1", "kvm-amd": "enable_mediated_pmu=1"}}


def lines(files, vpmu="emulated"):
    """Returns a line for each module that is among these files: vendor, name and parameters."""
    there, more = set(files), OF_VPMU[vpmu]
    return [" ".join([*row, more.get(row[1], "")]).rstrip() for row in MODULES if f"{row[1]}.ko" in there]

# SPDX-License-Identifier: MIT
"""The targets on which a guest can be booted; each is a module.

`tests/boot NAME:CPU` uses the module NAME of this package.  A new emulator is one new module with

    OFFERS          word -> the values of this machine word (runner.machine) that it can do
    BOOT_SECONDS    how long firmware and boot loader may stay silent
    version()       the emulator's version, for deviations that come and go with it
    prepare(cpu, machine)           returns nothing; raises Unavailable if the target is not available
                                    on this host, Problem if the CPU's name is wrong
    command(cpu, machine, handover) returns the emulator's argument vector; files, disks and the
                                    serial line are open descriptors (runner.handover)

and, if the emulator deviates from the specification, deviations/NAME.csv.
The emulator must end by itself when the guest asks for it, and must not outlive a triple fault. Its exit
status does not matter: a run is judged by the guest's output.
"""

# SPDX-License-Identifier: MIT
"""The targets a guest can be booted on: one module each.

`tests/boot NAME:CPU` uses the module NAME of this package.  A new emulator is one new module with

    OFFERS          word -> the values of this machine word (runner.machine) that it can do
    BOOT_SECONDS    how long firmware and boot loader may stay silent
    version()       the emulator's version, for deviations that come and go with it
    prepare(cpu, machine)           returns nothing; raises Unavailable where the target cannot be
                                    had on this host, Problem where the CPU's name is wrong
    command(cpu, machine, handover) returns the emulator's argument vector; files, disks and the
                                    serial line are open descriptors (runner.handover)

and, where the emulator deviates from the specification, deviations/NAME.csv.
The emulator must end by itself when the guest says so, must not outlive a triple fault, and its
exit status is never looked at: a run is judged by what the guest printed.
"""

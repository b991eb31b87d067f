# SPDX-License-Identifier: MIT
"""Finds the module of a target."""
import importlib
import pkgutil
import re

import targets
from runner import machine as machines
from runner.problems import Problem

ANY = "best"        # the target that picks one


def emulators():
    """The names before the colon: one module each."""
    return sorted(module.name for module in pkgutil.iter_modules(targets.__path__))


def emulator(name):
    return importlib.import_module(f"targets.{name}")


def find(target, machine):
    """The module of EMULATOR:CPU and the CPU, checked and prepared.

    Raises Problem for a target that is not one or cannot do what the machine's words ask for,
    Unavailable for one that cannot be had here.
    """
    name, colon, cpu = target.partition(":")
    if name not in emulators() or not re.fullmatch(r"[\w.+,=-]+", cpu):
        known = ", ".join(f"{known}:CPU" for known in emulators())
        raise Problem(f"{target!r} is not a target; targets are {known} and {ANY}")
    module = emulator(name)
    machines.check_offers(f"{name}:", machine, module.OFFERS)
    module.prepare(cpu, machine)
    return module, cpu

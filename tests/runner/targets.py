# SPDX-License-Identifier: MIT
"""Finds the module of a target."""
import importlib
import os
import pkgutil
import re

import targets
from runner import machine as machines
from runner import layout, nearest
from runner.problems import Problem
from targets import model

ANY = "best"        # the target that picks one


def emulators():
    """Returns the names before the colon; each is a module."""
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(targets.__path__))


def emulator(name):
    return importlib.import_module(f"targets.{name.replace('-', '_')}")


def is_target(word):
    """Says whether a word is meant as a target, known or mistyped: EMULATOR:CPU, but no KEY=VALUE with a colon."""
    name, colon, _ = word.partition(":")
    return word == ANY or bool(colon) and "=" not in name


def find(target, machine):
    """Returns the module of EMULATOR:CPU and the CPU, checked and prepared.

    Raises Problem for an unknown target or one that cannot do what the machine's words ask for, and
    Unavailable for a target that is not available here.
    """
    name, colon, cpu = target.partition(":")
    if name not in emulators() or not re.fullmatch(r"[\w.+,=-]+", cpu):
        known = ", ".join(f"{known}:CPU" for known in emulators())
        meant = nearest.hint(name, [*emulators(), ANY, *layout.COMMANDS])
        raise Problem(f"{target!r} is not a target{meant}; targets are {known} and {ANY}")
    module = emulator(name)
    machines.check_offers(f"{name}:", machine, module.OFFERS)
    if os.environ.get(model.QUIRK) and not getattr(module, "HAS_MODEL", False):
        raise Problem(f"{model.QUIRK}={os.environ[model.QUIRK]} breaks the model, and {target} has none: take "
                      f"model:CPU, or unset {model.QUIRK}")
    module.prepare(cpu, machine)
    return module, cpu

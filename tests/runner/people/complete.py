# SPDX-License-Identifier: MIT
"""What the last word of a command line of tests/boot may become, for the shell (tests/completion.bash).

A candidate that ends with `:`, `=`, `.` or a comma is not finished: more of the same word is to follow.
"""
import re

from runner import layout, machine, nearest, problems, targets
from runner.turns import asked
from targets import bochs

TAKES_VALUE = re.compile(r'^\t\{ \.name = "(\w+)", \.value = ', re.M)
GLOBS = ("only", "skip")
STEP = re.compile(r"[a-z0-9_]*\.?")                  # of an id, up to the next dot


def main(words):
    """Prints the candidates, one a line; without any, nothing. Whatever is wrong is not this program's to say."""
    *before, begun = words or [""]
    for each in candidates(before, begun):
        print(each)
    return problems.PASSED


def candidates(before, begun):
    """Returns what this beginning of a word may become after these words, sorted."""
    if before[:1] and before[0] in subcommands():
        before = before[1:]
    chosen = [word for word in before if targets.is_target(word)]
    found = [] if len(chosen) < len(before) else targets_like(begun)
    if chosen:
        found += words_like(begun, targets.emulator(chosen[0].partition(":")[0]) if chosen[0] != targets.ANY else None)
    else:
        found += [*asked.OPTIONS, *(() if before else subcommands())]
    return sorted(each for each in set(found) if each.startswith(begun))


def subcommands():
    return ("monitor", "learn", "report") if layout.IS_INSTALLED else ()


def targets_like(begun):
    """Returns emulators, or, after the colon, the processors of one."""
    name, colon, _ = begun.partition(":")
    if not colon:
        return [targets.ANY, *(f"{each}:" for each in targets.emulators())]
    return [f"{name}:{cpu}" for cpu in processors(name)] if name in targets.emulators() else []


def processors(name):
    """Returns the names that an emulator knows; none if it is not here."""
    if name not in ("qemu", "kvm"):
        return bochs.MODELS
    try:
        return ["host", *targets.emulator(name).qemu.cpu_names()] if name == "kvm" else targets.emulator(name).cpu_names()
    except problems.Problem:
        return []


def words_like(begun, module):
    """Returns words of the machine that the target offers, and the kernel's; after `=` the word's values."""
    key, equals, value = begun.partition("=")
    offers = {"smp": (), "mem": (), "timeout": (), "bits": ("32", "64"), **getattr(module, "OFFERS", {})}
    if equals:
        *first, last = value.split(",")
        start = f"{key}={''.join(f'{each},' for each in first)}"
        values = patterns(last) if key in GLOBS else values_of(offers.get(key, ()))
        return [f"{start}{each}" for each in values] if not first or key in (*GLOBS, "like") else []
    takes = TAKES_VALUE.findall(nearest.read("kernel/run/cmdline.c"))
    kernel = [f"{word}=" if word in takes else word for word in nearest.kernel_words()]
    return [*(f"{each}=" for each in offers if each in machine.WORDS), *kernel]


def values_of(offer):
    return [] if isinstance(offer, range) else [str(each) for each in offer]


def patterns(begun):
    """Returns beginnings of ids up to the next dot, and ids; after a dot also all that begin so."""
    ids = [each for each in nearest.ID.findall(nearest.read("tests/ids.csv")) if each.startswith(begun)]
    steps = {begun + STEP.match(each[len(begun):])[0] for each in ids}
    return [*steps, *([f"{begun}*"] if begun.endswith(".") and ids else [])]

# SPDX-License-Identifier: MIT
"""The model's mutants, and a copy of the model with some of them, as a module for bochs-build."""
import fnmatch
import shutil

from runner import layout
from runner.mutants import mutate
from targets import bochs, model

MODULE = model.MUTANTS[1]
RUNTIME = layout.ROOT / "tests" / "mutation"
# Tables are data, and many quirks are wrong rows of them; no test may depend on the code for the word seed=. The
# example is an emulator.
LEFT_OUT = ("rules_*.c", "caches_scramble.c", "toy.c")


def sources():
    """Returns the model's files, and its headers, whose functions are changed, by name."""
    names = [layout.shown(path) for path in sorted((layout.ROOT / "model").glob("*/*.c"))
             if not any(fnmatch.fnmatchcase(path.name, glob) for glob in LEFT_OUT)]
    return dict(sorted(mutate.find(names, layout.ROOT).items()))


def build(changed, mutants):
    """Makes the emulator in which these mutants are, numbered from 1 on."""
    numbers = {mutant: number for number, mutant in enumerate(mutants, 1)}
    shutil.rmtree(MODULE, ignore_errors=True)
    shutil.copytree(layout.ROOT / "model" / "bochs", MODULE)
    shutil.copytree(layout.ROOT / "arch" / "regs", MODULE / "arch" / "regs")
    shutil.copytree(layout.ROOT / "model", MODULE / "model",
                    ignore=shutil.ignore_patterns("bochs"))
    for name in {mutant.file for mutant in mutants}:
        text = changed[name].with_all(numbers)
        (MODULE / name).write_text(f"#include <model/mutation/mutant.h>\n{text}", encoding="ascii")
    (MODULE / "model" / "mutation").mkdir()
    for path in RUNTIME.glob("*.[ch]"):
        text = path.read_text(encoding="ascii").replace("MUTANTS", str(len(mutants)))
        (MODULE / "model" / "mutation" / path.name).write_text(text, encoding="ascii")
    bochs.share(model.MUTANTS)

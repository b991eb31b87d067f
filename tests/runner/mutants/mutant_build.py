# SPDX-License-Identifier: MIT
"""The model's mutants, and a copy of the model with some of them, as a module for bochs-build."""
import fnmatch
import shutil

from runner import layout
from runner.mutants import mutate, mutate_tables
from targets import bochs, model

MODULE = model.MUTANTS[1]
RUNTIME = layout.ROOT / "tests" / "mutation"
# No test may depend on the code for the word seed=, and no guest sees a snapshot. The examples are emulators, and
# QEMU's glue is of another one.
LEFT_OUT = ("*/caches_scramble.c", "*/saved_fields.c", "model/example/*", "model/qemu/*")


def sources():
    """Returns the model's files, and its headers, whose functions are changed, by name."""
    names = [layout.shown(path) for path in sorted((layout.ROOT / "model").glob("*/*.c"))]
    names = [name for name in names if not any(fnmatch.fnmatchcase(name, glob) for glob in LEFT_OUT)]
    return dict(sorted(mutate.find(names, layout.ROOT).items()))


def write(changed, mutants):
    """Writes the module in which these mutants are, numbered from 1 on. Returns the number whose reach each has."""
    numbers = {mutant: number for number, mutant in enumerate(mutants, 1)}
    marks = {folder: number for number, folder in
             enumerate(sorted({folder_of(mutant.file) for mutant in mutants if is_of_table(mutant)}), len(mutants) + 1)}
    shutil.rmtree(MODULE, ignore_errors=True)
    shutil.copytree(layout.ROOT / "model" / "bochs", MODULE)
    shutil.copytree(layout.ROOT / "arch" / "regs", MODULE / "arch" / "regs")
    shutil.copytree(layout.ROOT / "model", MODULE / "model",
                    ignore=shutil.ignore_patterns("bochs", "qemu"))
    write_changed(MODULE, changed, lambda source: text_with(source, numbers, marks.get(folder_of(source.name))))
    write_runtime(MODULE, len(mutants) + len(marks))
    return [marks.get(folder_of(mutant.file), number) if is_of_table(mutant) else number
            for mutant, number in numbers.items()]


def build():
    """Makes the emulator of the module that write() left."""
    bochs.share(model.MUTANTS)


def write_changed(root, changed, text_of):
    """Writes the sources that differ with their mutants into a copy of the checkout."""
    for name, source in changed.items():
        text = text_of(source)
        if text != source.text:
            (root / name).write_text(f"#include <model/mutation/mutant.h>\n{text}", encoding="ascii")


def write_runtime(root, count):
    """Puts what chooses one of so many mutants beside the model."""
    (root / "model" / "mutation").mkdir()
    for path in RUNTIME.glob("*.[ch]"):
        text = path.read_text(encoding="ascii").replace("MUTANTS", str(count))
        (root / "model" / "mutation" / path.name).write_text(text, encoding="ascii")


def is_of_table(mutant):
    return isinstance(mutant.edit, mutate_tables.Cell)


def folder_of(name):
    return name.rpartition("/")[0]


def text_with(source, numbers, mark):
    """Returns a source's text with its mutants: those of functions, or those of tables and the folder's mark."""
    if not mark:
        return source.with_all(numbers)
    cells = [(number, mutant) for mutant, number in numbers.items() if mutant.file == source.name]
    return mutate_tables.with_all(mutate_tables.with_marks(source, mark), cells)

# SPDX-License-Identifier: MIT
"""Mutants of files of the kernel: no boot, but the unit tests that link them, with registers made up."""
import re
import shutil

from runner import layout
from runner.mutants import mutant_build, mutant_units, mutate
from runner.problems import Problem

LINK = re.compile(r"/\* LINK:(.*)\*/")


def sources(files):
    """Returns these files by name."""
    for name in files:
        if not (layout.ROOT / name).is_file() or not programs([name]):
            raise Problem(f"{name} is no source that a program of tests/unit links by its name")
    found = mutate.find(files, layout.ROOT)
    return {name: found[name] for name in sorted(files) if name in found}


def programs(files):
    """Returns the names of the unit tests that link one of these files."""
    tests = {path.stem: " ".join(LINK.findall(path.read_text(encoding="utf-8"))).split()
             for path in (layout.ROOT / "tests" / "unit").rglob("test_*.c")}
    return sorted(name for name, linked in tests.items() if set(linked) & set(files))


def build(changed, mutants):
    """Makes the programs with these mutants, numbered from 1 on."""
    numbers = {mutant: number for number, mutant in enumerate(mutants, 1)}
    tops = {name.partition("/")[0] for name in changed}
    mutant_units.plant({"model", *tops})
    (mutant_units.TREE / "model").mkdir()
    for path in (layout.ROOT / "model").iterdir():
        (mutant_units.TREE / "model" / path.name).symlink_to(path)
    for top in tops:
        shutil.copytree(layout.ROOT / top, mutant_units.TREE / top)
    mutant_build.write_changed(mutant_units.TREE, changed, lambda source: source.with_all(numbers))
    mutant_build.write_runtime(mutant_units.TREE, len(mutants))
    mutant_units.make(programs(changed))

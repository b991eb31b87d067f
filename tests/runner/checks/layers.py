# SPDX-License-Identifier: MIT
"""The table of folders that may use each other, and its breaches in the sources, the kernels and the model.

A file belongs to the folder of the longest row that its path begins with. It may include, and call, files of
its own folder and of the folders in its row; a name stands for all rows that begin with it. A row names only
rows above it, so there is no circle between folders; circles.py looks for those between files.

A folder has at most MOST sources of its own, and a file name means one thing: no two files share the part
before the ending, except a header with its sources beside it, and the variants in x86_32 and x86_64.
"""
import collections
import pathlib
import re
import subprocess
import sys

from runner import layout
from runner.checks import circles
from runner.problems import FAILED, PASSED

MOST = 32
C = "arch kernel pmu"            # for every user of the PMU
MODEL = "arch/regs model/state model/refpmu.h"        # for all of the model
SHARED = "model/cache model/core model/guests model/sampling model/units model/steps"    # for all its generations
LAYERS = {
    "arch/regs": "",
    "arch/cpu": "arch/regs",
    "arch/clock": "arch",
    "arch/modes": "arch",
    "arch/interrupts": "arch",
    "arch/smp": "arch",
    "arch/guests": "arch",
    "arch/vmx": "arch",
    "arch/svm": "arch",
    "kernel/lib": "arch/regs",
    "kernel/loader": "arch kernel/lib",
    "kernel/console": "arch kernel/lib kernel/loader",
    "kernel/input": "arch kernel/lib kernel/console",
    "kernel/machine": "arch kernel/lib kernel/loader kernel/console",
    "kernel/log": "arch kernel/lib kernel/console kernel/machine",
    "kernel/face": "arch kernel/lib kernel/console kernel/machine kernel/log",
    "kernel/end": "arch kernel/lib kernel/console kernel/input kernel/machine kernel/log kernel/face",
    "kernel/run": "arch kernel",
    "boot": "arch kernel/run",
    "pmu/workload": "arch kernel",
    "pmu/core": "arch kernel pmu/workload",
    "pmu/events": "arch kernel pmu/workload pmu/core",
    "pmu/drivers": "arch kernel pmu/workload pmu/core pmu/events",
    "pmu/sampling": "arch kernel pmu/workload pmu/core pmu/events",
    "pmu/review": "arch kernel pmu/workload pmu/core pmu/events pmu/drivers pmu/sampling",
    "pmu": C,
    "monitor/tools": C,
    "monitor/registers": f"{C} monitor/tools",
    "monitor/prompt": f"{C} monitor/tools monitor/registers",
    "monitor/commands": f"{C} monitor",
    "tests/suites/common": C,
    **{f"tests/suites/{family}": f"{C} tests/suites/common" for family in (
        "platform rdpmc pmu amd ibs arch intel p5 p6 netburst pebs lbr sampling presets summary smm errata vmx svm broken").split()},
    "tests/linux": "arch/regs kernel/lib",
    "tests/mutation": "",
    "tests/bench": "",
    "tests/targets": "",
    "model": "",
    "model/example": "",
    "model/state": "arch/regs model/refpmu.h",
    "model/cache": MODEL,
    "model/core": f"{MODEL} model/cache",
    "model/sampling": f"{MODEL} model/core",
    "model/guests": f"{MODEL} model/core",
    "model/units": f"{MODEL} model/core",
    "model/steps": f"{MODEL} model/cache model/core model/units",
    **{f"model/{generation}": f"{MODEL} {SHARED}" for generation in "amd arch p5_p6 netburst".split()},
    "model/saving": f"{MODEL} {SHARED}",
    "model/machine": f"{MODEL} {SHARED} model/refpmu_kinds.h",
    "model/machine/generations.c": f"{MODEL} {SHARED} model/amd model/arch model/p5_p6 model/netburst",
    "model/kinds": "model/refpmu.h model/refpmu_kinds.h",
    "model/bochs": "model/refpmu.h model/refpmu_kinds.h",
    "model/qemu": "model/refpmu.h model/refpmu_kinds.h",
    "tests/generate": "arch kernel pmu model tests/suites",
    "tests/unit": "arch kernel pmu monitor model tests/linux",
}
SOURCES = (".c", ".h", ".cc", ".asm", ".inc")
SCRIPTS = (".py", ".t")          # these are counted only
TOPS = tuple(dict.fromkeys(row.split("/")[0] for row in LAYERS))
INCLUDE = re.compile(rf"""^[ \t]*[#%][ \t]*include[ \t]+[<"]((?:{"|".join(TOPS)})/[^>"]+)[>"]""", re.M)
WIDTHS = ("x86_32", "x86_64")


def is_within(path, folder):
    """Says whether a path is this folder's, or this file."""
    return path == folder or path.startswith(f"{folder}/")


def row_of(path):
    """Returns the row that a file belongs to; None if no row names its folder."""
    return max((row for row in LAYERS if is_within(path, row)), key=len, default=None)


def may_use(user, used):
    """Says whether a file of row `user` may use the file `used`, or all of the row `used`."""
    allowed = [user, *LAYERS[user].split()]
    return any(is_within(used, name) for name in allowed)


def check_table():
    """Yields each name in a row that no row above it has."""
    above = []
    for row, names in LAYERS.items():
        for name in names.split():
            if not any(is_within(name, known) or is_within(known, name) for known in above):
                yield f"runner/checks/layers.py: {row} names {name}, which no row above it has"
        above.append(row)


def check_includes(sources):
    """Yields each include that the table does not allow; sources: text by path."""
    for path, text in sources.items():
        row = row_of(path)
        for found in INCLUDE.finditer(text if path.endswith(SOURCES) else ""):
            if not may_use(row, found[1]):
                line = text.count("\n", 0, found.start()) + 1
                yield f"{path}:{line}: {row} must not include {found[1]}"


def includes(sources):
    """Returns the files that each of these includes; sources: text by path."""
    return {path: INCLUDE.findall(text) for path, text in sources.items() if path.endswith(SOURCES)}


def check_folders(paths):
    """Yields each folder with too many sources of its own, and each with C or assembly but no row."""
    paths = [pathlib.PurePath(path) for path in paths]
    for folder, size in sorted(collections.Counter(path.parent for path in paths).items()):
        if size > MOST:
            yield f"{folder}: {size} sources, at most {MOST}: make folders in it"
    for folder in sorted({path.parent for path in paths if path.suffix in SOURCES}):
        if not row_of(f"{folder}/"):
            yield f"{folder}: which folders may it use? Give it a row in tests/runner/checks/layers.py"


def check_names(paths):
    """Yields each file name that means two things."""
    places = collections.defaultdict(set)
    for path in map(pathlib.PurePath, paths):
        if path.suffix in SOURCES and path.parent.name not in WIDTHS:
            places[path.stem].add(str(path.parent))
    for stem, folders in sorted(places.items()):
        if len(folders) > 1:
            yield f"{stem}: a file name means one thing, and this one is in {' and '.join(sorted(folders))}"


def symbols(folder):
    """Returns what the objects under a build's folder define, symbol to source, and what they use."""
    defined, used = {}, collections.defaultdict(set)
    objects = [layout.ROOT / name for name in (folder / "objects").read_text().split()]
    said = subprocess.run(["nm", "-A", *objects], text=True, check=True, capture_output=True).stdout
    for line in said.splitlines():
        place, rest = line.split(":", 1)
        source = pathlib.PurePath(place).relative_to(folder).with_suffix("").as_posix()
        source += "" if source.endswith(".asm") else ".c"
        *_, kind, name = rest.split()
        if kind == "U":
            used[name].add(source)
        elif kind.isupper():
            defined[name] = source
    return defined, used


def check_calls(defined, used):
    """Yields each use of another folder's function or variable that the table does not allow."""
    for name, users in sorted(used.items()):
        for user in sorted(users):
            if name in defined and not may_use(row_of(user), defined[name]):
                yield f"{user}: {row_of(user)} must not use {name}, which is in {defined[name]}"


def breaches(sources, builds):
    """Returns a line for each thing that is wrong; sources: text by path, builds: folders of objects."""
    found = [*check_table(), *check_folders(sources), *check_names(sources)]
    if not found:
        found += check_includes(sources)
        found += circles.check_includes(includes(sources))
        built = [symbols(build) for build in builds]
        for build in built:
            found += check_calls(*build)
        found += circles.check_calls(circles.calls(*build) for build in built) if built else ()
    return list(dict.fromkeys(found))


def read():
    """Returns the text of each source of the checkout, by its path."""
    paths = (path for top in TOPS for path in sorted((layout.ROOT / top).rglob("*")))
    return {path.relative_to(layout.ROOT).as_posix(): path.read_text(encoding="utf-8")
            for path in paths if path.suffix in SOURCES + SCRIPTS}


def main(builds):
    """Prints every breach; the status says if there was one."""
    found = breaches(read(), [pathlib.Path(build).resolve() for build in builds])
    print("".join(f"{line}\n" for line in found), end="")
    return FAILED if found else PASSED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

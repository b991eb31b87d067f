# SPDX-License-Identifier: MIT
"""Snapshots of the model forget nothing: each member of its state's structs has a row in model/saving.

A row is SAVED, SAVED_TO or SAVED_PART, with its members' type, or NOT_SAVED with a reason. A struct that is
saved as a part has rows itself.
"""
import re
import sys

from runner import layout
from runner.problems import FAILED, PASSED

HEADERS = ("model/refpmu.h", *(f"model/state/{name}.h" for name in (
    "caches", "netburst_state", "state")))
FIRST = ("refpmu_machine", "refpmu_package", "refpmu_core", "refpmu_cpu")       # what handles are
COMMENT = re.compile(r"/\*.*?\*/", re.S)
STRUCT = re.compile(r"^struct (\w+) \{(.*?)(?:^| )\};", re.M | re.S)
WITHOUT_NAME = re.compile(r"^\t\tstruct \{.*?^\t\t\};", re.M | re.S)      # another view of the same union
UNION = re.compile(r"^\tunion \{\n(.*?)^\t\};", re.M | re.S)
MEMBER = re.compile(r"(?:const )?((?:struct )?\w+) ([^;]+);")
ROW = re.compile(r"^[ \t]*(SAVED|SAVED_TO|SAVED_PART|NOT_SAVED)\((\w+),\s*(.+?)\)+$", re.M | re.S)
WORD = re.compile(r'"[^"]*"|[^,"\s][^,"]*')
IN_REASONS = re.compile(r'^"[^"]+"$|^[A-Z_]+$')


def members(text):
    """Returns, by struct, (name, type) of each member; a pointer's type ends with *."""
    text = WITHOUT_NAME.sub("", COMMENT.sub("", text))
    text = UNION.sub(r"\1", text)
    found = {}
    for name, body in STRUCT.findall(text):
        found[name] = []
        for kind, listed in MEMBER.findall(body):
            for declared in listed.split(","):
                member = re.search(r"\w+", declared)[0]
                found[name].append((member, kind + "*" * declared.count("*")))
    return found


def rows(text):
    """Returns, by struct, (kind of row, member, third cell) of each member that its rows list."""
    found = {}
    for kind, struct, listed in ROW.findall(COMMENT.sub("", text)):
        said, *rest = WORD.findall(listed)
        names = rest[1:] if kind == "SAVED_TO" else rest        # the first one is the largest value
        found.setdefault(struct, []).extend((kind, member, said) for member in names)
    return found


def wrong_with(struct, member, declared, row):
    """Returns a sentence on what is wrong with a member's row, or None."""
    kind, _, said = row
    what = f"struct {struct}: {member}"
    if kind == "NOT_SAVED":
        return None if IN_REASONS.match(said) else f"{what} is not saved, and no reason is given"
    if declared.endswith("*"):
        return f"{what} is a pointer: it cannot be saved"
    wanted = f"struct {said}" if kind == "SAVED_PART" else said
    if declared != wanted:
        return f"{what} is saved as {wanted}, and is {declared}"
    return None


def check_struct(struct, declared, given):
    """Yields what is wrong with the rows of one struct."""
    by_name = {row[1]: row for row in given}
    for member, kind in declared:
        if member not in by_name:
            yield f"struct {struct}: {member} has no row: write SAVED, or NOT_SAVED with a reason"
        elif wrong := wrong_with(struct, member, kind, by_name[member]):
            yield wrong
    names = [member for member, _ in declared]
    for _, member, _ in given:
        if member not in names:
            yield f"struct {struct}: a row names {member}, which is no member"
    if len(given) != len(by_name):
        yield f"struct {struct}: a member has two rows"


def breaches(declared, given):
    """Returns a line for each thing that is wrong; both by struct, as members() and rows() return."""
    found = []
    parts = [said for listed in given.values() for kind, _, said in listed if kind == "SAVED_PART"]
    for struct in dict.fromkeys([*FIRST, *parts, *given]):
        if struct not in declared:
            found.append(f"struct {struct}: there is no such struct in {', '.join(HEADERS)}")
        else:
            found += check_struct(struct, declared[struct], given.get(struct, []))
    return [f"model/saving: {line}" for line in found]


def main():
    """Prints every breach; the status says if there was one."""
    declared = members("\n".join((layout.ROOT / name).read_text(encoding="ascii") for name in HEADERS))
    sources = sorted((layout.ROOT / "model" / "saving").glob("*.c"))
    found = breaches(declared, rows("\n".join(path.read_text(encoding="ascii") for path in sources)))
    print("".join(f"{line}\n" for line in found), end="")
    return FAILED if found else PASSED


if __name__ == "__main__":
    sys.exit(main())

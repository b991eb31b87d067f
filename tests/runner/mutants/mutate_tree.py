# SPDX-License-Identifier: MIT
"""clang's tree of a C source, and questions about its nodes."""
import json
import subprocess

from runner.problems import Problem, Unavailable

CLANG = ["clang", "-fsyntax-only", "-std=c11", "-ffreestanding", "-w", "-Xclang", "-ast-dump=json"]
SEEN_THROUGH = {"ParenExpr", "ImplicitCastExpr"}


def parse(path, root):
    """Returns clang's tree of a file, in which each place has its file."""
    try:
        done = subprocess.run([*CLANG, "-I.", str(path)], cwd=root, capture_output=True,
                              check=False)
    except FileNotFoundError:
        raise Unavailable("clang is missing, which finds the places to change") from None
    if done.returncode:
        raise Problem(f"clang cannot read {path}: {done.stderr.decode().strip().splitlines()[0]}")
    tree = json.loads(done.stdout)
    name_files(tree, [""])
    return tree


def name_files(node, current):
    """Names the file of each place, because clang names it only where it changes."""
    if "offset" in node:
        current[0] = node.setdefault("file", current[0])
        return
    for value in node.values():
        if isinstance(value, dict):
            name_files(value, current)
        elif isinstance(value, list):
            for child in value:
                if isinstance(child, dict):
                    name_files(child, current)


def place_of(node):
    return node["loc"].get("expansionLoc", node["loc"])


def set_name(node, name):
    """Sets a file's name without the ./ that -I. gives to headers."""
    if isinstance(node, dict):
        if node.get("file", "").removeprefix("./") == name:
            node["file"] = name
        for value in node.values():
            set_name(value, name)
    elif isinstance(node, list):
        for child in node:
            set_name(child, name)


def is_inside_macro(node):
    """Says whether all of it is in the text of one macro."""
    begin, end = node["range"]["begin"], node["range"]["end"]
    return all("spellingLoc" in place and "isMacroArgExpansion" not in place["expansionLoc"]
               for place in (begin, end)) and \
        begin["expansionLoc"]["offset"] == end["expansionLoc"]["offset"] and \
        literal(node) is None


def has_pointers(node):
    """Operators are not those of numbers."""
    return any("*" in child["type"]["qualType"] for child in (node, *node["inner"]))


def literal(node):
    """Its value, None for another expression."""
    while node.get("kind") in SEEN_THROUGH:
        node = node["inner"][0]
    return node.get("value") if node.get("kind") == "IntegerLiteral" else None

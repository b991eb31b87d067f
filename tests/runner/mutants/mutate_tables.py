# SPDX-License-Identifier: MIT
"""Mutants of C tables: each number of each row, one more, or without its lowest bit.

A constructor at the end of the file changes the chosen number before the program starts, so the file loses the word
`const`. No test can say that it reads a number of a table: the functions of the table's folder stand for that, and
the first thing that each of them does is to mark that folder's number.
"""
import dataclasses
import re

from runner.mutants.mutate_tree import place_of

# No manual gives these numbers, and no test may depend on them.
INVENTED = ("struct cache_invented",)
CHANGES = ("{0} + 1", "{0} & ({0} - 1)", "!{0}")    # the last one of a bool
BOOL = ("bool", "_Bool")
NUMBERS = ("int", "short", "char", "long", "enum")
CONSTRUCTOR = """
__attribute__((constructor)) static void change_tables(void)
{{
{changes}
}}
"""


@dataclasses.dataclass(frozen=True, eq=False)
class Cell:
    """A number of a table, in the place of an Edit."""

    begin: int                  # of its text, or of the macro that has it
    path: str                   # C's name of it: rows[3].counters.width
    changes: tuple              # expressions

    @property
    def table(self):
        return re.match(r"\w+", self.path)[0]

    def without_table(self, change):
        """Returns an expression without the table's name, and without the row's number if that has fields."""
        return re.sub(rf"\b{self.table}(\[\d+\](?=[.\[]))?", "", change)


class Tables:
    """Finds the cells of one file's tables in clang's tree of it."""

    def __init__(self, tree, name):
        self.name = name
        self.fields = {node["name"]: [field for field in node["inner"] if field["kind"] == "FieldDecl"]
                       for node in tree["inner"]
                       if node["kind"] == "RecordDecl" and node.get("name") and "inner" in node}

    def cells(self, node):
        """Yields the cells of a variable at file scope, if it is a table."""
        if node["kind"] == "VarDecl" and place_of(node).get("file", "").removeprefix("./") == self.name:
            for value in node.get("inner", ()):
                yield from self.look(value, node["name"])

    def look(self, node, path):
        kind = node["kind"]
        if kind == "InitListExpr" and written(node) not in INVENTED:
            for name, child in self.children(node):
                yield from self.look(child, path + name)
        elif kind not in ("InitListExpr", "ImplicitValueInitExpr"):
            changes = changes_of(node["type"])
            if changes and "range" in node:
                begin = node["range"]["begin"]
                yield Cell(begin.get("expansionLoc", begin)["offset"], path, tuple(c.format(path) for c in changes))

    def children(self, node):
        """Returns (what C appends to the name, value) for each value in braces; nothing of a struct without a name."""
        # Where an array has more elements than values, clang lists first what the others get.
        values = node.get("inner") or node.get("array_filler", [])[1:]
        if written(node).endswith("]"):
            return [(f"[{i}]", value) for i, value in enumerate(values)]
        if "field" in node:             # of a union
            return [(f".{node['field']['name']}", value) for value in values]
        fields = self.fields.get(written(node).removeprefix("struct "), ())
        return [(f".{field['name']}", value) for field, value in zip(fields, values) if field.get("name")]


def written(node):
    """Returns a node's type as C has it, without const."""
    return node["type"]["qualType"].removeprefix("const ")


def changes_of(kind):
    """Returns the forms of changes of a type, none if it is not a number's."""
    text = kind.get("desugaredQualType", kind["qualType"]).removeprefix("const ")
    if text in BOOL:
        return CHANGES[2:]
    is_number = "*" not in text and "(" not in text and "[" not in text and any(word in text for word in NUMBERS)
    return CHANGES[:2] if is_number else ()


def with_all(text, mutants):
    """Returns a file's text with a function that changes the chosen one of these (number, mutant).

    A mutant whose number stays what it was, because it has no bit to lose, is never reached. What adds one always is,
    so it comes after that: nobody sees a number that was changed.
    """
    lines = [f"\tif ({mutant.edit.path} != (__typeof__({mutant.edit.path}))({mutant.other}) && MUTANT({number}))\n"
             f"\t\t{mutant.edit.path} = {mutant.other};" for number, mutant in reversed(list(mutants))]
    return f"#define const\n{text}{CONSTRUCTOR.format(changes=chr(10).join(lines))}" if lines else text


def with_marks(source, number):
    """Returns a file's text whose functions first mark this number, but those that a macro makes."""
    text = source.text
    for begin, end, _ in sorted(source.functions, reverse=True):
        at = text.find("{", begin, end) + 1
        if at:
            text = f"{text[:at]} (void)MUTANT({number});{text[at:]}"
    return text

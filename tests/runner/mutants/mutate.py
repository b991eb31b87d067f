# SPDX-License-Identifier: MIT
"""Mutants of C sources: finds every place where an operator, constant, condition or statement can change.

All mutants of a file are in one copy of it, `(MUTANT(7) ? (a - b) : (a + b))`; a number at its start
chooses one. clang names the places, so that nothing is changed in comments, in constant expressions and
in the expansions of macros.
"""
import dataclasses
import pathlib
import re

from runner.mutants.mutate_tables import Tables
from runner.mutants.mutate_tree import (SEEN_THROUGH, has_pointers, is_inside_macro, literal, parse,
                                place_of, set_name)

SWAPS = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
    "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",),
    "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "%": ("*",),
    "<<": (">>",), ">>": ("<<",), "&": ("|",), "|": ("&",), "^": ("|",),
    "+=": ("-=",), "-=": ("+=",), "*=": ("=",), "/=": ("=",), "|=": ("=", "&="), "&=": ("=", "|="),
    "^=": ("=", "|="), "<<=": (">>=",), ">>=": ("<<=",),
}
ALONE = {"++": "--", "--": "++", "!": "!!", "~": "", "-": ""}     # operators of one operand
RELATIONS = {"<", "<=", ">", ">=", "==", "!=", "&&", "||"}
INTEGERS = re.compile(r"(?:const )?(?:unsigned|int|u?int\d+_t|size_t|enum \w+)\b[^*]*$")
LITERAL = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)$")
# These have values that the compiler needs, or no values.
CONSTANT = {"ConstantExpr", "UnaryExprOrTypeTraitExpr", "OffsetOfExpr", "StaticAssertDecl",
            "EnumDecl", "RecordDecl"}
ACTIONS = {"CallExpr", "CompoundAssignOperator"}


@dataclasses.dataclass
class Edit:
    """One of several texts replaces the text from begin to end."""

    begin: int
    end: int
    others: list
    is_statement: bool = False
    is_condition: bool = False  # the expression may be a pointer

    def changed(self, other):
        return "(void)0" if self.is_statement else f"({other})"

    def choice(self, others, inner):
        """Returns the expression that is one of the others, (number, text), or what is inside."""
        inside = f"{'(void)' * self.is_statement}{'!!' * self.is_condition}({inner})"
        changed = (f"MUTANT({number}) ? {self.changed(other)} : " for number, other in others)
        return f"({''.join(changed)}{inside})"


@dataclasses.dataclass(frozen=True, eq=False)
class Mutant:
    file: str
    line: int
    function: str
    text: str                   # of the line, without blanks around
    change: str                 # BEFORE -> AFTER, an expression; #2: the second such one there
    edit: object                # Edit, or mutate_tables.Cell
    other: str

    @property
    def key(self):
        """The mutant's key, which stays the same after edits elsewhere."""
        return self.file, self.function, self.text, self.change

    @property
    def place(self):
        return f"{self.file}:{self.line}"


class Source:
    """One file: its text, and the edits that its functions take."""

    def __init__(self, name, root):
        self.name = name
        self.text = (pathlib.Path(root) / name).read_text(encoding="ascii")
        self.edits = []
        self.cells = []
        self.functions = []     # (begin, end, name) of those that were looked at

    def add_function(self, node):
        """Adds a function once, although many files include a header; does not add one that is a macro."""
        span = self.span(node)
        if span and (*span, node["name"]) not in self.functions:
            self.functions.append((*span, node["name"]))
            Finder(self, node).look()

    # ------------------------------------------------------------------------ places

    def place(self, location, is_end):
        """Returns a node's offset in the text, or None if it is not there; a macro's place is its use."""
        spelled = location.get("spellingLoc")
        if not spelled:
            shown = location
        elif location["expansionLoc"].get("isMacroArgExpansion"):
            shown = spelled
        else:
            shown = location["expansionLoc"]
        if shown.get("file") != self.name or self.is_directive(shown["offset"]):
            return None
        end = shown["offset"] + (shown["tokLen"] if is_end else 0)
        is_macro = spelled and shown is not spelled
        return self.after_arguments(end) if is_end and is_macro else end

    def is_directive(self, offset):
        """Says whether a place is in the text of a #define."""
        start = self.text.rfind("\n", 0, offset) + 1
        while self.text[:start].endswith("\\\n"):
            start = self.text.rfind("\n", 0, start - 2) + 1
        return self.text.startswith("#", start)

    def after_arguments(self, offset):
        """Returns the place after a macro's arguments, if it has any."""
        if not self.text.startswith("(", offset):
            return offset
        depth = 0
        for at in range(offset, len(self.text)):
            depth += {"(": 1, ")": -1}.get(self.text[at], 0)
            if depth == 0:
                return at + 1
        return offset

    def span(self, node):
        """Returns (begin, end) of a node's text, or None."""
        if "spellingLoc" in node["range"]["begin"] and node["kind"] == "FunctionDecl":
            return None
        begin = self.place(node["range"]["begin"], False)
        end = self.place(node["range"]["end"], True)
        return (begin, end) if begin is not None and end is not None and self.is_whole(begin, end) else None

    def is_whole(self, begin, end):
        """Says whether brackets match there, and no comma is between: what a macro makes of two arguments is not."""
        depth = 0
        for character in self.text[begin:end]:
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
            if depth < 0 or depth == 0 and character == ",":
                return False
        return depth == 0 and begin < end

    # ------------------------------------------------------------------------ results

    def mutants(self):
        """Returns all, in the order of the text."""
        seen = {}
        self.edits.sort(key=lambda edit: (edit.begin, -edit.end))
        return [self.describe(edit, other, seen) for edit in self.edits for other in edit.others]

    def table_mutants(self):
        """Returns those of its tables, in the order of the text."""
        seen = {}
        return [self.number(cell, change, cell.table, cell.without_table(change), seen)
                for cell in sorted(self.cells, key=lambda cell: cell.begin) for change in cell.changes]

    def describe(self, edit, other, seen):
        change = f"{plain(self.text[edit.begin:edit.end])} -> {plain(other) or 'nothing'}"
        function = next(name for begin, end, name in self.functions if begin <= edit.begin < end)
        return self.number(edit, other, function, change, seen)

    def number(self, edit, other, function, change, seen):
        """Returns the mutant; the second one of a key gets a number."""
        line = self.text.count("\n", 0, edit.begin) + 1
        key = (function, self.text.splitlines()[line - 1].strip(), change)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] > 1:
            change += f" #{seen[key]}"
        return Mutant(self.name, line, function, key[1], change, edit, other)

    def with_all(self, numbers):
        """Returns the text with these mutants in it, by their numbers."""
        edits = {}
        for mutant, number in numbers.items():
            if mutant.file == self.name:
                _, others = edits.setdefault(id(mutant.edit), (mutant.edit, []))
                others.append((number, mutant.other))
        chosen = [edits[id(edit)] for edit in self.edits if id(edit) in edits]
        return self.render(0, len(self.text), chosen)[0]

    def with_one(self, mutant):
        """Returns the text as it would be written."""
        edit = mutant.edit
        return f"{self.text[:edit.begin]}{edit.changed(mutant.other)}{self.text[edit.end:]}"

    def render(self, begin, end, edits):
        """Returns the text of this range, and the edits that begin after it."""
        parts, at = [], begin
        while edits and edits[0][0].end <= end:
            edit, others = edits[0]
            inner, edits = self.render(edit.begin, edit.end, edits[1:])
            parts += [self.text[at:edit.begin], edit.choice(others, inner)]
            at = edit.end
        return "".join([*parts, self.text[at:end]]), edits


def plain(text):
    """Returns a text in one line."""
    return " ".join(text.split())


class Finder:
    """Finds the edits of one function."""

    def __init__(self, source, function):
        self.source = source
        self.text = source.text
        self.function = function
        self.returns = function["type"]["qualType"].partition("(")[0].strip()

    def look(self):
        for child in self.function["inner"]:
            if child["kind"] == "CompoundStmt":
                self.visit(child)

    def edit(self, node, others, **kind):
        span = self.source.span(node)
        if not span or not others or is_inside_macro(node):
            return
        edit = Edit(*span, others, **kind)
        if edit not in self.source.edits:       # a macro may have its argument twice
            self.source.edits.append(edit)

    # ------------------------------------------------------------------------ nodes

    def visit(self, node, is_condition=False):
        """Visits a node; is_condition means that only zero or not zero matters."""
        kind = node.get("kind")
        if not kind or kind in CONSTANT or node.get("storageClass") == "static":
            return
        handler = getattr(self, f"visit_{kind}", None)
        if handler:
            handler(node, is_condition)
            return
        if is_condition and kind not in SEEN_THROUGH:
            self.negate(node)
        for child in node.get("inner", ()):
            self.visit(child, is_condition and kind in SEEN_THROUGH)

    def visit_all(self, nodes):
        for node in nodes:
            self.visit(node)

    def negate(self, node):
        span = self.source.span(node)
        if span:
            self.edit(node, [f"!({self.text[slice(*span)]})"], is_condition=True)

    def statement(self, node):
        """Adds a mutant that leaves this statement out."""
        is_action = node.get("kind") in ACTIONS or \
            (node.get("kind") == "BinaryOperator" and node["opcode"] == "=") or \
            (node.get("kind") == "UnaryOperator" and node["opcode"] in ("++", "--"))
        if is_action:
            self.edit(node, [""], is_statement=True)
        self.visit(node)

    def visit_CompoundStmt(self, node, _):
        for child in node.get("inner", ()):
            self.statement(child)

    def visit_IfStmt(self, node, _):
        condition, *branches = node["inner"]
        if not node.get("hasElse"):
            self.edit(condition, ["0"], is_condition=True)
        self.visit(condition, True)
        for branch in branches:
            self.statement(branch)

    def visit_WhileStmt(self, node, _):
        condition, body = node["inner"]
        self.visit(condition, True)
        self.statement(body)

    def visit_DoStmt(self, node, _):
        body, condition = node["inner"]
        self.statement(body)
        self.visit(condition, True)

    def visit_ForStmt(self, node, _):
        """Visits a loop without its step, because a loop that never ends proves nothing."""
        start, _, condition, _, body = node["inner"]
        self.visit(start)
        self.visit(condition, True)
        self.statement(body)

    def visit_CaseStmt(self, node, _):
        self.statement(node["inner"][-1])

    visit_DefaultStmt = visit_CaseStmt

    def visit_ReturnStmt(self, node, _):
        for value in node.get("inner", ()):
            if INTEGERS.match(self.returns) and literal(value) is None:
                self.edit(value, ["0"])
            self.visit(value, self.returns in ("bool", "_Bool"))

    def visit_VarDecl(self, node, _):
        for value in node.get("inner", ()):
            self.visit(value, node["type"].get("desugaredQualType", node["type"]["qualType"])
                       .removeprefix("const ") in ("bool", "_Bool"))

    def visit_ConditionalOperator(self, node, is_condition):
        condition, *values = node["inner"]
        self.visit(condition, True)
        for value in values:
            self.visit(value, is_condition)

    def visit_InitListExpr(self, node, _):
        span = self.source.span(node)
        if span and plain(self.text[slice(*span)]) != "{ 0 }":
            self.visit_all(node.get("inner", ()))

    def visit_BinaryOperator(self, node, is_condition):
        opcode = node["opcode"]
        if is_condition and opcode not in {*RELATIONS, "="}:
            self.negate(node)
        self.swap(node)
        left, right = node["inner"]
        is_logical = opcode in ("&&", "||")
        is_bool = opcode == "=" and left["type"]["qualType"] in ("bool", "_Bool")
        self.visit(left, is_logical)
        self.visit(right, is_logical or is_bool)

    def visit_CompoundAssignOperator(self, node, _):
        self.swap(node)
        self.visit_all(node["inner"])

    def swap(self, node):
        """Adds mutants with another operator between the same operands."""
        span, left, right = map(self.source.span, (node, *node["inner"]))
        if not (span and left and right and span[0] <= left[0] and left[1] < right[0] and
                right[1] <= span[1]):
            return
        between = re.sub(r"/\*.*?\*/", lambda comment: " " * len(comment[0]),
                         self.text[left[1]:right[0]], flags=re.DOTALL)
        if between.strip() != node["opcode"] or \
                (node["opcode"] not in RELATIONS and has_pointers(node)):
            return
        at = left[1] + between.index(node["opcode"])
        before, after = self.text[span[0]:at], self.text[at + len(node["opcode"]):span[1]]
        self.edit(node, [f"{before}{other}{after}" for other in SWAPS.get(node["opcode"], ())])

    def visit_UnaryOperator(self, node, _):
        span, opcode = self.source.span(node), node["opcode"]
        if span and opcode in ALONE:
            text = self.text[slice(*span)]
            self.edit(node, [text.removesuffix(opcode) + ALONE[opcode] if node["isPostfix"] else
                             text.replace(opcode, ALONE[opcode], 1)])
        self.visit_all(node["inner"])

    def visit_IntegerLiteral(self, node, _):
        span = self.source.span(node)
        text = self.text[slice(*span)] if span else ""
        if text in ("true", "false"):
            self.edit(node, ["false" if text == "true" else "true"])
        found = LITERAL.match(text)
        if found:
            value = int(found[1], 0)
            style = hex if found[1][:2] in ("0x", "0X") else str
            self.edit(node, [style(other) + found[2] for other in (value + 1, value - 1)
                             if other >= 0])


def find(paths, root):
    """Returns the sources of the functions and tables in these files, and in headers of the same program."""
    tops = {pathlib.PurePath(path).parts[0] for path in paths}
    sources = {}
    for path in paths:
        tree = parse(path, root)
        tables = Tables(tree, path)
        for node in tree["inner"]:
            if cells := [*tables.cells(node)]:
                sources.setdefault(path, Source(path, root)).cells += cells
            if node["kind"] != "FunctionDecl" or not node.get("inner"):
                continue
            name = place_of(node).get("file", "").removeprefix("./")
            if name.partition("/")[0] in tops and \
                    any(child["kind"] == "CompoundStmt" for child in node["inner"]):
                set_name(node, name)
                sources.setdefault(name, Source(name, root)).add_function(node)
    return sources

# SPDX-License-Identifier: MIT
"""Puts edits into C sources of the house's style: each edited function gets a copy for each quirk.

Texts are compared token by token, without comments and blanks. A function is found by its braces, which are
alone in column 0, and the lines before the first one.
"""
import re

from runner.problems import Problem

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|\s+|(?P<token>[A-Za-z_]\w*|\d\w*|"(?:\\.|[^"\\])*"|'
                   r"'(?:\\.|[^'\\])*'|<<=|>>=|->|\+\+|--|<<|>>|&&|\|\||[-+*/%&|^=!<>]=|.)", re.DOTALL)
BODY = re.compile(r"^\{\n.*?^\}$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"(\w+)\(")
POINTER = re.compile(r"\(\*(\w+)\)\([^)]*\)")
PARAMETER = re.compile(r"(\w+)(?:\[\w*\])?$")
ATTRIBUTE = re.compile(r"__attribute__\(\(.*?\)\)\s*")


def tokens(text):
    """Returns (token, begin, end) of each."""
    return [(found["token"], *found.span()) for found in TOKEN.finditer(text) if found["token"]]


def find(text, wanted):
    """Returns the spans (begin, end) of all places in the text with these tokens."""
    there, words = tokens(text), [token for token, *_ in tokens(wanted)]
    spelled = [token for token, *_ in there]
    return [(there[at][1], there[at + len(words) - 1][2]) for at in range(len(there) - len(words) + 1)
            if words and spelled[at:at + len(words)] == words]


class Function:
    """One function in a text: where it begins and ends, and its parts."""

    def __init__(self, text, body):
        start = text.rfind("\n\n", 0, body.start()) + 2
        head = text[start:body.start()]
        head = head[head.rfind("*/\n") + 3 if "*/\n" in head else 0:]
        self.begin, self.end = body.start() - len(head), body.end()
        self.head, self.body = head.strip(), body[0]
        self.plain = ATTRIBUTE.sub("", self.head)
        found = NAME.search(self.plain)
        self.name = found[1] if found else ""
        self.is_void = bool(re.match(r"(?:static |inline )*void \w", self.plain))

    @property
    def arguments(self):
        """The names of the function's parameters."""
        listed = self.plain[self.plain.find("(") + 1:self.plain.rfind(")")]
        listed = POINTER.sub(r"\1", listed)            # a pointer to a function: only its name stays
        return [PARAMETER.search(each.strip())[1] for each in listed.split(",") if each.strip() != "void"]

    def copy(self, name, body):
        """Returns the text of another function of its kind."""
        head = self.head.replace(f"{self.name}(", f"{name}(", 1)
        return f"{head if head.startswith('static ') else f'static {head}'}\n{body}\n"

    def call(self, name):
        call = f"{name}({', '.join(self.arguments)});"
        return f"{call} return;" if self.is_void else f"return {call}"


def functions(text):
    """Returns all functions of a source by name."""
    found = (Function(text, body) for body in BODY.finditer(text))
    return {function.name: function for function in found if function.name}


def changed(function, edits):
    """Returns the function's body with these edits, each in one place of it."""
    spans = []
    for edit in edits:
        places = find(function.body, edit.old)
        if len(places) != 1:
            what = "has no" if not places else f"has {len(places)} times"
            raise Problem(f"{edit.place}: {edit.file}, {function.name} {what}: "
                          f"{' '.join(edit.old.split())}")
        spans.append((*places[0], edit.new.strip()))
    body = function.body
    for begin, end, new in sorted(spans, reverse=True):
        body = body[:begin] + new + body[end:]
    return body


def inserted(name, body, edits):
    """Returns a body with insertions, each of which runs if its liberty is on. `edits` are (number, edit)."""
    there = tokens(body)
    spots = []
    for number, edit in edits:
        first = next(i for i, line in enumerate(edit.lines) if line[0] == "+")
        places = find(body, edit.old)
        if len(places) != 1 or any(line[0] == "-" for line in edit.lines):
            raise Problem(f"{edit.place}: {edit.file}, {name}: an insertion needs lines that are there once, and stay")
        before = len(tokens("\n".join(line[1:] for line in edit.lines[:first])))
        at = [begin for _, begin, _ in there].index(places[0][0])
        added = "\n".join(line[1:] for line in edit.lines if line[0] == "+")
        added = re.sub(r"\bVALUE\b", f"model_like_value[{number}]", added)
        spots.append((there[at + before - 1][2] if before else places[0][0],
                      f"\n\tif (model_like[{number}]) {{ model_ran[{number}]++;\n{added}\n\t}}\n"))
    for at, added in sorted(spots, reverse=True):
        body = body[:at] + added + body[at:]
    return body


def rename(text, names, number):
    """Names the functions that a quirk adds, which are its own."""
    for name in names:
        text = re.sub(rf"\b{name}\b", f"{name}__{number}", text)
    return text


class Source:
    """A file of the reference, and the edits of quirks. Numbers are those of quirks; 0 means all."""

    def __init__(self, name, text):
        self.name, self.text = name, text
        self.functions = functions(text)
        self.wanted = {}                # by function and number: edits in it
        self.added = {}                 # by function and number: texts before it
        self.free = {}                  # by function: (number of a liberty, edit), which are all in its body

    def take(self, number, edit):
        if edit.function not in self.functions:
            raise Problem(f"{edit.place}: {self.name} has no function {edit.function}, or none that stands alone")
        if edit.is_inserted:
            self.free.setdefault(edit.function, []).append((number, edit))
            return
        where = self.added if edit.is_added else self.wanted
        where.setdefault(edit.function, {}).setdefault(number, []).append(edit)

    def new_names(self, number):
        """Returns the names that this quirk adds to the file."""
        return [name for of_function in self.added.values() for edit in of_function.get(number, ())
                for name in functions(f"\n\n{edit.new}\n")]

    def edited(self, function):
        """Returns the function's text with all quirks' copies before it, one of which it may become."""
        wanted = self.wanted.get(function.name, {})
        numbers = sorted({*wanted, *self.added.get(function.name, ())})
        parts = [f"{function.head};\n"] if wanted else []
        for number in numbers:
            new = self.new_names(number)
            parts += [rename(f"{edit.new}\n", new, number)
                      for edit in self.added.get(function.name, {}).get(number, ())]
            if number in wanted:
                edits = [*wanted.get(0, ()), *(wanted[number] if number else ())]
                body = rename(changed(function, edits), new, number)
                if number == 0:
                    body = inserted(function.name, body, self.free.get(function.name, ()))
                parts.append(function.copy(f"{function.name}__{number}", body))
        return "\n".join([*parts, f"{function.head}\n{self.choice(function, wanted)}"])

    def choice(self, function, wanted):
        """Its body: first of all, which copy it is to be."""
        own = inserted(function.name, function.body, self.free.get(function.name, ()))
        if not wanted:
            return own
        cases = "".join(f"\tcase {number}: model_quirk_ran++; {function.call(f'{function.name}__{number}')}\n"
                        for number in sorted(wanted) if number)
        other = f"\tdefault: {function.call(f'{function.name}__0')}\n" if 0 in wanted else \
            "\tdefault: break;\n"
        is_changed = "model_quirk || model_is_free" if 0 in wanted else "model_quirk"
        return f"{{\n\tif ({is_changed}) switch (model_quirk) {{\n{cases}{other}\t}}\n\t{{{own[1:]}\n}}"

    def result(self):
        """Returns the file's text with all edits."""
        text = self.text
        names = {*self.wanted, *self.added, *self.free}
        for function in sorted((self.functions[name] for name in names), key=lambda each: -each.begin):
            text = text[:function.begin] + self.edited(function) + text[function.end:]
        return text


def with_own(text, struct, declarations):
    """Returns the text of a header with further fields at the end of this struct."""
    found = re.search(rf"^struct {struct} \{{\n.*?^\}};", text, re.MULTILINE | re.DOTALL)
    if not found:
        return None
    end = found.end() - 2
    return text[:end] + "".join(f"\t{each.rstrip(';')};\n" for each in declarations) + text[end:]

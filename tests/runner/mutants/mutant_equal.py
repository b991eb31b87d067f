# SPDX-License-Identifier: MIT
"""Mutants that no test can tell from the model: a list with reasons, and the compiler's word.

A reason begins with `equal: `, where nothing that a guest sees is different, or with `open: `,
where no manual says what is right: such things are reported, and not judged.

The compiler's: the same machine code, where each field of the rules that is the same on all
processors (it is there for a quirk) has its value.
"""
import csv
import functools
import re
import subprocess

from runner import layout
from runner.problems import Problem

LIST = layout.ROOT / "tests" / "mutation" / "equal.csv"
COLUMNS = ["file", "function", "text", "change", "reason"]
KINDS = ("equal", "open")
TABLES = ("arch", "legacy", "netburst")
GCC = ["gcc", "-std=c11", "-ffreestanding", "-w", "-I."]
FIELDS = re.compile(r"^\t(?:bool|u?int\d+_t) ((?:\w+, )*\w+);", re.MULTILINE)
FIXED = "((__typeof__(((struct model_rules *)0)->{}))({}))"
PROGRAM = """\
#include <model/arch/arch.h>
#include <model/netburst/netburst_shared.h>
#include <model/p5_p6/legacy.h>
#include <stdio.h>
static const struct model_rules *const tables[] = {{ {tables} }};
static unsigned long long value;
static int is_set, is_same;
#define SHOW(field) is_set = 0; is_same = 1; \\
	for (int t = 0; t < {count}; t++) for (const struct model_rules *r = tables[t]; r->name; r++) {{ \\
		is_same &= !is_set || value == (unsigned long long)r->field; is_set = 1; \\
		value = (unsigned long long)r->field; }} \\
	if (is_same) printf("%s %lluULL\\n", #field, value);
int main(void) {{ {shows} return 0; }}
"""


def listed():
    """The list: a reason by the key of each mutant."""
    with open(LIST, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    if not rows or rows[0] != COLUMNS:
        raise Problem(f"{layout.shown(LIST)}:1: the columns are {','.join(COLUMNS)}")
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(COLUMNS) or not all(row):
            raise Problem(f"{layout.shown(LIST)}:{number}: a row has {len(COLUMNS)} fields")
        if row[-1].partition(": ")[0] not in KINDS:
            raise Problem(f"{layout.shown(LIST)}:{number}: a reason begins with equal: or open:")
    return {tuple(row[:-1]): row[-1] for row in rows[1:]}


@functools.cache
def fixed_fields():
    """What every processor's rules have in common, by field, and nothing writes."""
    rules = (layout.ROOT / "model/state/rules.h").read_text(encoding="ascii")
    names = [name for found in FIELDS.findall(re.sub(r"\[\w+\]", "[]", rules))
             for name in found.split(", ")]
    written = set(re.findall(r"rules\.(\w+) [|&^+-]?= ", "".join(
        path.read_text(encoding="ascii") for path in (layout.ROOT / "model").glob("*/*.c"))))
    folder = layout.BUILD / "mutants"
    program = folder / "fields"
    text = PROGRAM.format(tables=", ".join(f"model_rules_{name}" for name in TABLES),
                          count=len(TABLES), shows=" ".join(f"SHOW({name})" for name in names))
    program.with_suffix(".c").write_text(text, encoding="ascii")
    subprocess.run([*GCC, "-Wl,--unresolved-symbols=ignore-all", "-no-pie", "-o", program,
                    program.with_suffix(".c"),
                    *(layout.ROOT / "model").glob("*/rules_*.c")], cwd=layout.ROOT, check=True)
    shown = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    fields = dict(line.split() for line in shown.splitlines())
    return {name: value for name, value in fields.items() if name not in written}


@functools.cache
def pattern():
    """A use of one of these fields."""
    names = "|".join(map(re.escape, fixed_fields()))
    return re.compile(rf"\b(?:r|rules_of\(\w+\)|\w+(?:->\w+)*->rules)(?:->|\.)({names})\b(?!\[)")


def code_of(text):
    """What the compiler makes of a source file."""
    text = pattern().sub(lambda found: FIXED.format(found[1], fixed_fields()[found[1]]), text)
    done = subprocess.run([*GCC, "-O2", "-S", "-x", "c", "-", "-o", "-"], input=text, text=True,
                          cwd=layout.ROOT, capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


@functools.cache
def code_of_original(source):
    return code_of(source.text)


def is_same_code(source, mutant):
    """Whether the compiler sees no difference. Headers' functions are not looked at."""
    if not source.name.endswith(".c"):
        return False
    code = code_of(source.with_one(mutant))
    return code is not None and code == code_of_original(source)

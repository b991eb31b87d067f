# SPDX-License-Identifier: MIT
"""The reference says only the truth: finds everything in model/ that only a defect needs.

A field of the processors' rules that is the same for all processors is not a rule. No file of the reference names
a quirk, and only one file knows the generations.
"""
import re
import subprocess
import sys

from runner import layout
from runner.defects import rows
from runner.problems import FAILED, PASSED

MODEL = layout.ROOT / "model"
RULES = MODEL / "state" / "rules.h"
STRUCT = re.compile(r"^struct (model_\w*rules) \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^\t(?:struct )?(\w+) ([\w\[\], ]+);", re.MULTILINE)       # no pointers: tables of a generation
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
GENERATIONS = re.compile(r"\bis_netburst\b|\bis_legacy\b|\bis_arch\b|\bGENERATION_\w+|->generation *[=!]=")
WHO_KNOWS = "model/machine/generations.c"
PUT_IN = {"has_threads"}      # it belongs to the machine, not to the processor
PROGRAM = """\
#include <stdio.h>
#include <string.h>
#include <model/state/rules.h>
int main(void) {{
	const struct model_rules *first = model_rules_at(0), *r;
{checks}
	return 0;
}}
"""
CHECK = """\
	{{ int is_same = 1;
	  for (unsigned i = 1; (r = model_rules_at(i)); i++)
		is_same &= memcmp(&r->{0}, &first->{0}, sizeof(r->{0})) == 0;
	  if (is_same) puts("{0}"); }}
"""


def fields(struct="model_rules", before=""):
    """Returns the path of every field of the rules: counters.gp_width."""
    groups = dict(STRUCT.findall(RULES.read_text(encoding="ascii")))
    found = []
    for kind, names in FIELD.findall(COMMENT.sub("", groups[struct])):
        for name in re.findall(r"(\w+)(?:\[[^]]*\])*", names):
            found += fields(kind, f"{before}{name}.") if kind in groups else [before + name]
    return found


def lies():
    """Returns the fields that are the same for all processors."""
    folder = layout.BUILD / "truth"
    folder.mkdir(parents=True, exist_ok=True)
    source, program = folder / "fields.c", folder / "fields"
    checks = "".join(CHECK.format(name) for name in fields() if name.rpartition(".")[2] not in PUT_IN)
    source.write_text(PROGRAM.format(checks=checks), encoding="ascii")
    subprocess.run(["gcc", "-std=gnu11", "-w", "-I.", "-Wl,--unresolved-symbols=ignore-all", "-no-pie", "-o", program,
                    source, *MODEL.glob("*/rules_*.c"), layout.ROOT / WHO_KNOWS], cwd=layout.ROOT, check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()


def reference():
    """Paths and texts of the reference's sources, with the glue."""
    for path in sorted(MODEL.rglob("*")):
        if path.suffix in (".c", ".h", ".cc") and path.is_file():
            yield layout.shown(path), path.read_text(encoding="ascii")


def breaches():
    for name in lies():
        yield f"{layout.shown(RULES)}: {name} is the same for all processors: that is no rule"
    names = re.compile(r'"(?:' + "|".join(re.escape(row.name) for row in rows.quirks()) + r')"|\b[Qq]uirks?\b')
    for name, text in reference():
        for found in names.finditer(text):
            yield f"{name}: it names a quirk: {found[0]}"
        if name != WHO_KNOWS and "/bochs/" not in name:
            for found in GENERATIONS.finditer(text):
                yield f"{name}: {found[0]}: which generation a processor is of, {WHO_KNOWS} knows"


def main():
    found = list(breaches())
    print(*found, sep="\n", end="\n" if found else "")
    return FAILED if found else PASSED


if __name__ == "__main__":
    sys.exit(main())

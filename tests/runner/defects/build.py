# SPDX-License-Identifier: MIT
"""The quirk build: the reference with every quirk and every liberty in it.

PMU_QUIRK_NUMBER picks a quirk at the start, PMU_LIKE_NUMBERS any liberties. The quirk build is used only by
`PMU_QUIRK=NAME tests/boot model:CPU`, the word like=, tests/quirks and the like; nothing of it is in the
reference. Usage: python3 -m runner.defects.build [FOLDER], a module for tests/targets/bochs-build.
"""
import pathlib
import shutil
import sys

from runner import layout, program
from runner.defects import edits, events, rows
from runner.problems import PASSED, Problem

MODEL = layout.ROOT / "model"
MODULE = layout.BUILD / "quirk-build"
NAMES = MODULE / "names"         # of the quirks, a line each: number 1 and so on
LIKES = MODULE / "likes"         # the same of the liberties
OWN = "model/quirk.h"
GLUE = "bochs/"
# The place where a processor gets rules of its own; changed facts are put after it.
FACTS = ("machine/create.c", "refpmu_core_create", "fill_in_rules(&c->rules, threads);",
         "model_quirk_facts(&c->rules);")
HEADER = """\
/*
 * Made by tests/runner/defects/build.py. The quirk's number, 0: none; whether any liberty is on; by the number of a
 * liberty, whether it is on, its VALUE, and how often its lines ran; how often the quirk's lines ran.
 */
#pragma once
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
extern unsigned model_quirk, model_is_free;
extern unsigned char model_like[];
extern long model_like_value[];
extern unsigned long model_ran[], model_quirk_ran;
struct model_rules;
void model_quirk_facts(struct model_rules *r);
void model_quirk_event(unsigned counter, uint32_t *select, uint8_t *umask);
uint8_t model_quirk_signal(uint8_t signal);
#ifdef __cplusplus
}
#endif
"""
CHOICE = """\
/* Made by tests/runner/defects/build.py. */
#include <stdio.h>
#include <stdlib.h>
{includes}
#include <model/quirk.h>

#define LIKES  {likes}
static const struct {{ const char *name; long low, high; }} likes[LIKES + 1] = {{
	{{ 0 }},
{rows}
}};
unsigned model_quirk, model_is_free;
unsigned char model_like[LIKES + 1];
long model_like_value[LIKES + 1];
unsigned long model_ran[LIKES + 1], model_quirk_ran;

/* The runner shows lines that begin so, and takes a quirk or liberty that never ran for an error. */
static void tell(void)
{{
	if (model_quirk)
		fprintf(stderr, "model: quirk %u: its lines ran %lu times\\n", model_quirk, model_quirk_ran);
	for (unsigned i = 1; i <= LIKES; i++)
		if (model_like[i])
			fprintf(stderr, "model: like=%s: its lines ran %lu times, VALUE %ld\\n",
			        likes[i].name, model_ran[i], model_like_value[i]);
}}

static long draw(unsigned i, unsigned long seed)
{{
	unsigned long long x = seed * 6364136223846793005ull + i * 1442695040888963407ull;

	x = (x ^ x >> 33) * 0xff51afd7ed558ccdull;
	x ^= x >> 33;
	return likes[i].low + (long)(x % (unsigned long long)(likes[i].high - likes[i].low + 1));
}}

__attribute__((constructor)) static void choose(void)
{{
	const char *number = getenv("PMU_QUIRK_NUMBER"), *seed = getenv("PMU_LIKE_SEED");
	char *rest = getenv("PMU_LIKE_NUMBERS");

	model_quirk = number ? (unsigned)atoi(number) : 0;
	while (rest && *rest) {{
		unsigned i = (unsigned)strtoul(rest, &rest, 10);

		if (i == 0 || i > LIKES)
			break;
		model_like[i] = 1;
		model_is_free = 1;
		model_like_value[i] = draw(i, seed ? strtoul(seed, NULL, 10) : 0);
	}}
	if (model_quirk || model_is_free)
		atexit(tell);
}}

void model_quirk_facts(struct model_rules *r)
{{
	switch (model_quirk) {{
{facts}
	}}
{free}
}}

{tables}"""


def numbered(known):
    """Returns (number, row) of each; `always` is number 0."""
    names = [row for row in known if row.name != rows.ALWAYS]
    return [(0, row) for row in known if row.name == rows.ALWAYS] + list(enumerate(names, 1))


def sources(known, free=(), model=MODEL):
    """Returns the text of each file that the rows change, by its name below model/. Raises Problem."""
    found = {}
    for number, row in [*numbered(known), *enumerate(free, 1)]:
        for edit in row.edits:
            if edit.file not in found:
                path = model / edit.file
                if not path.is_file():
                    raise Problem(f"{edit.place}: there is no model/{edit.file}")
                found[edit.file] = edits.Source(edit.file, path.read_text(encoding="ascii"))
            found[edit.file].take(number, edit)
    return {name: source.result() for name, source in found.items()}


def own_fields(known):
    """Returns, by struct, the declarations that rows need, each once."""
    found = {}
    for row in known:
        for struct, declaration in row.own:
            if declaration not in found.setdefault(struct, []):
                found[struct].append(declaration)
    return found


def widen_structs(known, folder):
    for struct, declarations in own_fields(known).items():
        for path in sorted(folder.glob("*/*.h")):
            text = edits.with_own(path.read_text(encoding="ascii"), struct, declarations)
            if text:
                path.write_text(text, encoding="ascii")
                break
        else:
            raise Problem(f"tests/defects: there is no struct {struct} to widen")


def choice(known, free, registers):
    """Returns the C file that picks a quirk and liberties, and changes facts."""
    includes = [*registers, "#include <model/state/state.h>", "#include <model/state/event_rows.h>"]
    facts = "".join(f"\tcase {number}:\n\t\tmodel_quirk_ran++;\n" + "".join(f"\t\tr->{field} = {value};\n"
                                                    for field, value in row.facts) + "\t\tbreak;\n"
                    for number, row in numbered(known) if row.facts)
    of_free = "".join(f"\tif (model_like[{number}]) {{\n\t\tmodel_ran[{number}]++;\n"
                      + "".join(f"\t\tr->{field} = {value.replace('VALUE', f'model_like_value[{number}]')};\n"
                                for field, value in row.facts) + "\t}\n"
                      for number, row in enumerate(free, 1) if row.facts)
    lines = "\n".join(f'\t{{ "{row.name}", {", ".join(map(str, row.value or (0, 0)))} }},' for row in free)
    return CHOICE.format(includes="\n".join(includes), facts=facts, free=of_free, likes=len(free), rows=lines,
                         tables=events.tables(numbered(known)))


def build(folder=MODULE):
    """Writes the module."""
    known, free = rows.read(), rows.liberties()
    changed = sources(known, free)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(MODEL / "bochs", folder)
    shutil.copytree(layout.ROOT / "arch" / "regs", folder / "arch" / "regs")
    shutil.copytree(MODEL, folder / "model", ignore=shutil.ignore_patterns("bochs", "qemu"))
    registers = [f"#include <arch/regs/{path.name}>" for path in sorted((folder / "arch/regs").glob("*.h"))]
    for name, text in changed.items():
        lines = [f'#include <{OWN}>', *(registers if name.endswith(".c") else ())]
        place_of(folder, name).write_text("\n".join([*lines, text]), encoding="ascii")
    widen_structs([*known, *free], folder / "model")
    put_facts(folder / "model")
    (folder / OWN).write_text(HEADER, encoding="ascii")
    (folder / "model/core/quirk.c").write_text(choice(known, free, registers), encoding="ascii")
    (folder / NAMES.name).write_text("".join(f"{row.name}\n" for number, row in numbered(known) if number),
                                     encoding="ascii")
    (folder / LIKES.name).write_text("".join(f"{row.name}\n" for row in free), encoding="ascii")


def place_of(folder, name):
    """Returns where the module has a file of model/: the glue stands beside the model, not in it."""
    return folder / name.removeprefix(GLUE) if name.startswith(GLUE) else folder / "model" / name


def put_facts(folder):
    """Facts change right after the processor's rules were taken."""
    file, function, before, call = FACTS
    path = folder / file
    text = path.read_text(encoding="ascii")
    places = edits.find(text, before)
    if len(places) != 1:
        raise Problem(f"tests/runner/defects/build.py: model/{file}, {function} has no: {before}")
    at = places[0][1]
    path.write_text(f"#include <{OWN}>\n{text[:at]}\n\t{call}{text[at:]}", encoding="ascii")


def main(arguments):
    return program.ended("tests/runner/defects/build.py", work, arguments)


def work(arguments):
    build(pathlib.Path(arguments[0]) if arguments else MODULE)
    return PASSED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

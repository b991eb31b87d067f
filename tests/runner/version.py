# SPDX-License-Identifier: MIT
"""The version and the schema of kernel/lib/version.h, for programs that make TAP without a kernel."""
import functools
import re

from runner import layout

HEADER = layout.ROOT / "kernel/lib/version.h"
DEFINE = re.compile(r'^#define BARECOUNT_(\w+) +"?([^"\n]+)"?$', re.MULTILINE)


@functools.cache
def read(path=HEADER):
    """Returns VERSION, a string, and SCHEMA, a number."""
    defined = dict(DEFINE.findall(path.read_text(encoding="utf-8")))
    return defined["VERSION"], int(defined["SCHEMA"])


def head(kind):
    """Returns the head's line: `# Barecount 0.9.0, schema 1, quirks`."""
    number, schema = read()
    return f"# Barecount {number}, schema {schema}, {kind}"

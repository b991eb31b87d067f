# SPDX-License-Identifier: MIT
"""tests/report: the command line."""
import argparse
import os
import pathlib

from runner import layout, program
from runner.html import collect as html_collect, page as html_page
from runner.html.tables import plural
from runner.problems import PASSED, Problem

NAME = layout.command("report")
REPORT = pathlib.Path("report.html") if layout.IS_INSTALLED else layout.BUILD / "report.html"
PRINTED = "what barecount has printed" if layout.IS_INSTALLED else "what tests/boot or tests/run-matrix has printed"
WITHOUT = "" if layout.IS_INSTALLED else " Without any: build/tap and build/quirks.tap, mutants.tap, alarms.tap."
DESCRIPTION = f"""\
Writes one HTML page with the verdicts of logs, each a FILE or all in a FOLDER: {PRINTED}, or a
capture of a real machine's serial line.{WITHOUT} Exit status: 0 the page is written; 2 a log is refused, and
no page is.
"""


def main(arguments):
    return program.ended(NAME, report, parser().parse_args(arguments))


def report(asked):
    found = html_collect.collect(asked.logs, asked.any_version)
    if not found.refused:
        write(asked.output, html_page.page(found))
        print(f"  report   {layout.shown(asked.output.resolve())}, "
              f"{len(found.runs) + len(found.broken)} runs")
        return PASSED
    for refused in found.refused:
        program.complain(NAME, refused)
    raise Problem(f"no page is written: {plural(len(found.refused), 'log')} refused")


def parser():
    made = argparse.ArgumentParser(NAME, description=DESCRIPTION)
    made.add_argument("-o", dest="output", metavar="PAGE", type=pathlib.Path, default=REPORT,
                      help=f"where to write it (default: {layout.shown(REPORT)})")
    made.add_argument("--any-version", action="store_true",
                      help="take logs of other versions of Barecount, too, if they have this schema")
    made.add_argument("logs", nargs="*", metavar="FILE|FOLDER")
    return made


def write(path, text):
    """Writes the whole page or nothing: after a full disk the old page is still there."""
    if path.exists() and not path.is_file():
        raise Problem(f"{path} is no regular file, and would be replaced")
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    try:
        fresh.write_text(text, encoding="utf-8")
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)

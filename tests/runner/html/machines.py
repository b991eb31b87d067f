# SPDX-License-Identifier: MIT
"""The report's section on what each machine's PMU is good for, out of the test `summary`."""
from runner.html.tables import esc, plural, table
from runner.people.show import page_of

OPEN = 3                # so many pages are open at once
NAMED = 3               # machines in the line of a page


def machines(found, name_of):
    """Returns each page once, with the machines that gave it; name_of(log) names one."""
    same = {}
    for _, log in found.runs:
        page = page_of(log.results)
        if page:
            same.setdefault(tuple(page), {})[name_of(log)] = True
    if not same:
        return "machines", "", ""
    pages = sorted(same.items(), key=lambda each: has_none(each[0]))
    text = "".join(one(page, list(names), len(pages) <= OPEN) for page, names in pages)
    return "machines", "Machines", (
        f'<section id="machines"><h2>What each PMU is good for <span class="count">{len(pages)}</span></h2>'
        f"<p>Machines whose pages are equal share one.</p>{text}</section>")


def has_none(page):
    return page[0][1].startswith("none")


def one(page, names, is_open):
    rest = len(names) - NAMED
    shown = ", ".join(names[:NAMED]) + (f" and {plural(rest, 'other')}" if rest > 0 else "")
    return (f'<details class="page"{" open" if is_open else ""}><summary>{esc(shown)} '
            f"<small>{esc(page[0][1])}</small></summary>{table('facts', page)}</details>")

# SPDX-License-Identifier: MIT
"""The report's page: one HTML file that contains its style and its script, and is readable without either."""
import base64
import hashlib


from runner import layout, version
from runner.html import figure as html_figure, machines as html_machines, tables as html_tables
from runner.html.data import Data, by_suite, counts_of
from runner.html.tables import esc, plural, table

PAGE = layout.ROOT / "tests/runner/html"
# Worst first: the kind that a cell shows; its sign, because colour alone is not enough; its name.
SIGNS = (("failed", "\u2717", "failed"), ("erratum", "~", "errata"), ("known", "\u2248", "deviations"),
         ("passed", "\u2713", "passed"), ("skipped", "\u2013", "skipped"))
# Columns in the order of the manuals' generations; other suites follow in theirs.
SUITES = ("platform", "rdtsc", "rdpmc", "msr", "pmu", "p5", "p6", "netburst", "arch", "pebs", "bts",
          "lbr", "sampling", "smm", "errata", "summary")
SHOWN_ELSEWHERE = ("bits=", "only=", "skip=")   # by the kernel's kind, and by empty cells
GROUPS = {"model": "Bochs with the reference PMU", "bochs": "Bochs", "qemu": "QEMU", "kvm": "KVM",
          "linux": "Linux on the model", "lava": "LAVA", "": "Captured"}


def page(found):
    """Returns the whole page; found: an html_collect.Collection."""
    data = Data()
    for key, log in found.runs:
        data.add(key, log)
    script = read("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    total = counts_of([result for _, log in found.runs for result in log.results])
    about_all = [map_of(found), failures(found)]
    about_each = [html_machines.machines(found, machine)]
    if len(found.runs) <= html_machines.OPEN:       # who sends one log wants to know about one machine
        about_all, about_each = about_each, about_all
    sections = [totals(found, total), *about_all, *about_each, experiments(found), *html_tables.sections(found)]
    return read("page.html").format(
        csp=f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
            "img-src data:", style=read("page.css"), title=title(found, total),
        version=esc(version.read()[0]), schema=version.read()[1], data=data.json(), script=script,
        navigation=navigation(sections), body="\n".join(text for _, _, text in sections if text))


def read(name):
    return (PAGE / name).read_text(encoding="utf-8")


def navigation(sections):
    return "".join(f'<a href="#{name}">{esc(label)}</a>' for name, label, text in sections
                   if text and label)


def title(found, total):
    bad = total["failed"] + len(found.broken)
    return f"{bad} failed" if bad else "nothing failed"


# ---------------------------------------------------------------------------------------- totals


def totals(found, total):
    failed = sum(log.status != 0 for _, log in found.runs)
    logs = [*(log for _, log in found.runs), *found.broken, *found.programs]
    seconds = sum(log.seconds or 0 for log in logs)
    programs_failed = sum(bool(program.counts["failed"]) for program in found.programs)
    bad = failed + len(found.broken) + programs_failed
    runs = plural(len(found.runs) + len(found.broken), "run")
    words = [f"{failed} with a failure"] if failed else []
    words += [f"{len(found.broken)} broken"] if found.broken else []
    words += [f"{plural(programs_failed, 'program')} of the host failed"] if programs_failed else []
    verdict = ("bad", "\u2717", f"{runs}: {', '.join(words)}") if bad else \
        ("good", "\u2713", f"{runs}, no failure")
    tiles = [tile(total[kind], label, sign, kind) for kind, sign, label in SIGNS]
    tiles += html_tables.tiles(found)
    if seconds:
        tiles.append(tile(duration(seconds), "of runs in all", "", "time"))
    text = (f'<p class="verdict {verdict[0]}"><span aria-hidden="true">{verdict[1]}</span> '
            f'{esc(verdict[2])}</p><dl class="tiles">{"".join(tiles)}</dl>')
    return "totals", "", f'<section id="totals"><h2 class="off">Totals</h2>{text}</section>'


def tile(value, label, sign, kind):
    value = f"{value:,}".replace(",", "\u202f") if isinstance(value, int) else value
    sign = f'<span class="sign" aria-hidden="true">{sign}</span> ' if sign else ""
    return f'<div class="tile {kind}"><dt>{sign}{esc(label)}</dt><dd>{esc(value)}</dd></div>'


def duration(seconds):
    return f"{seconds / 60:.1f} min" if seconds >= 100 else f"{seconds:.1f} s"


# ------------------------------------------------------------------------------------------- map


def map_of(found):
    suites = {key: by_suite(log.results) for key, log in found.runs}
    columns = columns_of(suites.values())
    groups = {}
    for key, log in sorted(found.runs, key=lambda run: (machine(run[1]), about(*run))):
        groups.setdefault(log.target.partition(":")[0] if log.target else "", []).append(
            row(key, log, suites[key], columns))
    for broken in found.broken:
        groups.setdefault(broken.target.partition(":")[0], []).append(broken_row(broken, columns))
    bodies = [f'<tbody><tr class="group"><th colspan="{len(columns) + 1}" scope="rowgroup">'
              f"{esc(GROUPS.get(name, name))} <span>{len(rows)}</span></th></tr>"
              f'{"".join(rows)}</tbody>'
              for name, rows in sorted(groups.items(), key=lambda group: order(GROUPS, group[0]))]
    heads = "".join(f'<th scope="col"><span>{esc(suite)}</span></th>' for suite in columns)
    legend = "".join(f'<li class="{kind}"><span>{sign}</span> {label}</li>'
                     for kind, sign, label in SIGNS)
    return "map", "Map", f"""<section id="map"><h2>Map</h2>
<p>One row for each log, one column for each suite; the number is of the results of the kind that is
shown, the worst there is. <span class="js">Choose a cell, or a row's name, to see its
tests.</span></p>
<ul class="legend">{legend}<li class="none"><span>\u00a0</span> not in the log</li></ul>
<form class="js filter" id="filter"><label>Rows with <input type="search" id="rows"
placeholder="haswell, smp, qemu"></label>
<label class="box"><input type="checkbox" id="only"> only failures and deviations</label></form>
<div class="wide" tabindex="0" role="region" aria-label="Map of verdicts"><table class="map">
<thead><tr><th scope="col" class="corner">target</th>{heads}</tr></thead>{"".join(bodies)}
</table></div></section>"""


def columns_of(all_suites):
    names = {suite for suites in all_suites for suite in suites}
    return sorted(names, key=lambda name: (order(SUITES, name), name))


def order(names, name):
    return list(names).index(name) if name in names else len(names)


def row(key, log, suites, columns):
    quirk = f'<span class="quirk">quirk {esc(log.quirk)}</span>' if log.quirk else ""
    cells = "".join(cell(key, suite, suites.get(suite)) for suite in columns)
    return (f'<tr data-run><th scope="row"><a href="#/{esc(key)}">{breakable(machine(log))}</a>'
            f'<small>{esc(about(key, log))}</small>{quirk}</th>{cells}</tr>')


def breakable(name):
    """Returns the name as HTML that may wrap."""
    return esc(name).replace("_", "_<wbr>")


def machine(log):
    """Returns a row's name: the CPU's name in the target, or the processor's own name in a capture."""
    if log.target:
        return log.target.partition(":")[2] or log.target
    return log.head.get("brand") or log.head.get("cpu") or log.path


def about(key, log):
    """Returns the words of a row, which distinguish it, without those that only make it fast."""
    words = [word for word in log.words
             if word not in ("via=kernel", "serial=debug") and not word.startswith(SHOWN_ELSEWHERE)]
    return " ".join([log.kind, *words]) if log.target else key


def broken_row(broken, columns):
    return (f'<tr data-run class="broken"><th scope="row">{esc(broken.name)}'
            f'<small>{esc(broken.target)}</small></th><td colspan="{len(columns)}" class="failed">'
            f'<span aria-hidden="true">\u2717</span> broken run: {esc(broken.sentence)}</td></tr>')


def cell(key, suite, results):
    if not results:
        return "<td></td>"
    counts = counts_of(results)
    kind, sign, _ = next(row for row in SIGNS if counts[row[0]])
    spoken = ", ".join(f"{counts[name]} {label}" for name, _, label in SIGNS if counts[name])
    return (f'<td class="{kind}"><a href="#/{esc(key)}/{esc(suite)}" title="{esc(suite)}: {spoken}">'
            f'<span>{sign}</span>{counts[kind]}</a></td>')


# -------------------------------------------------------------------------------------- failures


def failures(found):
    """Returns each way in which a test failed, once, with the runs in which it did."""
    ways = {}
    for key, log in found.runs:
        for result in log.results:
            if result.has_failed:
                checks = result.failed_checks()
                facts = {**result.facts(), "checks": checks}
                same = str([{name: check[name] for name in check if name != "repeat"}
                            for check in checks])
                ways.setdefault((result.test, same), (result, facts, []))[2].append((key, log, result))
    text = "".join(failure(*way) for way in ways.values())
    if not ways:
        return "failures", "", ""
    return "failures", "Failures", (
        f'<section id="failures"><h2>Failures <span class="count">{len(ways)}</span></h2>'
        f"<p>A test that failed in the same way in several runs is here once.</p>{text}</section>")


def failure(result, facts, where):
    checks = [table("facts", [(name, check[name]) for name in ("what", "got", "want", "why")
                              if name in check]) for check in facts["checks"]]
    others = "".join(checks[1:])
    if others:
        others = f"<details><summary>{plural(len(checks) - 1, 'other check')} of it</summary>" \
                 f"{others}</details>"
    more = table("facts", [(name, facts[name]) for name in ("claim", "source", "repeat")
                           if name in facts])
    runs = "".join(f'<li><a href="#/{esc(key)}/{esc(result.test.partition(".")[0])}/{esc(each.test)}">'
                   f"{esc(machine(log))}{f' cpu {each.cpu}' if each.cpu else ''}</a>"
                   f" <small>{esc(about(key, log))}</small></li>" for key, log, each in where)
    return (f'<details class="failure" open><summary><span class="sign">\u2717</span> '
            f"<code>{esc(result.test)}</code> <small>{plural(len(where), 'result')}</small></summary>"
            f'{checks[0]}{more}{others}<ul class="runs">{runs}</ul></details>')


# ------------------------------------------------------------------------------------ experiment


def experiments(found):
    """Returns each figure once, of all runs that gave it."""
    same = {}
    for key, log in found.runs:
        figure = html_figure.read(log)
        if figure:
            same.setdefault(str(figure), (figure, []))[1].append((key, log))
    if not same:
        return "experiment", "", ""
    # NetBurst's figure has the most distances and shows most.
    figures = sorted(same.values(), key=lambda each: -len(each[0]["rows"]))
    text = "".join(experiment(figure, runs, index == 0) for index, (figure, runs) in enumerate(figures))
    return "experiment", "Experiment", (
        '<section id="experiment"><h2>Samples of PEBS and interrupts</h2><p>One load cycles through '
        "addresses that do not fit their set of the cache, and misses. The figure shows how many instructions "
        f"after the load each sample points, and to which data.</p>{text}</section>")


def experiment(figure, runs, is_open):
    names = list(dict.fromkeys(machine(log) for _, log in runs))
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    notes = "".join(f"<p>{esc(note)}</p>" for note in figure["notes"])
    addresses = f'<div class="wide" tabindex="0">{html_figure.addresses(figure)}</div>' \
        if figure["addresses"] else ""
    return (f'<details class="figure"{" open" if is_open else ""}><summary>{esc(shown)}</summary>'
            f'<div class="charts"><div class="wide" tabindex="0">{html_figure.distances(figure)}</div>'
            f"{addresses}</div>{notes}</details>")

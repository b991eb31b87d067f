# SPDX-License-Identifier: MIT
"""The report's plain tables: quirks, mutants, false alarms, times, programs of the host."""
import html

from runner.people.show import kind_of

QUIRK_COLUMNS = ("kind", "id", "test", "what", "got", "want", "source")
MUTANT_COLUMNS = ("change", "killed_by", "why")
ALARM_COLUMNS = ("machines", "runs", "results", "alarms", "what", "repeat")
SLOWEST = 25


def esc(value):
    return html.escape(str(value), quote=True)


def plural(count, noun):
    return f"{count} {noun}{'' if count == 1 else 's'}"


def table(name, rows):
    """Returns a table with a row for each name and value."""
    body = "".join(f'<tr class="{esc(key)}"><th scope="row">{esc(key)}</th><td>{esc(value)}</td></tr>'
                   for key, value in rows)
    return f'<table class="{name}">{body}</table>'


def columns(heads, rows, name="list"):
    """Returns a table with a head; rows: of (class, cells as HTML)."""
    head = "".join(f'<th scope="col">{esc(each)}</th>' for each in heads)
    body = "".join(f'<tr class="{kind}">{"".join(f"<td>{each}</td>" for each in cells)}</tr>'
                   for kind, cells in rows)
    return (f'<div class="wide" tabindex="0"><table class="{name}"><thead><tr>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>")


def tiles(found):
    """Returns totals of campaigns: quirks that are caught, mutants that are killed, boots without a false alarm."""
    labels = {"quirks": "quirks caught", "mutants": "mutants killed", "alarms": "suites steady"}
    return [_tile(found.alone[kind], label) for kind, label in labels.items() if kind in found.alone]


def _tile(log, label):
    ran = [result for result in log.results if result.directive != "SKIP"]
    good = sum(result.ok for result in ran)
    kind = "passed" if good == len(ran) else "failed"
    sign = "\u2713" if good == len(ran) else "\u2717"
    return (f'<div class="tile {kind}"><dt><span class="sign" aria-hidden="true">{sign}</span> '
            f"{label}</dt><dd>{good}<small> of {len(ran)}</small></dd></div>")


def sections(found):
    """Returns (id, what the navigation calls it, the section's HTML or "")."""
    return [alone(found, "quirks", "Quirks", QUIRK_COLUMNS,
                  "The model broken in each known way, and what the named test saw."),
            alone(found, "mutants", "Mutants", MUTANT_COLUMNS,
                  "Small changes of the model's own source, and the test that sees them."),
            alone(found, "alarms", "False alarms", ALARM_COLUMNS,
                  "The same suite again and again with other seeds: no verdict may change."),
            times(found), programs(found)]


def alone(found, kind, label, keys, sentence):
    log = found.alone.get(kind)
    if not log:
        return kind, label, ""
    rows = [(kind_of(result), result, result.facts() if result.block else {}) for result in log.results]
    rows.sort(key=lambda row: row[0] != "failed")
    used = [key for key in keys if any(key in facts for _, _, facts in rows)]
    cells = [(state, [sign_of(state), f"<code>{esc(result.id)}</code>",
                      *(esc(facts.get(key, "")) for key in used)]
              if state != "skipped" else
              [sign_of(state), f"<code>{esc(result.id)}</code>", esc(result.reason)])
             for state, result, facts in rows]
    bad = [row for row in cells if row[0] == "failed"]
    rest = [row for row in cells if row[0] != "failed"]
    heads = ["", "suite" if kind == "alarms" else kind.removesuffix("s"), *used]
    worst = columns(heads, bad) if bad else ""
    words = ", ".join(f"{name} {value}" for name, value in log.head.items())
    return kind, label, (
        f'<section id="{kind}"><h2>{label} <span class="count">{len(rows)}</span></h2>'
        f"<p>{sentence} {esc(words)}</p>{worst}<details><summary>{plural(len(rest), 'row')} "
        f"{'besides' if bad else 'in all'}</summary>{columns(heads, rest)}</details></section>")


def sign_of(kind):
    sign = {"passed": "\u2713", "failed": "\u2717", "erratum": "~", "known": "\u2248", "skipped": "\u2013"}[kind]
    return f'<span class="sign {kind}" title="{kind}">{sign}</span>'


def times(found):
    timed = [(log.seconds, key, log.name) for key, log in found.runs if log.seconds is not None]
    timed += [(each.seconds, each.name, each.name) for each in (*found.broken, *found.programs)
              if each.seconds is not None]
    if not timed:
        return "times", "Times", ""
    timed.sort(reverse=True)
    longest = max(timed[0][0], 0.1)
    rows = [("", [f"<code>{esc(key)}</code>",
                  f'<svg class="bar" width="160" height="12" aria-hidden="true"><rect rx="3" '
                  f'width="{max(2, round(160 * seconds / longest))}" height="12"/></svg>',
                  f"{seconds:.1f} s"]) for seconds, key, _ in timed]
    rest = f"<details><summary>{plural(len(rows) - SLOWEST, 'shorter run')}</summary>" \
           f"{columns(('run', '', 'time'), rows[SLOWEST:], 'list times')}</details>" \
        if len(rows) > SLOWEST else ""
    return "times", "Times", (
        f'<section id="times"><h2>Times</h2><p>{plural(len(rows), "run")}, the longest first.</p>'
        f"{columns(('run', '', 'time'), rows[:SLOWEST], 'list times')}{rest}</section>")


def programs(found):
    if not found.programs:
        return "programs", "Programs", ""
    rows = []
    for each in sorted(found.programs, key=lambda program: not program.counts["failed"]):
        counts = each.counts
        kind = "failed" if counts["failed"] else "skipped" if each.skipped else "passed"
        said = esc(each.skipped) or ", ".join(f"{count} {name}" for name, count in counts.items()
                                              if count)
        rows.append((kind, [sign_of(kind), f"<code>{esc(each.name)}</code>", said]))
    bad = sum(kind == "failed" for kind, _ in rows)
    return "programs", "Programs", (
        f'<section id="programs"><h2>Programs of the host <span class="count">{len(rows)}</span></h2>'
        "<p>Test programs that prove ran beside the targets, and targets that are not available here.</p>"
        f"<details{' open' if bad else ''}><summary>{plural(len(rows), 'program')}, {bad} with a "
        f"failure</summary>{columns(('', 'program', 'results'), rows)}</details></section>")

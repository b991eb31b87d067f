# SPDX-License-Identifier: MIT
"""Draws the experiment's figure and its table of addresses as SVG, from the output of tests/suites/sampling/."""
import html
import re

SHARE = r" +(\d+) +([\d.]+)%[ #]*"
ROW = re.compile(rf"# +(\d+|elsewhere|others?|outside) \|{SHARE}\|{SHARE}$")
ADDRESS = re.compile(rf"# ([0-9A-F]{{8,16}}H) \|{SHARE}$")
WIDTH, NAME, BAR, HIGH = 600, 96, 140, 22


def read(log):
    """Returns {rows: [(distance, pebs, interrupts)], addresses: [(address, samples)]}, or None.

    The chart is printed before sampling.count's result by the run's first test of the experiment.
    """
    if not any(result.test.startswith("sampling.") and not result.directive
               for result in log.results):
        return None
    rows = [(match[1], int(match[2]), int(match[4]))
            for match in map(ROW.match, log.comments) if match]
    addresses = [(match[1], int(match[2])) for match in map(ADDRESS.match, log.comments) if match]
    notes = [line[2:] for line in log.comments if line.startswith("# Interrupts ")]
    return {"rows": rows, "addresses": addresses, "notes": notes} if rows else None


def bar(x, y, count, most, colour):
    """Returns a bar on its track."""
    width = max(2, round(BAR * count / most)) if count else 0
    track = f'<rect class="track" x="{x}" y="{y + 4}" width="{BAR}" height="{HIGH - 8}" rx="3"/>'
    return track + f'<rect class="{colour}" x="{x}" y="{y + 4}" width="{width}" height="{HIGH - 8}" rx="3"/>'


def text(x, y, value, anchor="start", colour=""):
    name = f' class="{colour}"' if colour else ""
    return f'<text{name} x="{x}" y="{y + 16}" text-anchor="{anchor}">{html.escape(value)}</text>'


def percent(count, all_of_them):
    return f"{100 * count / all_of_them:.1f} %" if all_of_them else ""


def distances(figure):
    """Returns a chart of PEBS beside interrupts: how many instructions after the load each sample was."""
    rows = figure["rows"]
    most = [max(1, sum(row[index] for row in rows)) for index in (1, 2)]
    lines = [text(NAME - 12, 0, "distance", "end", "muted"),
             text(NAME, 0, f"PEBS: {most[0]} records", colour="muted"),
             text(NAME + BAR + 112, 0, f"interrupts: {most[1]}", colour="muted")]
    y, before = HIGH + 4, None
    for name, pebs, interrupts in rows:
        if before is not None and name.isdigit() and int(name) > before + 1:
            lines.append(text(NAME - 12, y, "\u22ee", "end", "muted"))
            y += HIGH
        before = int(name) if name.isdigit() else before
        lines.append(text(NAME - 12, y, name, "end"))
        for x, count, all_of_them, colour in ((NAME, pebs, most[0], "pebs"),
                                              (NAME + BAR + 112, interrupts, most[1], "interrupts")):
            lines.append(bar(x, y, count, all_of_them, colour))
            if count:
                lines.append(text(x + BAR + 8, y, f"{count} \u00b7 {percent(count, all_of_them)}"))
        y += HIGH
    return svg(y + 4, lines, "Instructions between the load that missed and the sample: PEBS beside "
                             "interrupts")


def addresses(figure):
    """Returns a chart of the data: samples of each address."""
    rows = figure["addresses"]
    all_of_them = max(1, sum(count for _, count in rows))
    most = max([1, *(count for _, count in rows)])
    lines = [text(NAME - 12, 0, "address", "end", "muted"), text(NAME, 0, "samples", colour="muted")]
    for index, (address, count) in enumerate(rows):
        y = HIGH + 4 + index * HIGH
        lines += [text(NAME - 12, y, address, "end"), bar(NAME, y, count, most, "pebs"),
                  text(NAME + BAR + 8, y, f"{count} \u00b7 {percent(count, all_of_them)}")]
    return svg(HIGH * (len(rows) + 1) + 8, lines, "Samples of each address that the load used",
               NAME + BAR + 112)


def svg(height, lines, label, width=WIDTH):
    return (f'<svg role="img" aria-label="{html.escape(label)}" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}">{"".join(lines)}</svg>')

# SPDX-License-Identifier: MIT
"""docs/lessons/pictures: boxes and arrows as text for the prompt, and as SVG for a page."""
import html
import re

from runner.people import lessons

FOLDER = lessons.FOLDER / "pictures"
WIDE, HIGH, MARGIN = 8, 16, 8                       # a cell, in pixels
# A line across, maybe with an arrow's head.
ACROSS = re.compile(r"(?<![^\s+|])[-+]{2,}>?|-{3,}>?")
STYLE = "text{font:13px monospace;fill:#24292f}path{stroke:#57606a;fill:none}rect{fill:#ffffff}"


def svg(text):
    """Returns a text's picture: its lines as lines, its words where they are."""
    rows = text.splitlines()
    width = max(map(len, rows)) * WIDE + 2 * MARGIN
    lines, words = [], []
    for y, row in enumerate(rows):
        for found in ACROSS.finditer(row):
            row = row[:found.start()] + re.sub("[-+]", " ", found[0]) + row[found.end():]
            ends = len(found[0].rstrip(">"))
            lines.append(f"M{at(found.start())} {at(y, HIGH)}H{at(found.start() + ends - 1)}")
        lines += [down(rows, x, y) for x, mark in enumerate(row) if mark == "|"]
        words += [f'<text x="{MARGIN + found.start() * WIDE}" y="{at(y, HIGH) + 4}" '
                  f'textLength="{len(found[0]) * WIDE}">{html.escape(found[0])}</text>'
                  for found in re.finditer(r"[^\s|]+(?: [^\s|]+)*", row)]
    size = f'width="{width}" height="{len(rows) * HIGH + 2 * MARGIN}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', f"<style>{STYLE}</style>",
                      f"<rect {size}/>", f'<path d="{"".join(lines)}"/>', *words, "</svg>", ""])


def down(rows, x, y):
    """Returns the line of a cell, which goes on to the middle of a corner above or below it."""
    above, below = (HIGH if rows[i][x:x + 1] in ("+", "-") else HIGH // 2 for i in (y - 1, y + 1))
    return f"M{at(x)} {at(y, HIGH) - above}v{above + below}"


def at(cell, size=WIDE):
    """Returns the middle of a cell."""
    return MARGIN + cell * size + size // 2


def both():
    """Yields the path of each picture's SVG, and what it has to be."""
    for path in sorted(FOLDER.glob("*.txt")):
        yield path.with_suffix(".svg"), svg(path.read_text(encoding="utf-8"))


def write():
    for path, text in both():
        path.write_text(text, encoding="utf-8")

# SPDX-License-Identifier: MIT
"""A page of the lessons as rows of a terminal: broken between words, with its tables and bold words."""
import re

from runner.people import lessons

MOST = 78                       # columns, because longer rows are hard to read
HIDDEN = re.compile(r"<!--.*-->|Machine: .*")
PICTURE = re.compile(r"!\[.*\]\(pictures/(.*)\.svg\)")
LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")
ITEM = re.compile(r"(\d+\. |\* )")
RULE = re.compile(r"\|[ :|-]+\|")                   # between a table's head and its rows
LEAST_CELL, GAP = 8, 2          # columns of a cell that is broken, and between cells
BOLD, ON, OFF = "**", "\x1b[1m", "\x1b[0m"


def shown(text, width=MOST, has_bold=False):
    """Returns a page's lines as rows; without has_bold the marks of bold words are left out."""
    rows = []
    for block in blocks(drawn(text)):
        rows += set_block(block, min(width, MOST))
    rows = [row for row, before in zip(rows, ["", *rows]) if row or before]     # no two blank ones
    while rows and not rows[-1]:
        rows.pop()
    return embolden(rows, has_bold)


def drawn(text):
    """Yields a page's lines, with the text of a picture between fences in place of its SVG."""
    for line in text:
        found = PICTURE.fullmatch(line)
        path = lessons.FOLDER / "pictures" / f"{found[1]}.txt" if found else None
        if path:
            yield from ["```", *path.read_text(encoding="utf-8").splitlines(), "```"]
        elif not HIDDEN.fullmatch(line):
            yield line


def blocks(lines):
    """Yields lists of lines that belong together: a paragraph, an item, a table, a heading, a fenced line."""
    block, is_fenced = [], False
    for line in lines:
        is_fence = line.startswith("```")
        is_new = is_fence or is_fenced or not line or line.startswith("#") or ITEM.match(line)
        if block and (is_new or block[0].startswith("#") or line.startswith("|") != block[0].startswith("|")):
            yield block
            block = []
        is_fenced ^= is_fence
        if is_fenced and not is_fence:
            yield ["```", line]
        elif not line:
            yield [""]
        elif not is_fence:
            block.append(line.strip())
    if block:
        yield block


def set_block(block, width):
    if block[0] == "```":
        return wrap(block[1], width, "    ") if len(block[1]) > width else [block[1]]
    if block[0].startswith("|"):
        return set_table(block, width)
    item = ITEM.match(block[0])
    return wrap(LINK.sub(r"\1", " ".join(block)), width, " " * len(item[1]) if item else "")


def set_table(block, width):
    """Returns a table's rows with its columns one under the other; cells of wide columns are broken."""
    table = [[LINK.sub(r"\1", cell.strip()) for cell in line.strip("|").split("|")]
             for line in block if not RULE.fullmatch(line)]
    widths = [max(map(seen, column)) for column in zip(*table)]
    while sum(widths) + GAP * (len(widths) - 1) > width and max(widths) > LEAST_CELL:
        widths[widths.index(max(widths))] -= 1
    rows = []
    for cells in table:
        broken = [wrap(cell, wide) for cell, wide in zip(cells, widths)]
        for number in range(max(map(len, broken))):
            parts = [(lines[number] if number < len(lines) else "") for lines in broken]
            rows.append((" " * GAP).join(part + " " * (wide - seen(part))
                                         for part, wide in zip(parts, widths)).rstrip())
    return [row for row in rows if row]


def wrap(text, width, indent=""):
    """Breaks a text between words; rows after the first one begin with indent."""
    rows, row = [], text[:len(text) - len(text.lstrip())]
    for word in text.split():
        longer = f"{row} {word}" if row.strip() else row + word
        if row.strip() and seen(longer) > width:
            rows.append(row)
            longer = indent + word
        row = longer
    return [*rows, row]


def seen(text):
    """Returns the columns that a text takes."""
    return len(text.replace(BOLD, ""))


def embolden(rows, has_bold):
    """Returns rows with the marks of bold words replaced; a row that ends among them ends bold, too."""
    done, is_on = [], False
    for row in rows:
        first, *rest = row.split(BOLD)
        text = (ON if is_on else "") + first
        for part in rest:
            is_on = not is_on
            text += (ON if is_on else OFF) + part
        text += OFF if is_on else ""
        done.append(text if has_bold else row.replace(BOLD, ""))
    return done

# SPDX-License-Identifier: MIT
"""Reads the large word of the screen of a run's end: PASS, FAIL, ..."""
import re

import taptest

LETTER = re.compile(r"\{ '(.)', \{ (.*) \} \},")
SHADES = " \N{UPPER HALF BLOCK}\N{LOWER HALF BLOCK}\N{FULL BLOCK}"


def letters():
    """Returns {dots: letter}, the dots as one text for each column of a letter, as the kernel draws them."""
    source = (taptest.ROOT / "kernel/face/big_word.c").read_text()
    return {columns_of(re.findall(r'"([.#]+)"', dots)): letter for letter, dots in LETTER.findall(source)
            if letter != " "}


def columns_of(rows):
    return tuple("".join(column) for column in zip(*rows))


def read(lines):
    """Returns the letters of the large word on the screen, of whatever size, without blanks."""
    code = lines[0].find(SHADES[-1])                # a line of text, so the block is of the QR code
    dots = [row for line in lines for row in dot_rows(line[:code] if code > 0 else line)]
    return next(filter(None, (word_of(dots[top:], scale) for scale in range(8, 0, -1)
                              for top in range(len(dots) - 6 * scale))), "")


def word_of(dots, scale):
    """Returns the word whose top is the first row, if its dots have this size, or ""."""
    rows = dots[:6 * scale:scale]
    width = max(map(len, rows))
    word = read_columns(columns_of([row.ljust(width, ".") for row in rows])[::scale], letters())
    return word if len(word) >= 3 else ""


def dot_rows(line):
    """Returns the upper and the lower dots of a line; a line of text has none."""
    cells = line
    if cells.strip(SHADES):
        return "", ""
    return tuple("".join(".#"[SHADES.index(cell) >> half & 1] for cell in cells) for half in (0, 1))


def read_columns(columns, known):
    word, at = "", 0
    while at < len(columns):
        found = [letter for letter in known if columns[at:at + len(letter)] == letter]
        if found:
            word += known[max(found, key=len)]
            at += len(max(found, key=len))
        elif "#" in columns[at]:
            return ""
        else:
            at += 1
    return word

# SPDX-License-Identifier: MIT
"""Reads text from a screenshot, by comparing each character cell with a font's glyphs, exactly."""
import re

from runner import layout
from runner.problems import Problem

ROWS = 16                       # of a glyph, in both fonts
COLUMNS = 8
UNKNOWN = "\N{REPLACEMENT CHARACTER}"
ON, OFF = b"#", b"."
UNDERLINE = ON * (2 * COLUMNS)  # what a cell with the cursor ends in
BACKGROUND = 0                  # black in both consoles; every other colour is foreground

# QEMU's VGA BIOS has the 8x16 text font of every VGA, in code page 437's order.
VGA_BIOSES = (
    "/usr/share/seabios/vgabios-stdvga.bin",
    "/usr/share/qemu/vgabios-stdvga.bin",
    "/usr/share/vgabios/vgabios-stdvga.bin",
)
VGA_GLYPHS = 256
VGA_A_AND_B = bytes.fromhex(    # by these two glyphs the table is found
    "000010386cc6c6fec6c6c6c600000000 0000fc6666667c66666666fc00000000")
GLYPH_HEAD = re.compile(r"U\+([0-9A-F]{4,6})\b")


class Image:
    """A screenshot as rows of ON and OFF bytes."""

    def __init__(self, ppm):
        """Takes a binary PPM with one byte a channel; raises ValueError for anything else."""
        head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", ppm)
        if not head:
            raise ValueError("not a binary PPM")
        self.width, self.height = int(head[1]), int(head[2])
        pixels = ppm[head.end():]
        if len(pixels) != 3 * self.width * self.height:
            raise ValueError("a PPM with another size than it says")
        lit = any_of(pixels[0::3], pixels[1::3], pixels[2::3])
        lit = lit.translate(bytes(OFF[0] if value == BACKGROUND else ON[0] for value in range(256)))
        self.rows = [lit[y * self.width:(y + 1) * self.width] for y in range(self.height)]

    def cell(self, x, y):
        return b"".join(row[x:x + COLUMNS] for row in self.rows[y:y + ROWS])


def any_of(*channels):
    """Returns 0 for each pixel that is 0 in all channels (black). Uses long numbers, because screens are large."""
    total = 0
    for channel in channels:
        total |= int.from_bytes(channel, "little")
    return total.to_bytes(len(channels[0]), "little")


def vga_font():
    """Returns {cell: character} of VGA's text mode."""
    for path in VGA_BIOSES:
        try:
            with open(path, "rb") as file:
                rom = file.read()
        except OSError:
            continue
        start = rom.find(VGA_A_AND_B) - ord("A") * ROWS
        if start >= 0:
            return {cell_of_bits(rom[start + code * ROWS:][:ROWS]): bytes([code]).decode("cp437")
                    for code in reversed(range(VGA_GLYPHS))} | {OFF * (COLUMNS * ROWS): " "}
    raise Problem(f"no VGA font in {' or '.join(VGA_BIOSES)}; install seabios")


def cell_of_bits(glyph):
    text = "".join(f"{row:08b}" for row in glyph).encode()
    return text.translate(bytes.maketrans(b"01", OFF + ON))


def kernel_font(path=layout.FONT):
    """Returns {cell: character} of the kernel's own font: 16 rows of `.` and `#` after each head U+CODE."""
    font, character, rows = {}, None, []
    for line in path.read_text(encoding="utf-8").splitlines():
        head = GLYPH_HEAD.match(line)
        if head:
            character, rows = chr(int(head[1], 16)), []
        elif character and re.fullmatch(r"[.#]{8}", line):
            rows.append(line.encode())
            if len(rows) == ROWS:
                font.setdefault(b"".join(rows), character)
    return font


def lines_of(image, font, pitch):
    """Returns the screen's lines, without blanks at their ends; `pitch` is in pixels from cell to cell."""
    return ["".join(font.get(image.cell(x, y), UNKNOWN)
                    for x in range(0, image.width - COLUMNS + 1, pitch)).rstrip()
            for y in range(0, image.height - ROWS + 1, ROWS)]


def font_of(image, fonts):
    """Returns the (font, pitch) pair that leaves the fewest cells unread."""
    return min(fonts, key=lambda font: sum(line.count(UNKNOWN) for line in lines_of(image, *font)))


def read(image, fonts):
    """Returns the lines, read with the font that fits."""
    return lines_of(image, *(fonts[0] if len(fonts) == 1 else font_of(image, fonts)))


def find_cursor(image, fonts):
    """Returns (row, column, the character there) of the first cell that is underlined, or None."""
    for font, pitch in fonts:
        above = {cell[:-len(UNDERLINE)]: character for cell, character in font.items()}
        for y in range(0, image.height - ROWS + 1, ROWS):
            if UNDERLINE[:COLUMNS] not in image.rows[y + ROWS - 1]:
                continue
            for x in range(0, image.width - COLUMNS + 1, pitch):
                cell = image.cell(x, y)
                if cell.endswith(UNDERLINE) and cell[:-len(UNDERLINE)] in above:
                    return y // ROWS, x // pitch, above[cell[:-len(UNDERLINE)]]
    return None


def known_fonts():
    """Returns both fonts: VGA's text mode shows 9 pixels a cell, the last one background; the framebuffer shows 8."""
    return [(vga_font(), COLUMNS + 1), (vga_font(), COLUMNS), (kernel_font(), COLUMNS)]

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Reading text from a screenshot: text is drawn with a font, and read back."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import screen, watch                    # noqa: E402

TEXT = ["TAP version 13", "ok 1 - a.b # SKIP CPUID.0AH:EAX[7:0] = 0", "",
        "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ XYZxyz0189", "# end of run: status 1"]
GREY = b"\xaa\xaa\xaa"


def drawn(text, font, pitch, width, height):
    """Returns a binary PPM with the lines of text in the top left corner."""
    glyphs = {character: cell for cell, character in font.items()}
    rows = [bytearray(3 * width) for _ in range(height)]
    for line_number, line in enumerate(text):
        for column, character in enumerate(line):
            for index, dot in enumerate(glyphs[character]):
                if dot == screen.ON[0]:
                    x = column * pitch + index % screen.COLUMNS
                    y = line_number * screen.ROWS + index // screen.COLUMNS
                    rows[y][3 * x:3 * x + 3] = GREY
    return b"P6\n%d %d\n255\n" % (width, height) + b"".join(rows)


class Reading(unittest.TestCase):
    """Screenshots of both consoles."""

    def read_back(self, font, pitch, width, height):
        image = screen.Image(drawn(TEXT, font, pitch, width, height))
        lines = screen.read(image, screen.known_fonts())
        self.assertEqual(lines[:len(TEXT)], TEXT)
        self.assertEqual(watch.status_on(lines), 1)

    def test_vga(self):
        """VGA's text mode is read, with 9 and with 8 dots a character"""
        self.read_back(screen.vga_font(), 9, 720, 400)
        self.read_back(screen.vga_font(), 8, 640, 400)

    def test_framebuffer(self):
        """the framebuffer is read in sizes that are no multiple of a cell"""
        for width, height in ((640, 480), (800, 600), (1024, 768), (1366, 768)):
            with self.subTest(width=width):
                self.read_back(screen.kernel_font(), 8, width, height)

    def test_fonts(self):
        """both fonts have every printable ASCII character, each with a shape of its own"""
        printable = {chr(code) for code in range(0x20, 0x7F)}
        for font in (screen.vga_font(), screen.kernel_font()):
            self.assertLessEqual(printable, set(font.values()))

    def test_blank(self):
        """an empty screen has no lines, and no end"""
        image = screen.Image(drawn([], {}, 8, 640, 480))
        lines = screen.read(image, screen.known_fonts())
        self.assertEqual(set(lines), {""})
        self.assertIsNone(watch.status_on(lines))

    def test_unknown(self):
        """a cell that is no glyph is shown as unknown, not guessed"""
        ppm = bytearray(drawn(["A"], screen.kernel_font(), 8, 64, 16))
        ppm[-1] = 0xFF
        self.assertEqual(screen.read(screen.Image(bytes(ppm)), screen.known_fonts()[2:]),
                         ["A      " + screen.UNKNOWN])

    def test_damaged(self):
        """a screenshot that is not whole is refused"""
        ppm = drawn(TEXT, screen.kernel_font(), 8, 640, 480)
        for bad in (b"", ppm[:-1], ppm + b"x", b"P5" + ppm[2:]):
            with self.assertRaises(ValueError):
                screen.Image(bad)


if __name__ == "__main__":
    taptest.main()

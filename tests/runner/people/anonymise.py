# SPDX-License-Identifier: MIT
"""tests/anonymise: takes out of a log what tells whose machine it is, and keeps all that tells what it does.

Barecount reads no serial number, no name of a user and no address of a network. What is left are the text of
firmware, boot loader and terminal around the log, a brand string that no shop sells, and the folder of a QEMU that
somebody has built.
"""
import argparse
import re
import sys

from runner import logfile, program, tap
from runner.checksum import CHECK, END, Summed
from runner.problems import PASSED, Problem

DESCRIPTION = """\
Prints a log of Barecount without what tells whose machine it is: text around the log (firmware and terminals
name machines, disks and networks), a brand string other than the name of a processor on sale, as that of an
engineering sample, and the folder of a QEMU that the environment named. Family, model, stepping and microcode stay: they tell which errata apply. The file itself
does not change; what was taken out is said on standard error. Exit status: 0 printed, 2 the log is refused or
cannot be read.
"""
BRAND = re.compile(r"# brand: (.*)$")
# The folder of a QEMU of one's own, in the log's head or in a command that repeats a test.
FOLDER = re.compile(r"(# QEMU: |\bQEMU=).*/(?=[^/]*(?:, [\d.]*$| (?:tests/boot|barecount) ))")
TAKEN_OUT = "taken out"
# A product's name has these words and numbers only, in whatever order; any other word may be its owner's.
WORDS = set("""
    Intel AMD VIA Hygon Geode Genuine Authentic QEMU TCG KVM Virtual Common CPU Processor processor Gen Class class
    Core Core2 Duo Quad Solo Extreme Ultra Xeon Pentium Celeron Atom Itanium Mobile Dual Triple Six Eight QuadCore
    Platinum Gold Silver Bronze D E Pro II III M N X W MP Max Phi HD Graphics Radeon Vega with for
    Ryzen Threadripper EPYC Athlon Opteron Phenom Sempron Turion FX APU XP PRO Rome Milan Genoa Dhyana Eden Nano
    Conroe Merom Penryn Nehalem Westmere Sandy Ivy Bridge SandyBridge IvyBridge Haswell Broadwell Skylake Cascadelake
    Cooperlake Icelake Denverton SnowRidge Knights Mill Integrated IBRS C update version bit MHz Technology TL
""".split())
BETWEEN = re.compile(r"\((?:R|TM|tm|r)\)|[\s(),@/_-]+")
NUMBER = re.compile(r"(?=.*[1-9])(?=.{1,7}$)[A-Za-z]{0,2}\d{1,5}[A-Za-z\d]{0,4}\+?|\d+(\.\d+)?([GM]Hz|\+|st|nd|rd|th)")


def main(arguments):
    made = argparse.ArgumentParser("tests/anonymise", description=DESCRIPTION)
    made.add_argument("log", metavar="LOG", help="a capture of a serial line, or the output of tests/boot")
    return program.ended("tests/anonymise", run, made.parse_args(arguments).log)


def run(path):
    with open(path, "rb") as file:
        data = file.read()
    logfile.Reader(path, True).read(data)           # raises Refused unless it is one whole log
    text, taken = anonymised(data.decode("utf-8", "replace"))
    sys.stdout.write(text)
    program.complain("tests/anonymise", f"{path}: took out {' and '.join(taken) or 'nothing'}")
    return PASSED


def anonymised(text):
    """Returns a whole log's text without what identifies, with a check line that fits, and what was taken out."""
    lines, taken = [], []
    write = Summed(lines.append)
    inside, others = log_of(text.splitlines())
    for line in inside:
        brand = BRAND.match(line)
        if brand and not is_product(brand[1]):
            line = f"# brand: {TAKEN_OUT}"
            taken.append("the brand string")
        if FOLDER.search(line):
            line = FOLDER.sub(r"\1", line)
            taken.append("the folder of QEMU")
        if not CHECK.match(line):
            write(line)
    if others:
        taken.append(f"{others} line{'s' if others > 1 else ''} around the log")
    return "".join(f"{line}\n" for line in lines), list(dict.fromkeys(taken))


def log_of(lines):
    """Returns the lines of the log itself, and the number of others that are not empty."""
    first = next((at for at, line in enumerate(lines) if tap.VERSION.search(line)), None)
    last = next((at for at, line in enumerate(lines) if END.match(line)), None)
    if first is None or last is None:
        raise Problem("there is no whole log")
    before = tap.VERSION.search(lines[first])
    inside = [lines[first][before.start():], *lines[first + 1:last + 1]]
    others = [*lines[:first], lines[first][:before.start()], *lines[last + 1:]]
    return inside, sum(bool(line.strip()) for line in others)


def is_product(brand):
    """Says whether a brand string has no other words than names of processors on sale have."""
    words = filter(None, BETWEEN.split(brand))
    return brand == TAKEN_OUT or all(word in WORDS or NUMBER.fullmatch(word) for word in words)

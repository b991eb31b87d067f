# SPDX-License-Identifier: MIT
"""tests/linux/run linux:CPU program=NAME: programs of Debian on the model, and what starts them."""
import dataclasses

from runner import layout
from runner.guests import debian, kvm_modules, linux_image, programs_judge
from runner.handover import must_be_built
from runner.problems import Problem

FOLDER = layout.ROOT / "tests" / "linux" / "programs"
BUILT = layout.BUILD / "linux"
MEM_MB = 256
# Many more than for the drivers, so that few ticks of Linux' clock fall into what is counted.
INSTRUCTIONS_PER_SECOND = 100_000_000
NEW_LINUX, NEW = "7.3", {"perf": "perf-7.3", "rr": "rr-5.10"}   # programs of this year, which go with it
# The tests' own programs besides "counted".
OWN = {"perf": (), "events": (), "hybrid": (), "rr": (), "papi": ("papi_loop",), "selftests": (), "guests": ("guests",)}
WITH_KVM = ("selftests", "guests")


def find(word):
    """Returns the name in program=NAME; raises Problem if there is no such program."""
    name = word.partition("=")[2]
    if name not in OWN:
        raise Problem(f"the word {word!r} is not understood: it is program={'|'.join(OWN)}")
    return name


def files(name, row, board):
    """Yields name, mode and content of each file of the initramfs."""
    yield from debian.files(package(name, row))
    if name in WITH_KVM:
        yield from modules(board.linux, board.vpmu)
    if name == "guests":
        yield "guest", linux_image.FILE, must_be_built(BUILT / "guest.bin").read_bytes()
    yield from ((folder, linux_image.FOLDER, b"") for folder in ("proc", "sys", "dev", "tmp"))
    yield "init", linux_image.PROGRAM, (FOLDER / "init.sh").read_bytes()
    yield "program.sh", linux_image.FILE, (FOLDER / f"{name}.sh").read_bytes()
    yield "row.sh", linux_image.FILE, shell(row).encode()
    yield "bin/counted", linux_image.PROGRAM, must_be_built(BUILT / f"counted{row.bits}").read_bytes()
    for own in OWN[name]:
        yield f"bin/{own}", linux_image.PROGRAM, must_be_built(BUILT / own).read_bytes()


def package(name, row):
    """Returns what tests/linux/fetch calls the program."""
    if name == "selftests":
        return f"{name}-{row.linux}"
    if name == "guests":
        return "kexec"                  # for its shell
    name = "perf" if name in ("events", "hybrid") else name
    if row.linux == NEW_LINUX:
        return NEW.get(name, name)
    return name if row.bits == 64 else f"{name}-{row.bits}"


def modules(version, vpmu):
    """Yields KVM's modules, and the file that says how to load them."""
    found = [entry for entry in debian.files(f"kvm-{version}") if entry[0].endswith(".ko")]
    yield from found
    yield "modules", linux_image.FILE, "".join(f"{line}\n" for line in kvm_modules.lines((name for name, _, _ in found), vpmu)).encode()


def shell(row):
    """Returns the row as the scripts read it: a variable for each column, empty for -."""
    return "".join(f"{key.upper()}='{'' if value == programs_judge.NONE else value}'\n"
                   for key, value in dataclasses.asdict(row).items())

# SPDX-License-Identifier: MIT
"""Faults of the serial line: a program between the emulator and the runner that does one thing to one place.

`python3 serial.py FAULT SEED POSITION COUNT OUTPUT` copies standard input to the file OUTPUT.
"""
import os
import random
import sys
import time

READ_BYTES = 1 << 16
NEVER = 1000                    # seconds: longer than any run
LINES = (b"ok 5 - pmu\n", b"not ok 5 - pmu\n", b"# note\n", b"\n", b"TAP version 13\n", b"# end of run: status 0\n",
         b"1..5\n", b"Bail out!\n", b"  ---\n", b"  ...\n", b"# failed: pmu\n")


# Each takes the bytes from the position on, how many of them it is about, and random numbers; returns what comes
# instead.
FAULTS = {
    "drop": lambda rest, count, rng: rest[count:],
    "repeat": lambda rest, count, rng: rest[:count] + rest,
    "flip": lambda rest, count, rng: bytes([rest[0] ^ 1 << rng.randrange(8)]) + rest[1:],
    "insert": lambda rest, count, rng: rng.randbytes(count) + rest,
    "line": lambda rest, count, rng: b"\n" + rng.choice(LINES) + rest,
    "join": lambda rest, count, rng: rest.replace(b"\n", b"", 1),
    "swap": lambda rest, count, rng: swapped(rest),
    "zero": lambda rest, count, rng: bytes(count) + rest,
    "twice": lambda rest, count, rng: rest + rest,
    "cut": lambda rest, count, rng: b"",
    "carriage returns": lambda rest, count, rng: rest.replace(b"\n", b"\r\n"),
}
WAITS = ("pause", "silence")


def swapped(rest):
    lines = rest.split(b"\n", 3)
    return b"\n".join([lines[0], lines[2], lines[1], *lines[3:]]) if len(lines) > 3 else rest


def main(name, seed, position, count, output):
    """Copies all bytes and makes the fault; what waits is made while the guest runs, the others at its end."""
    rng, position, count = random.Random(int(seed)), int(position), int(count)
    with open(0, "rb", buffering=0) as source, open(output, "wb", buffering=0) as out:
        if name not in WAITS:
            data = b"".join(iter(lambda: source.read(READ_BYTES), b""))
            put(out, data[:position] + (FAULTS[name](data[position:], count, rng) if data[position:] else b""))
            return
        seen = 0
        for data in iter(lambda: source.read(READ_BYTES), b""):
            at = max(0, position - seen)
            if seen <= position < seen + len(data):
                put(out, data[:at])
                time.sleep(NEVER if name == "silence" else count / 1000)
                data = data[at:]
            put(out, data)
            seen += len(data)


def put(out, data):
    while data:
        data = data[out.write(data):]


def fault(boot):
    """A fault of the line: lost, doubled, changed, moved and late bytes."""
    name = boot.rng.choice([*FAULTS, "drop", "flip", "line", *WAITS])
    size = boot.sound.bytes
    position = boot.rng.choice((boot.rng.randrange(size), size - 1 - boot.rng.randrange(300), boot.rng.randrange(120)))
    count = boot.rng.randrange(100, 3000) if name == "pause" else boot.rng.choice((1, 1, 3, 60, 1000))
    program = f"exec python3 -I -S '{os.path.abspath(__file__)}' '{name}' {boot.seed} {position} {count} \"$serial\""
    boot.wrap(f"""fifo='{boot.folder}/line'; mkfifo "$fifo"
for word; do
    shift
    case $word in file,id=serial,path=*) word=file,id=serial,path=$fifo ;; esac
    set -- "$@" "$word"
done
({program}) < "$fifo" &
$real "$@"; status=$?; wait; rm -f "$fifo"; exit $status""")
    boot.what = f"{name} at byte {position} of {size}, {count}"


if __name__ == "__main__":
    main(*sys.argv[1:])

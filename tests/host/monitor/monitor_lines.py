# SPDX-License-Identifier: MIT
"""Random lines for the monitor: made from the syntax in `help`, bent, and raw keys.

The guest itself gives everything: commands and their syntax, names of registers, events and workloads. A new
command is typed without a change here.
"""
import re

EDGES = ("0 1 2 3 7 8 17 31 32 63 64 255 256 4095 65535 65536 2147483647 2147483648 4294967295 "
         "4294967296 18446744073709551615 18446744073709551616 99999999999999999999999 -1 0x 0xG H 1H "
         "FFH 0x186 186H 38FH 1A0H 1D9H 300H 10H 0x8000000000000000 FFFFFFFFFFFFFFFFH 0b1 1e3").split()
EXPRESSIONS = ("-100 -1 -2^31 2^48-1 2^40 2^63 2^64 -(2^64-1) 2^32-1 (3+1)*10H 10H*10H-1 0x10^2 1-2 -0 2^ ^2 "
               "1+ (1 1) () -- ((((((((((1)))))))))) 2^2^2^2^2^2^2^2^2^2 0^0 2^-1 FFFFFFFFFFFFFFFFH+1").split()
SMALL = [str(number) for number in range(1, 20)]
ROUNDS = ["1", "2", "10", "100", "500", "1000"]     # a thousand is a millisecond
PERIODS = ["1", "2", "10", "33", "100", "1000", "40000"]
SLOW = {"events", "repeat", "why"}                  # they print many lines or run others: typed less often
GLOBS = ("rdtsc.wide rdtsc.mode.cpl0 pmu.verdict rdpmc.width none.such.* ? [ *. rdtsc.*,pmu.* "
         "pmu.leaf_0a").split()
MASKS = "u k cmask=1 cmask=255 inv edge any EN=1 NBOGUSNTAG MESI M T0_OS ALL".split()
KEYS = [b"\x01", b"\x02", b"\x03", b"\x04", b"\x05", b"\x06", b"\x08", b"\x09", b"\x09\x09", b"\x0b",
        b"\x0c", b"\x0e", b"\x10", b"\x12", b"\x13", b"\x14", b"\x15", b"\x17", b"\x18", b"\x1a",
        b"\x7f", b"\x00", b"\x1b", b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\x1b[H", b"\x1b[F",
        b"\x1b[1~", b"\x1b[3~", b"\x1b[4~", b"\x1b[5~", b"\x1b[6~", b"\x1bOA", b"\x1bOP", b"\x1b[1;5C",
        b"\x1b[", b"\x1b[999999999999A", b"\x1b[?25l", b"\xff", b"\x80", b"\xc3\xa9", b"\x1bb", b"\x1bf"]
TOKEN = re.compile(r"\.\.\.|[\[\]|]|\s+|[^\[\]|\s.]+|\.")
NAME = re.compile(r"[A-Z]{2,}|[A-Z]")
REGISTER = re.compile(r"([A-Za-z][A-Za-z0-9_]*) \(([0-9A-F]+H)\)")
FIELD = re.compile(r"^  ([A-Z][A-Za-z0-9_]*)\[")
LONGEST = 700                   # characters; a line of the monitor's has 255


class Grammar:
    """The lines that can be typed on one machine. ask(line) returns the answer to a line."""

    syntax = {}                 # by command; the same on all machines

    def __init__(self, ask):
        self.names = [line.split()[0] for line in ask("help")[:-1]]
        for name in self.names:
            if name in self.syntax:
                continue
            first = ask(f"help {name}")[0]
            self.syntax[name] = parse(first[len(name):].partition(": ")[0].strip())
        registers = REGISTER.findall("\n".join([*self.ask_if("rdmsr", ask), *self.ask_if("uarch", ask)]))
        self.registers = [word for pair in registers for word in pair] or ["186H"]
        self.events = [line.split()[0] for line in self.ask_if("events", ask)
                       if line and not line.startswith(" ")] or ["PAPI_TOT_INS"]
        self.works = [line.split()[0] for line in self.ask_if("work", ask)[1:] if line.strip()] or ["loop"]
        fields = [found[1] for name in sorted(set(self.registers))[:12]
                  for line in self.ask_if("rdmsr", ask, f" {name}") if (found := FIELD.match(line))]
        self.fields = fields or ["EN"]

    def ask_if(self, name, ask, words=""):
        return ask(name + words) if name in self.names else []

    def line(self, random):
        """Keys, Enter at their end."""
        kind = random.random()
        if kind < 0.02:
            keys = bytes(random.choice(range(256)) for _ in range(random.randint(1, 40)))
        elif kind < 0.025:
            keys = self.command(random).encode() * random.randint(2, 40)
            keys = keys[:random.randint(200, LONGEST)]
        else:
            keys = self.command(random).encode("latin-1")
        if random.random() < 0.15:
            for _ in range(random.randint(1, 4)):
                at = random.randint(0, len(keys))
                keys = keys[:at] + random.choice(KEYS) + keys[at:]
        return keys.replace(b"\r", b"").replace(b"\n", b"") + b"\r"

    def command(self, random):
        name = random.choice(self.names)
        if name == "quit" and random.random() < 0.9:
            name = "help"
        if name in SLOW and random.random() < 0.7:
            return self.command(random)
        words = [name, *self.expand(self.syntax[name], random).split()]
        if name == "repeat" and len(words) > 1:
            words[1] = random.choice(SMALL)
        if len(words) == 1 and random.random() < 0.8:           # lists, most of them, long ones
            return self.command(random)
        if random.random() < 0.3:
            self.bend(words, random)
        return " ".join(words)

    def bend(self, words, random):
        """Replaces, removes, doubles or moves one word, or makes it nonsense."""
        at = random.randrange(len(words))
        way = random.randrange(5)
        if way == 0:
            words[at] = random.choice(EDGES + EXPRESSIONS)
        elif way == 1:
            del words[at]
        elif way == 2:
            words.insert(at, words[random.randrange(len(words))])
        elif way == 3:
            random.shuffle(words)
        elif random.random() < 0.9:
            cut = random.randint(0, len(words[at]))
            words[at] = words[at][:cut] + chr(random.randint(33, 126)) + words[at][cut:]
        else:
            words += ["x"] * random.choice((1, 2, 31, 32, 60))

    def expand(self, tree, random):
        kind, value = tree
        if kind == "text":
            return NAME.sub(lambda found: self.placeholder(found[0], random), value)
        if kind == "choice":
            return self.expand(random.choice(value), random)
        if kind == "maybe":
            return self.expand(value, random) if random.random() < 0.7 else ""
        if kind == "many":
            times = random.choice((1, 1, 1, 2, 3, 8))
            return " ".join(self.expand(value, random) for _ in range(times))
        return "".join(self.expand(part, random) for part in value)

    def placeholder(self, name, random):
        """Returns a word for a name in capitals of the syntax."""
        if random.random() < 0.04:
            return random.choice(EDGES + EXPRESSIONS)
        if name in ("WORK", "WORKLOAD"):
            rounds = random.choice(ROUNDS) if name == "WORK" else ""
            return f"{random.choice(self.works)}{':' if rounds else ''}{rounds}"
        if name == "COMMAND":
            return self.command(random)
        words = {"REGISTER": self.registers, "EVENT": self.events, "FIELD": self.fields,
                 "MASK": MASKS, "GLOB": GLOBS, "N": PERIODS, "ROUNDS": ROUNDS, "WAY": ["fail"],
                 "VALUE": EDGES + EXPRESSIONS + SMALL, "WORD": ["papi", "l1", "x", "br"]}
        return random.choice(words.get(name, SMALL))


def parse(syntax):
    """Returns a tree of (kind, value): text, all (in this order), choice, maybe, many."""
    tokens = TOKEN.findall(syntax)
    tree = sequence(tokens)
    assert not tokens, f"{syntax!r} has a ] too many"
    return tree


def sequence(tokens):
    """Parses to the closing bracket; alternatives are words or, with blanks around |, everything on one side."""
    options, parts = [], []
    while tokens and tokens[0] != "]":
        token = tokens.pop(0)
        if token == "[":
            parts.append(("maybe", sequence(tokens)))
            assert tokens, "a [ is not closed"
            tokens.pop(0)
        elif token == "..." and parts:
            parts.append(("many", parts.pop()))
        elif token == "|":
            options.append(("all", parts))
            parts = []
        else:
            parts.append(("text", token))
    return ("choice", [*options, ("all", parts)]) if options else ("all", parts)

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Types random lines into the monitor of several machines: after all of them the prompt comes back.

BARECOUNT_SEED repeats a run, LINES makes it longer; machines named as arguments run alone.
"""
import concurrent.futures
import os
import random
import re
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
import monitor_lines                                # noqa: E402
from runner.problems import Problem, Unavailable    # noqa: E402
from runner.session import PROMPT                   # noqa: E402
from open_session import PATIENCE, QUIET, OpenSession   # noqa: E402

# (words, lines of a thousand): two processors cost the host more than twice as much.
MACHINES = {
    "model:pentium_mmx": ("", 240), "model:p3_katmai": ("", 240), "model:p4_willamette": ("", 240),
    "model:corei7_haswell_4770": ("", 240), "model:p4_prescott_celeron_336": ("smp=1:1:2", 40),
}
LINES = int(os.environ.get("LINES", "4000"))
SEED = int(os.environ.get("BARECOUNT_SEED") or random.SystemRandom().randrange(1 << 32))
SILENCE = 30                    # seconds; a machine that is silent for longer hangs
CHUNK = 50                      # lines that are typed without waiting for their answers
CHUNKS = 8                      # chunks from one check of the machine to the next
IPS = 12_000_000                # with this clock a key takes a quarter of its usual instructions
GATHER = 0.005                  # seconds; the machine writes each character separately
ASKS = re.compile(rb"(?:^|[\n\r])(?:cpu \d+)?> ")
MARK = re.compile(rb"no command (mark\d+);")
SHOWN = 20
ASKED = "count PAPI_TOT_INS on loop:1000"
SUITE = "run rdtsc.* pmu.verdict"
ENDED = b"# end of run: status 0"


class Broken(Exception):
    """The machine did not survive an input."""


class Typist:
    """One machine, its grammar, and the lines that were typed."""

    def __init__(self, machine, words, seed, lines, grammar=monitor_lines.Grammar, silence=SILENCE):
        self.machine, self.words, self.lines = machine, words.split(), lines
        self.make_grammar, self.grammar, self.silence = grammar, None, silence
        self.random = random.Random(f"{seed} {machine}")
        self.typed, self.boots, self.marks = [], 0, 0

    def run(self):
        """Returns how many lines were typed, raises Broken."""
        while self.lines > 0:
            self.boots += 1
            with OpenSession(self.machine, self.words, ips=IPS) as self.session:
                try:
                    self.follow()
                except Problem as problem:
                    raise Broken(str(problem)) from None
        return len(self.typed)

    def follow(self):
        """Types all lines, or those up to the first `quit`."""
        self.grammar = self.grammar or self.make_grammar(self.ask)
        well = self.count()
        while self.lines > 0:
            for _ in range(CHUNKS):
                if self.lines > 0 and not self.type_ahead():
                    return
            self.expect(self.count, lambda said: said == well, f"{ASKED!r}, which said {well},")
        self.expect(lambda: self.ask_in_peace(SUITE), lambda said: said and "PASS" in said[-1],
                    repr(SUITE))

    def type_ahead(self):
        """Types many lines at once, then one with a known answer; returns False if `quit` ended the machine."""
        self.marks += 1
        mark = f"mark{self.marks}".encode()
        keys = [self.grammar.line(self.random) for _ in range(min(CHUNK, self.lines))]
        self.typed += keys
        self.session.pending = b""
        self.session.type(b"".join(keys) + mark + b"\r")
        if self.await_mark(mark):
            self.lines -= len(keys)
            return True
        self.lines -= min(len(keys), len(ASKS.findall(self.session.pending)))      # `quit` was among them
        return False

    def await_mark(self, mark):
        session, end = self.session, time.monotonic() + self.silence
        while mark not in MARK.findall(session.pending):
            before = len(session.pending)
            time.sleep(GATHER)
            if not session.take(PATIENCE):
                return self.has_quit()
            if len(session.pending) > before:
                end = time.monotonic() + self.silence
            elif time.monotonic() > end:
                raise Broken(f"the prompt did not come back after {session.pending[-200:]!r}")
            else:                               # CTRL-C ends a half-typed line, and a running command
                session.type(b"\x03" + mark + b"\r")
        session.drain(PATIENCE)
        return True

    @staticmethod
    def expect(ask, is_good, what):
        if not is_good(said := ask()):
            raise Broken(f"{what} now says {said}")

    def count(self):
        """Returns event, counter and count, without the cycles of the row below, which depend on earlier work."""
        said = self.ask_in_peace(ASKED)
        return said[1].split()[:3] if len(said) > 1 else said

    def ask_in_peace(self, line):
        """Returns the answer to a line on the boot processor, with nothing half typed and its own PMU."""
        self.session.type(b"\x03")
        self.session.drain(QUIET)
        self.session.type(b"\x03")
        self.await_prompt(self.silence)
        for before in ("page off", "cpu 0", "uarch auto"):
            self.ask(before)
        return self.ask(line)

    def ask(self, line):
        """Waits as long as necessary, types nothing meanwhile, and returns the lines that the command prints."""
        self.typed.append(line.encode())
        self.session.write_line(line)
        self.session.type(b"\r")
        if not self.await_prompt(QUIET * 20):
            raise Broken(f"the machine ended at {line!r}")
        return self.said.decode("utf-8", "replace").replace("\r", "").split("\n")[1:-1]

    def await_prompt(self, patience):
        session, end, helped = self.session, time.monotonic() + self.silence, 0
        while not PROMPT.search(session.pending, max(0, len(session.pending) - 16)):
            before = len(session.pending)
            if not session.take(patience):
                return self.has_quit()
            if len(session.pending) == before:          # Enter; then what ends `repeat`, `run`
                session.type(b"\x03" if helped else b"\r")
                helped += 1
            if time.monotonic() > end:
                raise Broken("the prompt did not come back")
        if helped:                                      # the keys may have made more prompts than one
            session.drain(PATIENCE)
        self.said, session.pending = session.pending, b""
        return True

    def has_quit(self):
        """Returns False if it has ended; raises Broken if it ended in another way."""
        if ENDED in self.session.pending:
            return False
        raise Broken(f"the machine ended: {self.session.pending[-300:].decode(errors='replace')!r}")


class OneLine:
    """A stand-in for a grammar, with one line."""

    keys = b""

    def __init__(self, _):
        pass

    def line(self, _):
        return self.keys


class Sight(taptest.Case):
    """Machines that break are found."""

    def see(self, line, sentence):
        OneLine.keys = line
        typist = Typist("model:p3_katmai", "broken", SEED, 3, OneLine, silence=1)
        with self.assertRaisesRegex(Broken, sentence):
            typist.run()
        self.assertEqual(typist.typed[-1], line)

    def test_halt(self):
        """a command that halts the machine is found, and is the last line typed"""
        self.see(b"broken halt\r", "the prompt did not come back")

    def test_handler(self):
        """a command that leaves the machine without a handler of NMIs is found"""
        self.see(b"broken lose_handler\r", "the machine ended")


class Fuzz(taptest.Case):
    """One test for each machine; main() starts them all."""

    RUNNING = {}


def case(machine):
    def test(self):
        typist, future = self.RUNNING[machine]
        try:
            typed = future.result()
        except Unavailable as reason:
            self.skipTest(str(reason))
        except Broken as broken:
            self.fail(f"{machine}: {broken}\nThe last lines typed were\n  " + "\n  ".join(
                map(repr, typist.typed[-SHOWN:])) + f"\nRepeat it: LINES={LINES} BARECOUNT_SEED={SEED} "
                f"tests/host/monitor/monitor-fuzz.t {machine}")
        self.assertGreaterEqual(typed, share(machine))
    return test


def share(machine):
    """Returns the number of lines that the machine gets."""
    return LINES * MACHINES[machine][1] // 1000


def work(typist):
    began = time.monotonic()
    try:
        return typist.run()
    finally:
        print(f"# {typist.machine}: {len(typist.typed)} lines, {typist.boots} boots, "
              f"{time.monotonic() - began:.1f} s", flush=True)


def main():
    machines = sys.argv[1:] or list(MACHINES)
    print(f"# seed {SEED}", flush=True)
    for machine in machines:
        test = case(machine)
        test.__doc__ = f"random lines do not hurt {machine}"
        setattr(Fuzz, "test_" + machine.translate(str.maketrans(":", "_")), test)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for machine in machines:
            typist = Typist(machine, MACHINES[machine][0], SEED, share(machine))
            Fuzz.RUNNING[machine] = typist, pool.submit(work, typist)
        taptest.main()


if __name__ == "__main__":
    main()

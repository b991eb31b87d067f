#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Pages: generated ones are up to date with tables, sources and a run; links and names lead somewhere."""
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import layout, machine          # noqa: E402
from runner.campaigns import quirks          # noqa: E402
from runner.defects import rows                 # noqa: E402
from runner.checksum import CHECK                   # noqa: E402
from runner.turns import asked                      # noqa: E402

COMMITTED = taptest.ROOT / "docs" / "events.md"
INTEL_EVENTS = taptest.ROOT / "pmu" / "events" / "tables" / "intel_events.csv"
AMD_EVENTS = taptest.ROOT / "pmu" / "events" / "tables" / "amd_events.csv"


def load_script(name):
    """Returns a script of tests/generate as a module."""
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(taptest.TESTS / "generate" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


SHOW = load_script("events-table")
AMD = load_script("amd-events-table")
INTEL = load_script("intel-events-table")
FIGURE = load_script("sampling-figure")
DEFECTS = load_script("defects-table")
LIBERTIES = load_script("liberties-table")
PICTURE = load_script("architecture-figure")
WORDS = load_script("commandline-page")
MONITOR = load_script("monitor-page")
PRESETS = load_script("presets-table")


def listed(program):
    """Returns the output of a host program of the build."""
    return subprocess.run([layout.BUILD / program], text=True, check=True, capture_output=True).stdout


def changed(listing, starts, keys, **cells):
    """Returns a listing with other cells in the first line that starts so; without cells these lines are left out."""
    lines = listing.splitlines()
    names = next(line for line in lines if line.startswith(keys)).split("\t")
    places = [i for i, line in enumerate(lines) if line.startswith(starts) and line.split("\t") != names]
    if not cells:
        return "\n".join(line for i, line in enumerate(lines) if i not in places)
    row = dict(zip(names, lines[places[0]].split("\t")))
    lines[places[0]] = "\t".join({**row, **cells}.values())
    return "\n".join(lines)


class Docs(unittest.TestCase):

    def setUp(self):
        self.events, self.model = listed("events"), listed("model-events")

    def problems(self, events=None, model=None):
        return SHOW.read(events or self.events, model or self.model).problems

    def broken(self, start="exercise\tp6\tp6.events.inst_retired\t", **cells):
        """Returns the complaints about this row with these cells."""
        return self.problems(changed(self.events, start, "exercise\tsuite", **cells))

    def test_nothing_wrong(self):
        """every required event has an exercise or a reason, and every row makes sense"""
        self.assertEqual(self.problems(), [])

    def test_committed(self):
        """docs/events.md is up to date: `make docs` makes it"""
        fresh = SHOW.document(SHOW.read(self.events, self.model))
        self.assertEqual(COMMITTED.read_text(encoding="utf-8").splitlines(), fresh.splitlines())

    def test_sixty(self):
        """at least 60 events of P6 have a test, and every one of P5 and NetBurst"""
        table = SHOW.read(self.events, self.model)
        self.assertGreaterEqual(len({x["event"] for x in table.exercises if x["suite"] == "p6"}), 60)
        missing = [event["name"] for event in table.events if event["family"] in ("p5", "netburst")
                   and event["reserved"] == "0" and not SHOW.exercises_of(table, event)]
        self.assertEqual(missing, [])

    def test_without_exercise(self):
        """a required event without any row is named"""
        start = "exercise\tp6\tp6.events.inst_retired\t"
        self.assertEqual(self.problems(changed(self.events, start, "exercise\tsuite")),
                         ["p6 INST_RETIRED: a required event without an exercise or a reason for having none"])

    def test_without_reason(self):
        """a row with neither an exercise nor a reason is named"""
        said = self.broken(moves="", test="", reason="", flags="")
        self.assertIn("p6.events.inst_retired: neither an exercise nor a reason", said)

    def test_senseless_rows(self):
        """rows that contradict themselves or the table are named"""
        for cells, sentence in (
                ({"event": "NOTHING"}, "there is no event  NOTHING"),
                ({"mask": "MESI"}, "INST_RETIRED has no mask MESI"),
                ({"flags": "exact relation "}, "exactly one of"),
                ({"flags": "exact ", "low": "1", "high": "2"}, "exact, but from 1 to 2"),
                ({"flags": "exact ", "low": "1", "high": "1", "why": ""}, "no word on why"),
                ({"flags": "reported ", "reason": ""}, "no word on why it is not judged"),
                ({"elsewhere": "reported", "reason": ""}, "no word on why it is not judged"),
                ({"few": "9", "many": "9"}, "few rounds must be fewer"),
                ({"id": "p6.events.other"}, "its event is INST_RETIRED")):
            with self.subTest(sentence):
                self.assertIn(sentence, "\n".join(self.broken(**cells)))

    def test_model(self):
        """an event that the model does not count is `no`; one that it counts with some masks only is `part`"""
        keys = "family\tselect\tumask_bits\tumask\tcounters\tmodels\tmodelled\n"
        table = SHOW.read(self.events, keys + "p6\t2E\t08\t08\t3\tPPro,PII,PIII,PM,\t1\n"
                                              "p6\tC0\t00\t00\t3\tPPro,PII,PIII,PM,\t1\n")
        said = {event["name"]: SHOW.modelled(table, event) for event in table.events}
        self.assertEqual([said[name] for name in ("L2_RQSTS", "INST_RETIRED", "UOPS_RETIRED")],
                         ["part", "yes", "no"])


class IntelEvents(unittest.TestCase):
    """docs/intel-events.md and the table of Intel's events."""

    def setUp(self):
        self.table = INTEL.Table(INTEL_EVENTS, listed("events"), listed("model-events"))

    def test_committed(self):
        """docs/intel-events.md is up to date: `make docs` makes it"""
        page = taptest.ROOT / "docs" / "intel-events.md"
        self.assertEqual(page.read_text(encoding="utf-8").splitlines(), INTEL.document(self.table).splitlines())

    def test_nothing_wrong(self):
        """every name in an exercise is in the table; one that is not is named"""
        self.assertEqual(list(INTEL.problems(self.table)), [])
        self.table.exercises[0]["event"] = "NO_SUCH.EVENT"
        self.assertIn("no processor has NO_SUCH.EVENT", "".join(INTEL.problems(self.table)))

    def test_thirty_each(self):
        """each processor that a test can pose as has at least 30 events that are judged, and 10 that are shown"""
        for processor in INTEL.POSED:
            judged, shown = set(), set()
            for exercise in self.table.exercises:
                event = self.table.found(exercise, processor)
                (shown if exercise["flags"].strip() == "reported" else judged).add(event)
            self.assertGreaterEqual((len(judged - {None}) >= 30, len(shown - judged - {None}) >= 10), (True, True), processor)


class AmdEvents(unittest.TestCase):
    """docs/amd-events.md and the table of AMD's events."""

    def setUp(self):
        self.events, self.model = listed("events"), listed("model-events")

    def table(self, path=AMD_EVENTS, events=None):
        return AMD.Table(path, events or self.events, self.model)

    def without(self, text, other):
        """Returns the complaints about a table in which a text is another one, once."""
        lines = AMD_EVENTS.read_text(encoding="ascii")
        self.assertIn(text, lines)
        with tempfile.NamedTemporaryFile("w", encoding="ascii") as file:
            file.write(lines.replace(text, other, 1))
            file.flush()
            return self.table(file.name).problems

    def test_nothing_wrong(self):
        """every event of every processor of AMD's has an exercise or a reason, and not both"""
        self.assertEqual(self.table().problems, [])

    def test_committed(self):
        """docs/amd-events.md is up to date: `make docs` makes it"""
        page = taptest.ROOT / "docs" / "amd-events.md"
        self.assertEqual(page.read_text(encoding="utf-8").splitlines(),
                         AMD.document(self.table()).splitlines())

    def test_modelled(self):
        """what exercises judge as exact for more than 0, the model counts"""
        table = self.table()
        for event in table.events:
            for processor in event.processors:
                for exercise, mask in AMD.exercises_of(table, event, processor):
                    names = dict(map(reversed, event.masks))
                    bits = sum(names[name] for name in mask.split("+")) if mask else event.full
                    with self.subTest(event=event.name, processor=processor, mask=mask):
                        self.assertTrue(exercise["low"] == "0"
                                        or AMD.is_modelled(table, event, bits, processor))

    def test_without_reason(self):
        """an event without an exercise and a reason is named with its processors"""
        self.assertIn("SMI_RECEIVED (02BH) on Zen2, Zen3, Zen4, Zen5: neither an exercise nor a reason",
                      self.without("SMI_RECEIVED,Zen2 Zen3 Zen4 Zen5,any,sys,,00,,,smi,",
                                   "SMI_RECEIVED,Zen2 Zen3 Zen4 Zen5,any,sys,,00,,,,"))

    def test_without_exercise(self):
        """an event whose exercise is gone is named, and so is an exercise whose event is gone"""
        start = "exercise\tamd\tamd.events.retired_instructions\t"
        said = self.table(events=changed(self.events, start, "exercise\tsuite")).problems
        self.assertTrue(said)
        self.assertEqual([line for line in said if not line.startswith("RETIRED_INSTRUCTIONS (0C0H) on ")], [])
        said = self.without("EXECUTED_CLFLUSH_INSTRUCTIONS,", "OTHER,")
        self.assertIn("amd.events.executed_clflush: no processor has EXECUTED_CLFLUSH_INSTRUCTIONS ", said)

    def test_both(self):
        """an event with an exercise and a reason for having none is named"""
        said = self.without("EXECUTED_CLFLUSH_INSTRUCTIONS,15H,any,spec,,00,,,,",
                            "EXECUTED_CLFLUSH_INSTRUCTIONS,15H,any,spec,,00,,,pipeline,")
        self.assertEqual(said, ["EXECUTED_CLFLUSH_INSTRUCTIONS (030H): an exercise, and a reason for having none"])


class Sample(unittest.TestCase):
    """The README's first run."""

    def test_sample(self):
        """each line of the README's sample, except the sum, is one of that run, in this order"""
        command, *sample = (taptest.ROOT / "README.md").read_text().split("```\n")[1].splitlines()
        setting, _, *words = shlex.split(command.removeprefix("$ "))
        name, _, quirk = setting.partition("=")
        run = taptest.Run(*words, env={**os.environ, name: quirk})
        said = iter(map(without_sum, run.out))
        for line in map(without_sum, sample):
            self.assertIn(line, said, f"{line}\n{run}")


def without_sum(line):
    return "# check" if CHECK.match(line) else line


class Liberties(unittest.TestCase):
    """docs/liberties.md."""

    def test_committed(self):
        """docs/liberties.md is up to date: `make docs` makes it"""
        self.assertEqual((taptest.ROOT / "docs" / "liberties.md").read_text(), LIBERTIES.document(rows.liberties()))

    def test_twins(self):
        """the quirks that a liberty names exist"""
        known = {quirk.name for quirk in quirks.load()}
        for row in rows.liberties():
            self.assertLessEqual(set(row.texts.get("quirks", "").split()), known, row.name)


class Defects(unittest.TestCase):
    """docs/defects.md."""

    def setUp(self):
        self.known = [quirk for quirk in quirks.load() if quirk.test]
        self.waiting = DEFECTS.read_waiting(DEFECTS.WAITING.read_text().splitlines())

    def wrong(self, *waiting):
        return "\n".join(DEFECTS.problems(self.known, [*self.waiting, *waiting]))

    def test_committed(self):
        """docs/defects.md is up to date: `make docs` makes it; every defect is there once"""
        self.assertEqual(self.wrong(), "")
        self.assertEqual((taptest.ROOT / "docs" / "defects.md").read_text(),
                         DEFECTS.document(self.known, self.waiting))

    def test_wrong(self):
        """a defect that waits and is shown, or waits twice, or lacks a reason or its number, is named"""
        row = {"id": "D001", "defect": "x", "source": "x", "reason": "x"}
        self.assertEqual(self.wrong(row), "D001: it has a quirk, and waits")
        self.assertEqual(self.wrong({**row, "id": "D008"}), "D008: it waits twice")
        self.assertEqual(self.wrong({**row, "id": "D999", "reason": ""}), "D999: a cell is empty")
        self.assertIn("D1: a defect is D and three digits", self.wrong({**row, "id": "D1"}))

    def test_kinds(self):
        """the source decides the kind"""
        for number, source, kind in (
                ("D001", "KVM, Linux 12", "historical"), ("D001", "erratum X", "silicon erratum"),
                ("D001", "silicon of X, Linux", "silicon erratum"), ("D001", "after KVM", "variant"),
                ("D001", "made up, as KVM", "variant"), ("", "after erratum X", "made up"),
                ("", "made up", "made up"), ("", "control", "control")):
            self.assertEqual(quirks.kind_of(number, source), kind)


class Architecture(unittest.TestCase):
    """docs/architecture.svg."""

    def setUp(self):
        self.graph = PICTURE.read()
        self.shown = PICTURE.drawn_in((taptest.ROOT / "docs" / "architecture.svg").read_text())

    def test_arrows(self):
        """the picture has the arrows that the sources have: `make docs` makes it"""
        self.assertEqual(sorted(self.shown.arrows), sorted(self.graph.arrows))
        self.assertIn(("tests/suites", "pmu"), self.graph.arrows)

    def test_downwards(self):
        """dependencies point down; one that points up is found and drawn in red"""
        self.assertEqual(PICTURE.upwards(self.graph.arrows), [])
        wrong = PICTURE.graph({"arch/a.c": "#include <kernel/b.h>\n", "model/b.asm": '%include "pmu/c.inc"\n',
                               "arch/regs/c.h": "#include <arch/regs/d.h>\n"})
        self.assertEqual(PICTURE.upwards(wrong.arrows), [("arch", "kernel")])
        self.assertEqual(wrong.arrows, {("arch", "kernel"), ("model", "pmu")})
        self.assertRegex(PICTURE.draw(wrong), r'id="arch to kernel".*stroke="var\(--up\)"')

    def test_sizes(self):
        """every folder has a box, and its size is right to a quarter"""
        self.assertEqual(sorted(self.shown.lines), sorted(PICTURE.FOLDERS))
        for folder, lines in self.graph.lines.items():
            self.assertAlmostEqual(self.shown.lines[folder], lines, delta=lines / 4, msg=folder)

    def test_inside(self):
        """each box shows the folders in it that have sources"""
        shown = (taptest.ROOT / "docs" / "architecture.svg").read_text()
        for folder in PICTURE.FOLDERS:
            box = re.search(rf'class="name"[^>]*>{folder}/<.*', shown)[0]
            here = {path.removeprefix(folder + "/").split("/")[0] for path in PICTURE.layers.read()
                    if PICTURE.folder_of(path) == folder and path.count("/") > folder.count("/") + 1}
            if PICTURE.INSIDE[folder]:
                self.assertEqual(set(re.findall(r'class="inside"[^>]*>(\w+)<', box)), here, folder)

    def test_shown(self):
        """the picture shows the graph that was drawn"""
        shown = PICTURE.drawn_in(PICTURE.draw(self.graph))
        self.assertEqual(shown.arrows, self.graph.arrows)
        self.assertEqual(shown.lines, {folder: PICTURE.rounded(n) for folder, n in self.graph.lines.items()})


class Presets(unittest.TestCase):
    """docs/presets.md."""

    def setUp(self):
        self.listing = listed("presets")

    def test_committed(self):
        """docs/presets.md is up to date: `make docs` makes it"""
        page = (taptest.ROOT / "docs" / "presets.md").read_text()
        self.assertEqual(page.splitlines(), PRESETS.document(PRESETS.read(self.listing)).splitlines())

    def test_wrong(self):
        """a microarchitecture without a row, a row that none needs, and one with neither events nor a
        reason are named"""
        self.assertEqual(PRESETS.read(self.listing).problems, [])
        for cells, sentence in (
                ({"on": "0"}, "PAPI_TOT_INS: a row (0) that no microarchitecture needs"),
                ({"on": "0"}, "PAPI_TOT_INS: no row for Pentium MMX"),
                ({"parts": ""}, "PAPI_TOT_INS: on P5 neither events nor a reason, or both")):
            with self.subTest(sentence):
                said = changed(self.listing, "row\tPAPI_TOT_INS", "row\tpreset", **cells)
                self.assertIn(sentence, PRESETS.read(said).problems)


class Commandline(unittest.TestCase):
    """docs/commandline.md."""

    def setUp(self):
        self.rows = WORDS.rows(listed("words"))
        self.page = (taptest.ROOT / "docs" / "commandline.md").read_text()

    def test_committed(self):
        """docs/commandline.md is up to date: `make docs` makes it; each word has a text and an example"""
        self.assertEqual(self.page.splitlines(), WORDS.document(listed("words")).splitlines())
        self.assertEqual([said for row in self.rows for said in WORDS.wrong_with(row)], [])

    def test_wrong(self):
        """a word without a text, or with another one's example, is named"""
        row = self.rows[0]
        self.assertEqual(list(WORDS.wrong_with({**row, "about": ""})), ["it has no text for this page"])
        self.assertEqual(list(WORDS.wrong_with({**row, "example": "skip=a"})), ["its example does not have it"])

    def test_guests(self):
        """docs/guests.md has each test of guests, and no other"""
        ids = (taptest.ROOT / "tests" / "ids.csv").read_text()
        live = set(re.findall(r"^\d+,((?:vmx|svm)\.\S+),live,", ids, re.MULTILINE))
        said = (taptest.ROOT / "docs" / "guests.md").read_text()
        self.assertEqual(set(re.findall(r"`((?:vmx|svm)\.\w[\w.]+)`", said)), live)

    def test_examples(self):
        """every example has only known words"""
        kernels = {row["name"] for row in self.rows}
        examples = re.findall(r"^    (?:[A-Z_]+=\S+ )?tests/boot (?!.*TARGET)(.*)$", self.page, re.MULTILINE)
        self.assertGreater(len(examples), 3)
        for example in examples:
            _, _, words = machine.split(asked.read(shlex.split(example)).words)
            self.assertLessEqual({word.partition("=")[0] for word in words}, kernels, example)

    def test_files(self):
        """the files that it names exist; barecount.cfg is the user's"""
        part = self.page.partition("## FILES")[2].partition("## ")[0]
        paths = re.findall(r"`([^`]+)`", "".join(line.split("|")[1] for line in part.splitlines() if "`" in line))
        self.assertIn("build/barecount.iso", paths)
        missing = [path for path in paths if not (taptest.ROOT / path).exists()]
        self.assertEqual([path for path in missing if path != "build/logs"], ["barecount.cfg"])


class Monitor(unittest.TestCase):
    """docs/monitor.md."""

    def test_committed(self):
        """docs/monitor.md has the monitor's output, except for numbers: `make docs` makes it"""
        page = (taptest.ROOT / "docs" / "monitor.md").read_text()
        self.assertEqual(MONITOR.same(page), MONITOR.same(MONITOR.document()))

    def test_same(self):
        """another number does not change the page, another word does"""
        self.assertEqual(MONITOR.same("a  at 1F2H, 12.5% ##"), MONITOR.same("a at 33H, 7% ####"))
        self.assertNotEqual(MONITOR.same("a at 1F2H"), MONITOR.same("b at 1F2H"))

    def test_syntax(self):
        """a syntax with a colon is read whole; a help that does not begin as it must is refused"""
        self.assertEqual(MONITOR.syntax_of("count", "it: counts", "count E[:M] on W: it: counts"), "count E[:M] on W")
        with self.assertRaises(ValueError):
            MONITOR.syntax_of("count", "it counts", "count E: counts")


class Links(unittest.TestCase):
    """Links between the pages."""

    def test_index(self):
        """docs/README.md names every page"""
        index = (taptest.ROOT / "docs" / "README.md").read_text()
        pages = {page.name for page in (taptest.ROOT / "docs").glob("*.md")} - {"README.md"}
        self.assertEqual([page for page in sorted(pages) if f"({page})" not in index], [])

    def test_links(self):
        """every link leads to a file, and to a heading of it"""
        pages = [*sorted(taptest.ROOT.glob("*.md")), taptest.ROOT / "model" / "README.md",
                 *sorted((taptest.ROOT / "docs").rglob("*.md"))]
        self.assertIn(taptest.ROOT / "README.md", pages)
        self.assertEqual([said for page in pages for said in wrong_links(page)], [])

    def test_wrong(self):
        """a link that leads nowhere is named"""
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "a.md"
            page.write_text("# A `b` c?\n[x](#a-b-c) [x](#d) [x](e.md) [x](a.md#A) [x](https://f)\n")
            self.assertEqual(wrong_links(page), ["a.md: #d", "a.md: e.md", "a.md: a.md#A"])


def wrong_links(page):
    return [f"{page.name}: {link}" for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text())
            if "://" not in link and not leads_somewhere(page, *link.partition("#")[::2])]


class Names(unittest.TestCase):
    """The files and functions that the developers' pages name exist."""

    def test_names(self):
        """every file and every function that docs/architecture.md and docs/howto.md name is there"""
        called = calls_of("\n".join([*PICTURE.layers.read().values(), (taptest.ROOT / "Makefile").read_text()]))
        for page in ("architecture.md", "howto.md"):
            with self.subTest(page):
                text = (taptest.ROOT / "docs" / page).read_text()
                self.assertEqual(wrong_names(text, called), [])

    def test_wrong(self):
        """a file and a function that are not there are named"""
        said = wrong_names("`arch/smp/smp.h` `tests/suites/*/*.c` `arch/none.h` `f()` `ghi()` `g_x()` `kernel/`", calls_of("int f(void) g_x ("))
        self.assertEqual(said, ["arch/none.h", "ghi()"])


class Walks(unittest.TestCase):
    """The walks through the sources, in docs/architecture.md."""

    def test_walks(self):
        """each step of a walk names files, and functions that these files define"""
        page = (taptest.ROOT / "docs" / "architecture.md").read_text()
        found = steps(page)
        self.assertEqual(len(re.findall(r"^### ", page, re.MULTILINE)), 6)
        self.assertGreater(len(found), 50)
        self.assertEqual([said for step in found for said in wrong_step(step)], [])

    def test_wrong(self):
        """a step without a file or a function, and a function that is elsewhere, are named"""
        found = steps("1. `f()`\n### A\n1. x\n2. `kernel/lib/glob.c`: `glob_is_match()`,\n   `f()`\n3. `kernel/lib/glob.c`\n## B\n4. y\n")
        self.assertEqual([wrong_step(step) for step in found],
                         [["x: names no file, or no function"], ["`kernel/lib/glob.c`: `glob_is_match()`, `f()`: has no f()"],
                          ["`kernel/lib/glob.c`: names no file, or no function"]])


def steps(page):
    """Returns the numbered steps of all walks, which are the headings of level 3, each in one line."""
    walks = re.findall(r"^### .*\n((?:(?!##).*\n)*)", page, re.MULTILINE)
    found = re.findall(r"^\d+\. (.*(?:\n   .*)*)", "".join(walks), re.MULTILINE)
    return [" ".join(step.split()) for step in found]


def wrong_step(step):
    """Returns what is wrong with a step: it names nothing, or a function that none of its files defines."""
    paths = [taptest.ROOT / name for name in re.findall(r"`([\w.-]+/[\w./-]+)`", step)]
    calls = re.findall(r"`(\w+)\(\)`", step)
    if not paths or not calls:
        return [f"{step}: names no file, or no function"]
    text = "".join(path.read_text() for path in paths if path.is_file())
    return [f"{step}: has no {call}()" for call in calls
            if not re.search(rf"^(?:\S.*\b|\s+def |){call}\(", text, re.MULTILINE)]


def calls_of(sources):
    """Returns the names that a parenthesis follows."""
    return set(re.findall(r"\b(\w+) ?\(", sources))


def wrong_names(text, called):
    """Returns paths from a folder of the root, and calls, that do not exist; * and NAME stand for any name."""
    quoted = sorted(set(re.findall(r"`([^`\s]+)`", text)))
    tops = {path.name for path in taptest.ROOT.iterdir() if path.is_dir()} - {"build"}
    paths = [name for name in quoted if re.fullmatch(r"[\w./*-]+", name) and name.partition("/")[0] in tops]
    calls = [name for name in quoted if re.fullmatch(r"\w+\(\)", name) and "NAME" not in name]
    return ([path for path in paths if not list(taptest.ROOT.glob(path.rstrip("/").replace("NAME", "*")))]
            + [call for call in calls if call[:-2] not in called])


def leads_somewhere(page, path, heading):
    target = page.parent / path if path else page
    return target.exists() and (not heading or heading in map(anchor, target.read_text().splitlines()))


def anchor(line):
    """Returns the anchor of a heading, as GitHub makes it, or None if the line is no heading."""
    title = re.match(r"#+ (.*)", line)
    return title and re.sub(r"[^\w\- ]", "", title[1].lower()).replace(" ", "-")


class Sampling(unittest.TestCase):

    def test_figures(self):
        """docs/sampling.md has the figures that the experiment prints; the same bytes twice"""
        said, ibs = FIGURE.boot(), FIGURE.boot(run=FIGURE.IBS_RUN)
        first, beside, zen, second = [FIGURE.in_short(figure) for figure in FIGURE.documented()]
        now = FIGURE.all_figures(said, ibs)
        self.assertEqual([first, second], [now[0], now[3]])
        self.assertEqual([FIGURE.without_chance(beside), FIGURE.without_chance(zen)],
                         [FIGURE.without_chance(now[1]), FIGURE.without_chance(now[2])])
        self.assertEqual((FIGURE.boot(), FIGURE.boot(run=FIGURE.IBS_RUN)), (said, ibs))


if __name__ == "__main__":
    taptest.main()

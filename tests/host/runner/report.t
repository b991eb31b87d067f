#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The report's page: its contents, its refusals; no text of a log becomes HTML."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from taptest import checked                         # noqa: E402
from runner import tapwriter, version      # noqa: E402
from runner.html import collect as html_collect, page as html_page      # noqa: E402

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\\\"'&"
MOST_BYTES = 3 << 20            # of a page with 100 targets and 300 tests


def log(target, results, head="cpu: GenuineIntel family 6H"):
    """Returns output of tests/boot with these results: (test, "ok", "fail", "TODO", "erratum" or "SKIP")."""
    lines = ["TAP version 13", *([f"# target: {target}"] if target else []), version.head("64-bit"),
             f"# {head}", f"1..{len(results)}"]
    for number, (test, kind) in enumerate(results, 1):
        directive = f" # {kind} family 6H" if kind in ("TODO", "SKIP") else \
            " # TODO erratum SKL091: so it is" if kind == "erratum" else ""
        lines.append(f"{'not ' if kind in ('fail', 'TODO', 'erratum') else ''}ok {number} - {test}{directive}")
        lines += BLOCK if kind in ("fail", "TODO", "erratum") else REPORTED if "reports" in test else []
    status = int(any(kind == "fail" for _, kind in results))
    return checked("\n".join([*lines, f"# end of run: status {status}"]))


BLOCK = f"""\
  ---
  severity: fail
  claim: "all is well"
  what: {json.dumps(EVIL)}
  got: "400H"
  want: "10400H"
  why: "only software clears it"
  source: "SDM 3A"
  repeat: "tests/boot x only=a.b"
  also:
    - what: "second"
      got: "1"
      want: "0"
  ...""".splitlines()
REPORTED = ["  ---", "  reported:", '    - what: "cycles: 7"', "  ..."]
SOME = [("arch.a", "ok"), ("arch.b", "fail"), ("p6.reports", "ok"), ("p6.d", "TODO"), ("bts.e", "SKIP")]
FIGURE = """\
# after it  | PEBS: 800 records, 16 PMIs      | interrupts: 800
# ----------+---------------------------------+--------------------------------
#         0 |   800 100.0% ################## |     0   0.0%
#       ... |                                 |
#        65 |     0   0.0%                    |   428  53.5% #########
#        69 |     0   0.0%                    |   372  46.5% ########
#   address | samples
# 00300000H |   500  62.5% ##################
# 00302000H |   300  37.5% ###########
"""


class Case(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="barecount, a report ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def put(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def page(self, *paths):
        return html_page.page(html_collect.collect(paths or [self.folder]))

    def report(self, *arguments):
        return subprocess.run([taptest.TESTS / "report", "-o", self.folder / "out.html", *arguments],
                              text=True, capture_output=True, check=False)


class Pages(Case):
    """Contents of the page."""

    def test_map(self):
        """a row for each log, a cell for each suite with the worst kind and its number"""
        self.put("build/matrix/one.t", log("model:x 'only=*'", SOME) + "# seconds: 2.5\n")
        self.put("build/matrix/two.t", log("qemu:y", [("arch.a", "ok"), ("arch.c", "ok"), ("lbr.a", "erratum")]))
        text = self.page()
        self.assertEqual(len(re.findall("<tr data-run", text)), 2)
        cells = re.findall(r'<td class="(\w+)"><a href="#/([\w/]+)"[^>]*><span>.</span>(\d+)', text)
        self.assertEqual(cells, [("known", "one/p6", "1"), ("failed", "one/arch", "1"),
                                 ("skipped", "one/bts", "1"), ("passed", "two/arch", "2"), ("erratum", "two/lbr", "1")])
        self.assertRegex(text, r'class="tile erratum"><dt>[^/]*</span> errata</dt><dd>1</dd>')
        self.assertIn("<td>400H</td>", text)
        self.assertIn("2.5 s", text)

    def test_data(self):
        """what the script reads has each result, and each text once"""
        self.put("one.log", log("model:x", SOME))
        self.put("two.log", log("", SOME))
        text = self.page()
        data = json.loads(re.search('id="data">(.*?)</script>', text, re.DOTALL)[1])
        self.assertEqual([run["key"] for run in data["runs"]], ["one", "two"])
        self.assertEqual(data["runs"][1]["name"], str(self.folder / "two.log"))
        self.assertEqual(sorted(data["tests"]), sorted(test for test, _ in SOME))
        self.assertEqual(len(data["texts"]), len(set(data["texts"])))
        for run in data["runs"]:
            of = run["cpus"]["0"]
            self.assertEqual((len(of["p"]), len(of["s"]), len(of["x"])), (1, 1, 3))
        self.assertIn("cycles: 7", data["texts"])

    def test_capture(self):
        """a capture without tests/boot has the processor's name and the file's"""
        self.put("desk.log", "BIOS\n" + log("", SOME, "brand: Pentium 4 <2>"))
        self.assertIn('<a href="#/desk">Pentium 4 &lt;2&gt;</a><small>desk</small>', self.page())

    def test_broken(self):
        """a broken run and an unavailable target are named; other programs are counted"""
        self.put("build/matrix/bad.t", "TAP version 13\n# target: model:x\n1..2\nok 1 - a\n"
                 "not ok 2 - bad is a broken run: the guest said nothing for 10 s\n# seconds: 11.0\n")
        self.put("build/matrix/kvm.t", "1..0 # SKIP no /dev/kvm\n# seconds: 0.1\n")
        self.put("tests/host/a.t", "TAP version 13\n1..3\nok 1 - a b\nok 2 - c # SKIP x\nnot ok 3 - d\n")
        self.put("build/matrix/one.t", log("model:x", SOME))
        text = self.page()
        for part in ("broken run: the guest said nothing for 10 s", "no /dev/kvm",
                     "1 passed, 1 failed, 1 skipped", "2 runs: 1 with a failure, 1 broken"):
            self.assertIn(part, text)
        self.assertEqual(len(re.findall("<tr data-run", text)), 2)

    def test_own_qemu(self):
        """a binary of one's own is a fact of its run"""
        text = log("qemu:x", SOME).replace("# target: qemu:x\n", "# target: qemu:x\n# QEMU: qemu-own, 9.2\n")
        self.put("one.log", checked(text))
        self.assertIn('"qemu":"qemu-own, 9.2"', self.page())

    def test_alone(self):
        """quirks and mutants have their tables; those that were not caught come first"""
        for kind in ("quirks", "mutants"):
            lines = []
            writer = tapwriter.Writer(kind, lines.append)
            writer.result(True, "fine", {"test": "arch.a", "got": "1"})
            writer.result(False, "survivor", {"test": "arch.b", "why": EVIL})
            writer.end()
            self.put(f"{kind}.tap", "\n".join(lines) + "\n")
        text = self.page()
        self.assertLess(text.index("survivor"), text.index("fine"))
        self.assertIn("quirks caught</dt><dd>1<small> of 2", text)
        self.assertIn('<section id="mutants">', text)

    def test_figure(self):
        """the experiment's chart and addresses are drawn once for runs that agree"""
        results = [("sampling.count", "ok"), ("sampling.pebs", "ok")]
        text = log("model:x", results).replace("ok 1 -", f"{FIGURE}ok 1 -")
        for name in ("one.log", "two.log"):
            self.put(name, checked(text))
        page = self.page()
        self.assertEqual(page.count("<svg role"), 2)
        for part in (">800 \u00b7 100.0 %<", ">372 \u00b7 46.5 %<", ">00302000H<", ">300 \u00b7 37.5 %<"):
            self.assertIn(part, page)

    def test_machines(self):
        """what each PMU is good for is there once for machines that agree; a machine without a PMU comes last"""
        for name, rows in (("none", ["PMU: none: 1"]), ("one", ["PMU: P6", "rr: no: <b>"]), ("two", ["PMU: P6", "rr: no: <b>"])):
            block = ["ok 1 - summary", "  ---", "  reported:", *(f'    - what: "{row}"' for row in rows), "  ..."]
            self.put(f"{name}.log", checked(log(f"qemu:{name}", [("summary", "ok")]).replace(
                "ok 1 - summary", "\n".join(block))))
        page = self.page()
        self.assertEqual(re.findall('<details class="page" open><summary>(.*?) <small>(.*?)</small>', page),
                         [("one, two", "P6"), ("none", "none: 1")])
        self.assertIn('<th scope="row">rr</th><td>no: &lt;b&gt;</td>', page)

    def test_escaped(self):
        """nothing that a log says becomes markup or a script"""
        self.put("one.log", log("model:x", SOME, f"cpu: {EVIL}"))
        text = self.page()
        self.assertNotIn("<script>alert", text)
        self.assertNotIn("<img", text)
        self.assertEqual(text.count("<script"), 2)
        self.assertIn("&lt;script&gt;alert(1)", text)

    def test_size(self):
        """100 targets and 300 tests make a page that opens quickly; twice the same one"""
        tests = [(f"suite{number % 12}.test_{number}", "SKIP" if number % 3 else "ok")
                 for number in range(300)]
        tests[7] = ("suite7.reports", "ok")
        for number in range(100):
            self.put(f"target-{number}.log", log(f"model:cpu_{number}", tests))
        text = self.page()
        self.assertLess(len(text), MOST_BYTES)
        self.assertEqual(text, self.page())
        self.assertNotRegex(text, r"""(?:src|href)=["']?(?:https?:)?//|@import|url\(""")


class Refusals(Case):
    """Logs that make no page."""

    def test_refused(self):
        """every refused log is listed with its line, and no page is written"""
        good = log("model:x", SOME)
        paths = [self.put("good.log", good), self.put("cut.log", good[:400]),
                 self.put("bad.log", good.replace("400H", "401H"))]
        done = self.report(*paths)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 3, lines)
        self.assertIn(f"tests/report: {paths[1]}:", lines[0])
        self.assertIn("cut off in the middle", lines[0])
        self.assertIn("one was changed", lines[1])
        self.assertFalse((self.folder / "out.html").exists())

    def test_words(self):
        """no file, an empty folder, and an unwritable page are a sentence and status 2"""
        one = self.put("logs/a.log", log("", SOME))
        (self.folder / "empty").mkdir()
        for arguments, sentence in (([self.folder / "none"], "no such file"),
                                    ([self.folder / "empty"], "no log of Barecount"),
                                    ([one, "-o", "/dev/null/x"], "/dev/null"),
                                    ([one, "-o", "/dev/full"], "/dev/full is no regular file")):
            done = self.report(*arguments)
            self.assertEqual(done.returncode, 2, done)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(sentence, done.stderr)


if __name__ == "__main__":
    taptest.main()

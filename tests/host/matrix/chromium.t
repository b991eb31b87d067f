#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The report's page in a browser: it has no errors, uses no network, shows got and want, and fits a phone."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import taptest                                      # noqa: E402
from taptest import checked                         # noqa: E402
from runner import version                 # noqa: E402
from runner.html import collect as html_collect, page as html_page                 # noqa: E402

CHROMIUM = shutil.which("chromium")
WORDS = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=4000"]
SECONDS = 60
PHONE = "360,780"
EVIL = "</script><script>document.title = 'evil'</script><img src=x onerror=\"document.title = 'evil'\">"
RAW = f"""\
TAP version 13
# target: TARGET smp=1:2:1 only=a_very_long_word_that_has_no_place_to_break_but_at_its_underscores_*
{version.head("64-bit")}
# cpu: {EVIL}
1..4
ok 1 - platform.a
not ok 2 - arch.pmi.mask
  ---
  severity: fail
  claim: "a PMI sets the mask bit"
  what: {json.dumps(EVIL)}
  got: "400H {"9" * 80}"
  want: "10400H in the bits FFFFEFFFH"
  why: "only software clears it"
  source: "SDM 3A"
  repeat: "tests/boot x only=arch.pmi.mask"
  reported:
    - what: "cycles: 7"
  ...
not ok 3 - arch.todo # TODO known
ok 4 - p6.skipped # SKIP family 6H
# end of run: status 1
"""
LOG = checked(RAW)
# Clicks as a finger does, and leaves its results in the page, for --dump-dom.
PROBE = """\
<script>
addEventListener("load", () => {
  const root = document.documentElement, seen = (name, value) => root.setAttribute("data-" + name, value);
  const wide = () => root.scrollWidth - root.clientWidth;
  seen("rows", document.querySelectorAll(".map tr[data-run]").length);
  seen("wide", wide());
  document.querySelector(".map td.failed a").click();
  setTimeout(() => {
    seen("suite", document.getElementById("detail").innerText);
    document.querySelector("#detail .tests a").click();
    setTimeout(() => {
      seen("test", document.getElementById("detail").innerText);
      seen("panel", document.getElementById("detail").scrollWidth
                    - document.getElementById("detail").clientWidth);
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
      seen("hidden", document.getElementById("detail").hidden);
      seen("focus", document.activeElement.getAttribute("href"));
      seen("after", wide());
    }, 200);
  }, 200);
});
</script>
"""


@unittest.skipUnless(CHROMIUM, "chromium is not installed: make deps-matrix")
class Browser(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="barecount-page-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for number in range(3):
            text = LOG.replace("TARGET", f"model:cpu_{number}")
            (self.folder / f"run-{number}.log").write_text(checked(text))
        self.page = html_page.page(html_collect.collect([self.folder]))

    def show(self, page, fragment="", size="1280,900"):
        """Returns the page's final DOM, and the output of Chromium's console."""
        path = self.folder / "page.html"
        path.write_text(page)
        done = subprocess.run(
            [CHROMIUM, *WORDS, f"--user-data-dir={self.folder}/profile", f"--window-size={size}",
             "--dump-dom", f"{path.as_uri()}{fragment}"],
            text=True, capture_output=True, timeout=SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]

    def probed(self, size):
        """Returns the results of the probe, which the page's policy would not let run."""
        page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", self.page)
        dom, said = self.show(page.replace("</body>", PROBE + "</body>"), size=size)
        self.assertEqual(said, [])
        root = re.search("<html[^>]*>", dom)[0]
        return dict(re.findall(r'data-(\w+)="([^"]*)"', root))

    def test_load(self):
        """it loads without a message on the console, and no text of a log runs as a script"""
        dom, said = self.show(self.page)
        self.assertEqual(said, [])
        self.assertIn("<title>Barecount: 3 failed</title>", dom)
        self.assertIn('class="live"', dom)
        self.assertEqual(dom.count("<tr data-run"), 3)

    def test_policy(self):
        """use of the network and foreign scripts are refused, with a message on the console"""
        planted = '<img src="http://example.invalid/x.png"><script>document.title = "evil"</script>'
        dom, said = self.show(self.page.replace("</main>", f"{planted}</main>"))
        self.assertEqual(len(said), 2, said)
        self.assertNotIn("<title>evil", dom)

    def test_click(self):
        """a click on a failed cell, and on its test, shows got, want and why"""
        seen = self.probed("1280,900")
        self.assertEqual(seen["rows"], "3")
        self.assertIn("arch.pmi.mask", seen["suite"])
        for part in ("400H", "10400H in the bits FFFFEFFFH", "only software clears it", "SDM 3A",
                     "tests/boot x only=arch.pmi.mask", "cycles: 7", "The same test in other runs"):
            self.assertIn(part, seen["test"])
        self.assertEqual((seen["hidden"], seen["focus"]), ("true", "#/run-0/arch"))

    def test_link(self):
        """a link to a test shows it"""
        dom, said = self.show(self.page, "#/run-1/arch/arch.pmi.mask")
        self.assertEqual(said, [])
        detail = re.search("<aside.*</aside>", dom, re.DOTALL)[0]
        self.assertIn("a PMI sets the mask bit", detail)
        self.assertIn("model:cpu_2", detail)
        self.assertNotIn("<img", detail)

    def test_beside(self):
        """the pages of two machines stand side by side, and what differs is marked"""
        for number, lbr in enumerate(("8 deep", "16 deep")):
            facts = [f'    - what: "PMU: of machine {number}"', f'    - what: "LBR: {lbr}"', '    - what: "rr: yes"']
            page = "\n".join(["ok 4 - summary", "  ---", "  reported:", *facts, "  ..."])
            text = RAW.replace("TARGET", f"model:cpu_{number}").replace("ok 4 - p6.skipped # SKIP family 6H", page)
            (self.folder / f"run-{number}.log").write_text(checked(text))
        dom, said = self.show(html_page.page(html_collect.collect([self.folder])))
        self.assertEqual(said, [])
        rows = re.findall(r"<tr(.*?)><th[^>]*>(.*?)</th><td>(.*?)</td><td>(.*?)</td></tr>", dom.partition('id="beside"')[2])
        self.assertEqual(rows, [(' class="differs"', "PMU", "of machine 0", "of machine 1"),
                                (' class="differs"', "LBR", "8 deep", "16 deep"), ("", "rr", "yes", "yes")])

    def test_phone(self):
        """on a screen 360 pixels wide neither the page nor the details are wider"""
        seen = self.probed(PHONE)
        self.assertEqual((seen["wide"], seen["after"], seen["panel"]), ("0", "0", "0"))


if __name__ == "__main__":
    taptest.main()

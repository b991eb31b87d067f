# SPDX-License-Identifier: MIT
"""Makes the verdicts that a page's script shows: every text once, results as numbers."""
import json

from runner.people.show import KINDS, kind_of

CHECK_KEYS = ("what", "got", "want", "why", "at")


def suite_of(result):
    """Returns the test's column in the map, the first word of its id."""
    return result.test.partition(".")[0]


def counts_of(results):
    """Returns the numbers of results of each kind."""
    counts = dict.fromkeys(KINDS, 0)
    for result in results:
        counts[kind_of(result)] += 1
    return counts


def by_suite(results):
    suites = {}
    for result in results:
        suites.setdefault(suite_of(result), []).append(result)
    return suites


class Shared:
    """Items by number, each once."""

    def __init__(self):
        self.numbers = {}

    def number(self, thing):
        return self.numbers.setdefault(thing, len(self.numbers))

    @property
    def list(self):
        return list(self.numbers)


class Data:
    """The data for the script: {tests, texts, blocks, runs}; runs are in the order of add()."""

    def __init__(self):
        self.tests, self.texts, self.blocks = Shared(), Shared(), Shared()
        self.runs = []

    def add(self, key, log):
        cpus = {}
        for result in log.results:
            cpus.setdefault(result.cpu, []).append(result)
        self.runs.append({
            "key": key, "name": log.name, "file": log.path, "quirk": log.quirk, "qemu": log.qemu,
            "head": log.head, "kind": log.kind, "version": log.version, "verdict": log.verdict,
            "seconds": log.seconds,
            "cpus": {cpu: self._results(results) for cpu, results in cpus.items()},
        })

    def _results(self, results):
        """Returns one processor's results: p, passes without a block; s, skips by reason; x, results with a block."""
        plain, skips, others = [], {}, []
        for result in results:
            test = self.tests.number(result.test)
            if result.directive == "SKIP":
                skips.setdefault(self.texts.number(result.reason), []).append(test)
            elif not result.block and result.ok:
                plain.append(test)
            else:
                others.append(self._other(test, result))
        return {"p": plain, "s": skips, "x": others}

    def _other(self, test, result):
        facts = result.facts() if result.block else {}
        repeat, reason = facts.pop("repeat", ""), result.reason
        return [test, KINDS.index(kind_of(result)),
                self.blocks.number(self._block(facts)),
                self.texts.number(repeat) if repeat else -1,
                self.texts.number(reason) if reason else -1]

    def _block(self, facts):
        """Returns a block as JSON text, so that equal ones are one; texts by number."""
        number = self.texts.number
        checks = [facts, *(check for check in facts.get("also", []) if isinstance(check, dict))]
        block = {
            "checks": [{key: number(str(check[key])) for key in CHECK_KEYS if key in check}
                       for check in checks if "what" in check],
            "reported": [number(str(entry["what"])) for entry in reported(facts)],
        }
        for key in ("severity", "claim", "source", "not_shown"):
            if key in facts:
                block[key] = number(str(facts[key]))
        return json.dumps(block, separators=(",", ":"))

    def json(self):
        """Returns JSON for an element of HTML; no text of a log can end the element."""
        blocks = [json.loads(block) for block in self.blocks.list]
        whole = {"tests": self.tests.list, "texts": self.texts.list, "blocks": blocks,
                 "runs": self.runs}
        text = json.dumps(whole, separators=(",", ":"))
        return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def reported(facts):
    entries = facts.get("reported", [])
    return [entry for entry in entries if isinstance(entry, dict) and "what" in entry] \
        if isinstance(entries, list) else []

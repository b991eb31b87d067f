# SPDX-License-Identifier: MIT
"""Writes JUnit XML for CI from the TAP of programs and targets: names without numbers, skips with reasons, times."""
import dataclasses
import re
import xml.etree.ElementTree as ET

from runner import fast_yaml, tap

RESULT = re.compile(r"(not )?ok\b *\d* *(?:- )?(.*?)(?: *# *(SKIP|TODO)\b *(.*))?$", re.IGNORECASE)
PLAN = re.compile(r"1\.\.(\d+)(?: *# *SKIP\b *(.*))?$", re.IGNORECASE)
KIND = re.compile(r"([a-z0-9_.]+(?:@cpu[\d,-]+)?) \(([A-Za-z0-9-]+)\)")         # of a hybrid's processors: tap.Result.kind
BAD = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd]")     # no XML may have these characters
VERDICT = re.compile(tap.VERDICT.pattern, re.MULTILINE)
WHOLE = "the run"               # the name of a case on the run as a whole
WHAT = re.compile(r"^ +(what|got|want): (.*)$", re.MULTILINE)


def clean(text):
    return BAD.sub("?", text)


@dataclasses.dataclass(frozen=True)
class Suite:
    """The run of one program or on one target, of which a file has one element."""

    name: str
    text: str                   # its TAP
    seconds: float = 0.0
    error: str = ""             # a sentence, if the run is broken
    has_failed: bool = False    # the run has, even if no result says so


def write(file, suites):
    """Writes the suites to a file, or to the file of this name."""
    root = ET.Element("testsuites")
    for each in suites:
        add(root, each)
    for key in ("tests", "failures", "errors", "skipped"):
        root.set(key, str(sum(int(child.get(key)) for child in root)))
    root.set("time", f"{sum(each.seconds for each in suites):.3f}")
    ET.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)


def add(root, suite):
    """Adds a suite's results, and what is wrong with its run as a whole; returns the element."""
    element = ET.SubElement(root, "testsuite", name=suite.name, time=f"{suite.seconds:.3f}")
    whole = suite.name.replace(".", "_").replace("/", ".").replace(":", ".")
    planned, lines = add_results(element, whole, suite.text)
    if suite.error or planned is None or planned != lines:
        message = suite.error or f"{lines} results, planned were {'none' if planned is None else planned}"
        error = ET.SubElement(case(element, whole, WHOLE), "error", message=clean(message))
        error.text = clean(suite.text[-2000:])
    elif suite.has_failed and element.find("*/failure") is None:
        ET.SubElement(case(element, whole, WHOLE), "failure", message=clean((VERDICT.findall(suite.text) or [""])[-1]))
    count(element)
    return element


def add_results(element, whole, text):
    """Adds a case for each result; returns how many lines with results were planned, or None, and how many came."""
    planned, lines = None, 0
    for line, rest in split(text):
        if plan := PLAN.match(line):
            planned = int(plan[1])
            if plan[2] is not None:
                lines += 1
                skip(case(element, whole, "all"), plan[2])
                planned = 1
        elif result := RESULT.match(line):
            lines += 1
            for each in expanded(result, rest):
                judge(case(element, whole, f"{each.id} ({each.kind})" if each.kind else each.id), each, rest)
    return planned, lines


def split(text):
    """Returns the lines of results and plans, each with the lines that follow it."""
    found = []
    for line in text.splitlines():
        if RESULT.match(line) or PLAN.match(line):
            found.append((line, []))
        elif found:
            found[-1][1].append(line)
    return found


def expanded(result, rest):
    """Returns a tap.Result for each test on each processor that the line is about; one for a host's test."""
    name = KIND.fullmatch(result[2]) or ("", result[2], "")
    found = tap.Result(not result[1], 0, name[1], (result[3] or "").upper(), (result[4] or "").strip(),
                       block_of(rest), kind=name[2])
    try:
        found.take_family()
        return found.each()
    except ValueError:
        return [found]


def block_of(rest):
    """Returns the lines of a YAML block if the lines after a result begin with one."""
    end = rest.index(tap.BLOCK_END) if rest[:1] == [tap.BLOCK_START] and tap.BLOCK_END in rest else -1
    return rest[:end + 1]


def case(element, whole, name):
    return ET.SubElement(element, "testcase", classname=whole, name=clean(name.strip()) or "unnamed")


def skip(element, reason):
    ET.SubElement(element, "skipped", message=clean(reason.strip()))


def judge(element, result, rest):
    """Adds what a result is, if it is not just passed. A recorded deviation, TODO, is neither failed nor skipped."""
    if result.directive == "SKIP":
        skip(element, result.reason)
    elif result.directive == "TODO":
        ET.SubElement(element, "system-out").text = clean(result.reason if result.is_erratum else f"TODO {result.reason}")
    elif not result.ok:
        text = "\n".join(rest)
        facts = dict(reversed(WHAT.findall(text)))
        message = ", ".join(f"{key} {facts[key]}" for key in ("what", "got", "want") if key in facts)
        ET.SubElement(element, "failure", message=clean(message or (rest or [""])[0].lstrip("# "))).text = clean(text)


def count(element):
    """Notes how many cases there are of each kind."""
    element.set("tests", str(len(element)))
    for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(key, str(sum(child.find(tag) is not None for child in element)))


def elapsed(path):
    """Returns the seconds of each program from prove's file of states; none if there is no such file."""
    if not path.is_file():
        return {}
    tests = fast_yaml.load(path.read_text()).get("tests", {})
    return {name: float(facts.get("elapsed", 0)) for name, facts in tests.items()}

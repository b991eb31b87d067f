# SPDX-License-Identifier: MIT
"""Collects a report's sources: logs, and the output of other test programs that prove has dumped."""
import dataclasses
import pathlib
import re

from runner import layout, logfile
from runner.campaigns import matrix
from runner.problems import Problem

ALONE = ("quirks", "mutants", "alarms")         # kinds of which there is one log, with its section
WHENCE = "name some" if layout.IS_INSTALLED else "run make matrix, or name some, LOGS=..."
DEFAULT = (matrix.DUMP, *(layout.BUILD / f"{kind}.tap" for kind in ALONE))
# The lines of tests/run-matrix about a broken run, and of a program about itself.
BROKEN = re.compile(r"not ok \d+ - \S+ (is a broken run|must be available here, and is not): (.*)$",
                    re.MULTILINE)
SKIPPED = re.compile(r"1\.\.0 # SKIP (.*)$", re.MULTILINE)
RESULT = re.compile(r"(not )?ok\b[^#\n]*(?:# (SKIP|TODO)\b)?", re.IGNORECASE)
SECONDS = re.compile(r"# seconds: ([\d.]+)$", re.MULTILINE)
TARGET = re.compile(r"# target: (\S+)(?: (.*))?$", re.MULTILINE)


@dataclasses.dataclass
class Program:
    """A test program of the host, from its dump: the number of results of each kind, or why it has none."""

    name: str
    counts: dict
    skipped: str = ""
    seconds: float | None = None


@dataclasses.dataclass
class Broken:
    """A run that gave no log; only its sentence is known."""

    name: str
    target: str
    sentence: str
    seconds: float | None = None


@dataclasses.dataclass
class Collection:
    """The contents of the page. If a log was refused, `refused` says why, and there is no page."""

    runs: list = dataclasses.field(default_factory=list)        # of (key, logfile.Log)
    broken: list = dataclasses.field(default_factory=list)
    programs: list = dataclasses.field(default_factory=list)
    alone: dict = dataclasses.field(default_factory=dict)       # of ALONE: the log
    refused: list = dataclasses.field(default_factory=list)

    def keys(self):
        return {key for key, _ in self.runs}


def collect(paths, any_version=False):
    """Reads these files, and all files in these folders; without any, the logs of this checkout."""
    found = Collection()
    for path, folder in files(paths):
        try:
            take(found, path, folder, any_version)
        except logfile.Refused as refused:
            found.refused.append(str(refused))
        except OSError as error:
            raise Problem(f"{layout.shown(path)}: {error.strerror}") from None
    if not found.refused and not found.runs and not found.alone:
        raise Problem(f"no log of Barecount is there: {WHENCE}")
    return found


def files(paths):
    """Yields (file, the folder in which it was found or None), in order; raises Problem for what is absent."""
    chosen = [pathlib.Path(path) for path in paths] or [path for path in DEFAULT if path.exists()]
    for path in chosen:
        if path.is_dir():
            yield from ((file, path) for file in sorted(path.rglob("*")) if file.is_file())
        elif path.exists():
            yield path, None
        else:
            raise Problem(f"{layout.shown(path)}: there is no such file or folder")


def take(found, path, folder, any_version):
    """Puts one file where it belongs; a file that was named, not found in a folder, must be a log."""
    data = path.read_bytes()
    text = data.decode("utf-8", "replace")
    name = str(path.relative_to(folder)) if folder else layout.shown(path.resolve())
    broken = BROKEN.search(text)
    if broken:
        target = TARGET.search(text)
        found.broken.append(Broken(short(name), target[1] if target else "", broken[2],
                                   seconds(text)))
    elif folder and not logfile.is_log(data):
        found.programs.append(program(name, text))
    else:
        add(found, name, logfile.read(layout.shown(path), any_version))


def add(found, name, log):
    if log.kind in ALONE:
        found.alone[log.kind] = log
        return
    key, number = short(name), 1
    while key in found.keys():
        number += 1
        key = f"{short(name)}~{number}"
    found.runs.append((key, log))


def short(name):
    """Returns the short name of a program, which is part of links: build/matrix/model-katmai.t is model-katmai."""
    stem = re.sub(r"\.(t|tap|log|txt)$", "", name)
    stem = stem.rpartition("/")[2] if stem.startswith("build/") else stem
    return re.sub(r"[^\w.~-]+", "-", stem)


def program(name, text):
    counts = {"passed": 0, "failed": 0, "known": 0, "skipped": 0}
    for match in map(RESULT.match, text.splitlines()):
        if match:
            kind = {"skip": "skipped", "todo": "known"}.get((match[2] or "").lower())
            counts[kind or ("failed" if match[1] else "passed")] += 1
    skipped = SKIPPED.search(text)
    return Program(name, counts, skipped[1] if skipped else "", seconds(text))


def seconds(text):
    found = SECONDS.search(text)
    return float(found[1]) if found else None

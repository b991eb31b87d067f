# SPDX-License-Identifier: MIT
"""tests/systems: types the README's two commands on fresh installations of the systems that it names.

Each system of tests/systems.csv is installed by debootstrap into a folder, from the archive that this machine's apt
names. A program there sees that folder as its whole disk; when it ends, so do all that it started.
"""
import csv
import datetime
import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from runner import layout, nearest, program
from runner.guest import die_with
from runner.problems import BROKEN, FAILED, PASSED, Problem, Unavailable

ROWS = layout.ROOT / "tests" / "systems.csv"
TABLE = layout.BUILD / "systems.md"
LOGS = layout.BUILD / "systems"
COMMANDS = ("make run", "make test")
ARCHIVE = layout.TARGETS / "debian-archive.sh"
FRESH_SECONDS = 7 * 24 * 3600       # an installation in the cache is made anew when it is older
INCLUDED = "git,make,sudo,locales,ca-certificates"      # git and make are the README's, sudo is the user's
SCRIPT = "/usr/share/debootstrap/scripts/sid"           # that of every suite of Debian, of those to come, too
PACKAGES = ("gcc", "nasm", "grub-common", "qemu-system-x86", "python3", "cppcheck")
ANY_AGE = 'Acquire::Check-Valid-Until "false";\n'      # a copy of the archive may be older than its testing allows
SKIPPED = re.compile(r"^skipped +(\d+) programs?: ", re.MULTILINE)
NAME = "tests/systems"
# A shell as root on the new disk, with what programs expect of a running system.
ENTER = """\
mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && mount -t sysfs sysfs "$1/sys" || exit 99
root=$1; shift
exec chroot "$root" "$@"
"""
USER = "tester"
PREPARE_USER = f"""\
useradd --create-home --shell /bin/sh {USER}
echo '{USER} ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/{USER}
localedef -i de_DE -f UTF-8 de_DE.UTF-8
"""
USAGE = f"""\
usage: tests/systems [SUITE]...

Installs each SUITE ({{suites}}; without one, all of them) into a folder, clones the last commit there, and types
{' and '.join(f'`{command}`' for command in COMMANDS)}: once as root, and once as a user with sudo, in a folder whose name has a blank, with German
messages. Prints a table, which {layout.shown(TABLE)} has, too; {layout.shown(LOGS)} has what the commands printed. Needs
root. Exit status: 0 all passed, 1 one failed, 77 the archive has no such suite.
"""
# (how it is called in the table, the checkout, the words before a command, what is done once before)
WAYS = (
    ("root", "/root/barecount", ("env", "-i", "HOME=/root", "LANG=C.UTF-8"), ""),
    ("user", f"/home/{USER}/bare count",
     ("runuser", "-u", USER, "--", "env", "-i", f"HOME=/home/{USER}", "LANG=de_DE.UTF-8"), PREPARE_USER),
)


def main(arguments):
    return program.ended(NAME, work, arguments)


def rows():
    with open(ROWS, encoding="utf-8", newline="") as file:
        return {row["suite"]: row for row in csv.DictReader(file)}


def work(arguments):
    known = rows()
    if any(word.startswith("-") for word in arguments):
        is_help = arguments[0] in ("-h", "--help")
        print(USAGE.format(suites=", ".join(known)), end="", file=sys.stdout if is_help else sys.stderr)
        return PASSED if is_help else BROKEN
    for suite in arguments:
        if suite not in known:
            raise Problem(f"no row of {layout.shown(ROWS)} has the suite {suite}{nearest.hint(suite, known)}")
    if os.getuid():
        raise Problem("installing a system into a folder needs root")
    chosen = arguments or list(known)
    with locked(cache()):
        outcomes = [on_system(known[suite], is_asked=bool(arguments)) for suite in chosen]
    show(outcomes)
    return FAILED if any(outcome.get("failed") and known[outcome["suite"]]["need"] == "must"
                         for outcome in outcomes) else PASSED


def cache():
    """Returns the folder for installations, which outlasts a checkout."""
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    path = pathlib.Path(folder) / "barecount" / "systems"
    path.mkdir(parents=True, exist_ok=True)
    return path


def locked(folder):
    """Returns an open file that only one program at a time has; raises Problem if another one has it."""
    lock = open(folder / "lock", "w", encoding="ascii")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Problem(f"another {NAME} is running") from None
    return lock


# ------------------------------------------------------------------------------------ one system

def on_system(row, is_asked):
    """Runs all commands in all ways on one system; returns a row of the table."""
    outcome = {"suite": row["suite"], "name": row["name"], "times": [], "failed": False, "skipped": 0, "versions": []}
    try:
        installed = installation(row["suite"])
        for way in WAYS:
            in_way(row, way, installed, outcome)
    except Unavailable as problem:
        if is_asked or row["need"] == "must":
            raise
        outcome["times"] = [str(problem)]
    return outcome


def in_way(row, way, installed, outcome):
    """Types the commands on a fresh copy of the installation."""
    name, checkout, words, preparation = way
    root = cache() / "root"             # one that was left by a program that was killed is removed
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    try:
        run("tar", "-xf", installed, "-C", root)
        if preparation:
            inside(root, ("sh", "-ec", preparation), log_of(row, name, "preparation"))
        clone(root, checkout)
        for command in COMMANDS:
            typed(row, name, (root, checkout, words, command), outcome)
        outcome["versions"] = outcome["versions"] or versions(root)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def typed(row, way, what, outcome):
    """Types one command and notes its time, whether it failed, and what it skipped."""
    root, checkout, words, command = what
    log = log_of(row, way, command.replace(" ", "-"))
    print(f"  systems  {row['name']}, {way}: {command}", flush=True)
    environment = [f"PATH={os.defpath}:/usr/sbin:/sbin", "TERM=dumb",
                   *(f"{key}={value}" for key, value in os.environ.items() if key.endswith("_proxy"))]
    start = time.monotonic()
    status = inside(root, (*words, *environment, "sh", "-c", f'cd "{checkout}" && {command}'), log)
    seconds = round(time.monotonic() - start)
    outcome["times"].append(f"{way}, `{command}`: {seconds // 60} min {seconds % 60} s"
                            + (f", **status {status}**" if status else ""))
    outcome["failed"] |= bool(status)
    skipped = sum(map(int, SKIPPED.findall(log.read_text(errors="replace"))))
    outcome["skipped"] = max(skipped, outcome["skipped"])
    if status:
        print(f"{NAME}: {row['name']}, {way}: {command} ended with status {status}; {layout.shown(log)} has its output",
              file=sys.stderr, flush=True)


def log_of(row, way, what):
    LOGS.mkdir(parents=True, exist_ok=True)
    return LOGS / f"{row['suite']}-{way}-{what}.log"


def inside(root, command, log):
    """Runs a command as root with this folder as its disk; returns its exit status. Nothing is left running."""
    parent = os.getpid()
    with open(log, "wb") as output:
        return subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "sh", root, *command],
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, check=False,
            preexec_fn=lambda: die_with(parent)).returncode


def clone(root, checkout):
    """Clones the last commit into the new disk, as the owner of the folder above it."""
    target = pathlib.Path(f"{root}{checkout}")
    run("git", "clone", "--quiet", "--no-hardlinks", layout.ROOT, target)
    owner = target.parent.stat()
    for path in (target, *target.rglob("*")):
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def versions(root):
    """Returns the versions of the packages in PACKAGES, without Debian's own part."""
    listed = subprocess.run(["chroot", root, "dpkg-query", "-W", "-f", "${Package} ${Version}\n", *PACKAGES],
                            capture_output=True, text=True, check=False).stdout
    found = dict(line.split() for line in listed.splitlines())
    return [re.sub(r"^\d+:|[-+].*", "", found.get(package, "none")) for package in PACKAGES]


# ------------------------------------------------------------------------------------ installing

def installation(suite):
    """Returns a tarball of the freshly installed system, at most a week old."""
    tarball, folder = cache() / f"{suite}.tar", cache() / "new"
    if tarball.exists() and time.time() - tarball.stat().st_mtime < FRESH_SECONDS:
        return tarball
    print(f"  systems  installing {suite}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    log = log_of({"suite": suite}, "all", "debootstrap")
    try:
        with open(log, "wb") as output:
            done = subprocess.run(["debootstrap", "--variant=minbase", f"--include={INCLUDED}", suite, folder, mirror(),
                                   SCRIPT], stdout=output, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            said = log.read_text(errors="replace").strip().splitlines()
            raise Unavailable(f"{suite} cannot be installed from this machine's archive: {(said or [''])[-1]}")
        shutil.copy("/etc/resolv.conf", folder / "etc" / "resolv.conf")
        (folder / "etc" / "apt" / "apt.conf.d" / "50archive").write_text(ANY_AGE, encoding="ascii")
        run("tar", "-cf", f"{tarball}.new", "-C", folder, ".")
        os.replace(f"{tarball}.new", tarball)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return tarball


def mirror():
    """Returns the address of the archive from which this machine's own apt takes Debian."""
    said = subprocess.run(["sh", "-c", f'. "{ARCHIVE}" && debian_mirror'], capture_output=True, text=True,
                          check=False).stdout.strip()
    if not said:
        raise Unavailable("apt names no archive of Debian on this machine")
    return said


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Problem(f"{command[0]} failed: {done.stderr.strip()}")


# ------------------------------------------------------------------------------------ the table

def show(outcomes):
    """Prints the table, which TABLE gets as well."""
    head = ["system", *PACKAGES, "skipped programs", "result, date"]
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    for outcome in outcomes:
        cells = [f"{outcome['name']}, {outcome['suite']}", *(outcome["versions"] or [""] * len(PACKAGES)),
                 str(outcome["skipped"]), f"{'; '.join(outcome['times'])}; {datetime.date.today()}"]
        lines.append(f"| {' | '.join(cells)} |")
    layout.BUILD.mkdir(exist_ok=True)
    TABLE.write_text("\n".join([*lines, ""]), encoding="utf-8")
    print("\n".join(["", *lines]))

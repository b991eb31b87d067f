# SPDX-License-Identifier: MIT
"""tests/boot: the command line, and one run from its words to its exit status."""
import contextlib
import functools
import os
import shlex
import signal
import sys

from runner import deviations, layout, logs, machine, nearest, problems, program, tap, tapwriter, targets, verdict, version, watch
from runner.checksum import Summed
from runner.guest import OVERALL, Guest
from runner.handover import Handover
from runner.report import Report
from runner.turns import turns
from runner.whole import expected
from targets import model

SILENCE_SECONDS = 20          # a hang of two seconds of the guest takes ten on a busy host
SILENCE_SECONDS_EACH = 2        # more for every other processor, as all run the same test at once
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
NOT_REPEATED = ("only=", "skip=", "list")       # the words that choose tests
NAME = layout.command("boot")
ALSO = f"""\
{NAME} monitor TARGET opens the monitor on TARGET, {NAME} learn starts the lessons, and
{NAME} report FILE... writes a page of logs; each has -h.

""" if layout.IS_INSTALLED else ""
USAGE = f"""\
usage: {NAME} [--junit FILE] TARGET... [WORD...]

Boots {layout.shown(layout.ISO)} on TARGET with the WORDs on the kernel's command line and prints the
guest's TAP, with the target's recorded deviations marked; the raw serial log stays in {layout.shown(layout.LOGS)}/.
Exit status: 0 all passed, 1 something failed, 2 the run is broken, {problems.UNAVAILABLE} the
target is not available on this host.

{ALSO}Several TARGETs run one after the other, with the same WORDs; a table ends the output, and the
exit status is the worst of theirs. --junit writes JUnit XML to FILE, with one suite a TARGET.
QEMU=PATH in the environment boots with that QEMU, PMU_QUIRK=NAME gives the model one defect.

TARGET is {targets.ANY} or one of
{{targets}}
{{words}}
All other words go to the kernel, such as only=GLOB, skip=GLOB, list.
"""


class Stopped(Exception):
    """A signal asks this program to end."""


def main(arguments):
    """Runs with these words; returns the exit status."""
    if arguments[:1] == ["--complete"]:
        from runner.people import complete      # a boot does not need it
        return complete.main(arguments[1:])
    return start(NAME, usage, lambda first, rest: turns.run_all([first, *rest], run, say, complain), arguments)


def start(name, usage_of, run_it, arguments):
    """Is the main() of programs that take TARGET WORD...: calls run_it(TARGET, [WORD...]), or prints a sentence."""
    if not arguments or {"-h", "--help"}.intersection(arguments):
        print(usage_of(), end="", file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else problems.BROKEN
    if "--version" in arguments:
        print(f"{name} {version.read()[0]}")
        return 0
    for number in ENDING_SIGNALS:
        signal.signal(number, stop)
    try:
        program.check_output()
        return run_it(arguments[0], arguments[1:])
    except problems.Problem as problem:
        complain(problem, name)
        return problem.status
    except Stopped as stopped:
        die_of(stopped.args[0])
    except BrokenPipeError:
        program.drop_output()
        complain("nobody reads the output any more; the guest was stopped", name)
    except OSError as error:
        program.drop_output()
        complain(f"{error.filename or 'a file of this run'}: {error.strerror}", name)
    return problems.BROKEN


def usage():
    described = (targets.emulator(name).__doc__.splitlines()[0] for name in targets.emulators())
    return USAGE.format(targets="".join(f"  {line}\n" for line in described), words=machine.usage())


def run(target, words, write=None):
    """Makes one run and passes its lines to `write`, say() by default; returns its exit status.

    Raises Problem if the run cannot be started, or is broken.
    """
    write = write or say
    board, machine_words, kernel_words = machine.split(words)
    module, cpu = targets.find(target, board)
    board = getattr(module, "settled", lambda same: same)(board)
    emulator = target.partition(":")[0]
    implied = [*words, *getattr(module, "implied", lambda _: ())(board)]
    rows = deviations.load(emulator, cpu, module.version(), implied)
    poses_as = board.as_ or cpu             # no row of skips names another processor: it is not checked
    skips = deviations.load_skips(emulator, poses_as, module.version(), implied, getattr(module, "SKIPS", None))
    repeated = [word for word in kernel_words if not word.startswith(NOT_REPEATED)]
    transcript = tap.Transcript()
    own = getattr(module, "own_binary", lambda: "")()
    report = Report(rows, [*environment(own), NAME, target, *machine_words, *repeated], None, skips, transcript,
                    is_part=len(repeated) < len(kernel_words))
    with contextlib.closing(logs.Logs(target, words)) as log, \
            contextlib.closing(Handover(board, words_for(module, board, kernel_words))) as handover:
        judge = functools.partial(verdict.what_is_broken, transcript, bits=board.bits,
                                  expected=expected_of(emulator, cpu, module.version(), words, board, handover))
        report.write = Summed(write, lambda: not judge())
        argv = module.command(cpu, board, handover)
        silence = board.timeout or SILENCE_SECONDS + SILENCE_SECONDS_EACH * (board.smp.cpus - 1)
        boot_seconds = board.timeout or module.BOOT_SECONDS
        with Guest(argv, handover, log.emulator, boot_seconds) as guest:
            try:
                if board.com_port or board.has_debug_console:
                    return follow(guest, report, log, silence, judge, head(target, words, own and f"{own}, {module.version()}"))
                return follow_screen(handover, log, boot_seconds, silence, write)
            finally:
                for line in log.notices(getattr(module, "NOTICE", None)):
                    complain(line)


def expected_of(emulator, cpu, version, words, board, handover):
    """Returns what the run must contain."""
    unknown = {"bits"} if board.bits else set()         # what was asked for is compared elsewhere
    if "off" in (board.pit, board.pic) or board.pit == "gated":
        unknown.add("watchdog")                         # another clock's, whichever the machine has
    heads = [row for row in expected.load_heads(emulator, cpu, version, words) if row.id not in unknown]
    return expected.Expected(handover.kernel_words, handover, heads, processors(board, handover.kernel_words))


def processors(board, kernel_words):
    """Returns how many processors must run, or None where firmware or a loader may hide some."""
    return 1 if board.smp.cpus == 1 or "nosmp" in kernel_words else None


def words_for(module, board, kernel_words):
    """Returns the kernel's words, those that the target always adds, and the words for its console."""
    given = [*getattr(module, "words", lambda _: ())(board),
             *(["console=debug"] if board.has_debug_console else []),
             *([f"seed={board.seed}"] if board.seed else [])]
    return [*kernel_words, *(word for word in given if word not in kernel_words)]


def environment(own_qemu):
    """Returns the words before a command that set the variables which this run had."""
    quirk = os.environ.get(model.QUIRK)
    qemu = [*(["env"] if shlex.quote(own_qemu) != own_qemu else []), f"QEMU={own_qemu}"] if own_qemu else []
    return [*qemu, *([f"{model.QUIRK}={quirk}"] if quirk else [])]


def head(target, words, qemu=""):
    """Returns the lines about a run that the guest cannot know, for readers who have only the output.

    `qemu` are path and version of a binary that the environment named.
    """
    quirk = os.environ.get(model.QUIRK) if target.startswith(("model:", "qemu-model:")) else ""
    facts = {"target": shlex.join([target, *words]), "quirk": quirk, "QEMU": tapwriter.plain(qemu)}
    return [f"# {key}: {text}" for key, text in facts.items() if text]


def follow(guest, report, log, silence, judge, said_first):
    """Reads the serial line to its end; judge(ending, silence, overall, died) says what is broken."""
    transcript, overall = report.run, OVERALL * silence
    for line in guest.lines(log.serial, overall):
        report.take(transcript.feed(line))
        if transcript.started and said_first:
            guest.silence = silence
            for own in said_first:
                report.write(own)
            said_first = ()
        if transcript.end is not None:
            guest.leave()
            break
    report.take(transcript.flush())
    report.finish()
    broken = judge(guest.ending, guest.silence, overall, died=guest.death(transcript.started) if transcript.end is None else "")
    if not broken:
        return report.status
    last_words = log.last_words() if transcript.end is None else ""
    said = f" (the emulator's last words: {last_words})" if last_words else ""
    said += nearest.hint_for_bail_out(transcript.bail_out or "")
    raise problems.Problem(f"{broken}{said}; the raw log is {log.shown}")


def follow_screen(handover, log, boot_seconds, silence, write):
    """Reads the screen until the run's end is on it; only the status there can be judged."""
    view, broken = watch.watch(handover, boot_seconds, silence)
    if view:
        log.keep_screenshot(view.ppm)
    if not broken:
        for line in watch.as_tap(view):
            write(line)
        broken = watch.what_is_broken(view)
    if not broken:
        return watch.status_on(view.lines)
    raise problems.Problem(f"{broken}; the last screenshot is {log.screenshot_shown}")


def say(line):
    with program.writing("standard output"):
        print(program.shown(line), flush=True)


def complain(sentence, name=NAME):
    program.complain(name, sentence)


def stop(number, _):
    raise Stopped(number)


def die_of(number):
    """Ends by the signal, so that a shell sees what it expects."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)

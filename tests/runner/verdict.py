# SPDX-License-Identifier: MIT
"""The rules that a whole, honest run keeps, each with the sentence for a run that breaks it."""
from runner import guest, tap
from runner.whole import totals


# What an emulator that ended by itself may mean.
SOUND_END = "a triple fault, or the kernel left early or did not start"


def end_disagrees(run):
    failed = any(result.has_failed for result in run.lines)
    return run.end != int(failed)


# (a function that says whether the run is broken in this way, the sentence). `run` is a Transcript, `ending` one
# of guest's endings, and {silence}, {overall} are in seconds.  The first rule that holds gives the sentence.
RULES = (
    (lambda run, ending: run.bail_out is not None,
     "the guest gave up: {run.bail_out}"),
    (lambda run, ending: not run.started and ending == guest.SILENT,
     "the guest printed no TAP and nothing at all for {silence:g} s; it was stopped"),
    (lambda run, ending: not run.started and ending == guest.CLOSED,
     "the guest ended without a line of TAP: {died}"),
    (lambda run, ending: run.malformed,
     "{run.malformed}"),
    (lambda run, ending: ending == guest.FLOOD,
     "the guest prints without end {run.position}; it was stopped"),
    (lambda run, ending: ending == guest.OVERLONG,
     "the run was not over after {overall:g} s, {run.position}; it was stopped"),
    (lambda run, ending: run.end is None and ending == guest.SILENT,
     "the guest said nothing for {silence:g} s {run.position}; it was stopped"),
    (lambda run, ending: run.end is None,
     "the output stops {run.position}, without an end: {died}"),
    (lambda run, ending: run.plan is None,
     "no plan is announced"),
    (lambda run, ending: run.plan != len(run.lines),
     "the plan announces {run.plan} results, {ran} came"),
    (lambda run, ending: run.misnumbered,
     "{run.misnumbered}"),
    (lambda run, ending: run.miscounted,
     "{run.miscounted}"),
    (lambda run, ending: not run.is_checked,
     "the guest's check sum is missing: what came is not all that it printed"),
    (lambda run, ending: run.plan == 0 and run.planned_reason in ("list", "lastlog") and run.end == 0,
     ""),
    (lambda run, ending: all(result.directive == "SKIP" for result in run.lines),
     "no test was run"),
    (lambda run, ending: run.end == 2,
     "the guest calls its own run broken: {run.verdict}"),
    (lambda run, ending: end_disagrees(run),
     "the guest's own status, {run.end}, does not fit its results"),
    (lambda run, ending: totals.complaint(run),
     "{totals}"),
)


def what_is_broken(run: tap.Transcript, ending=guest.CLOSED, silence=0, overall=0, bits=None, expected=None, died=""):
    """Returns the sentence that says why the run is broken, or "" for a run that is not.

    `bits` are those of the kernel that was asked for, or None for any. `expected` is what the run must contain
    (expected.Expected), or None if that is unknown. `died` says how the emulator died, if it did.
    """
    for holds, sentence in RULES:
        if holds(run, ending):
            broken = sentence.format(run=run, ran=len(run.lines), silence=silence, overall=overall,
                                     totals=totals.complaint(run), died=died or SOUND_END)
            if broken:
                return broken
            break
    if bits not in (None, run.bits):
        return f"the {bits}-bit kernel was asked for, and another one ran"
    return expected.complaint(run) if expected else ""

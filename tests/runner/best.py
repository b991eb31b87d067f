# SPDX-License-Identifier: MIT
"""The target `best`: the first target that is available here, and why the better ones are not."""
from runner import targets
from runner.problems import Problem, Unavailable

# From the target that proves most to the one that is always available.
CANDIDATES = (
    ("kvm:host", "a virtual PMU"),
    ("model:arrow_lake", "the PMU model"),
    ("bochs:corei7_haswell_4770", "Bochs without the PMU model"),
    ("qemu:Nehalem", "QEMU's translator, which has no PMU"),
)


def choose(machine):
    """Returns a target's name and the sentence that says what was chosen and why."""
    reasons = []
    for target, what in CANDIDATES:
        try:
            targets.find(target, machine)
        except Problem as problem:
            reasons.append(f"{target.partition(':')[0]}: {problem}")
            continue
        because = f"; not better, because {'; '.join(reasons)}" if reasons else ""
        return target, f"running on {target} ({what}){because}"
    raise Unavailable(f"no target is available here: {'; '.join(reasons)}")

# SPDX-License-Identifier: MIT
"""Files that use each other in a circle: nobody can understand one of them without all of them.

A circle of includes is not allowed. A circle of calls needs a row here, with the reason. What assembly calls
counts for nothing: the processor enters there, and C is where it goes on.
"""
ALLOWED = {
    "model/cache/bus.c model/cache/cache_levels.c":
        "a miss takes the bus, and what is on the bus looks into the caches of all processors",
    "pmu/events/event_request_amd.c pmu/events/event_request_general.c pmu/events/event_request_intel.c "
    "pmu/events/event_request_names.c pmu/events/event_request_netburst.c":
        "whichever source is asked refuses a name with what all of them have",
    "pmu/review/amd_parts.c pmu/review/cost_parts.c pmu/review/counting_parts.c pmu/review/record_parts.c pmu/review/review.c "
    "pmu/review/tool_parts.c":
        "the page calls its rows, and a row writes its sentence with the page's functions",
}


def reached_from(uses, start):
    """Returns all files that this one uses, by whatever detour."""
    reached, waiting = set(), [start]
    while waiting:
        fresh = set(uses.get(waiting.pop(), ())) - reached
        reached |= fresh
        waiting += fresh
    return reached


def circles(uses):
    """Returns the sets of files that reach each other; uses: for each file those that it uses."""
    reached = {file: reached_from(uses, file) for file in uses}
    return {frozenset(other for other in reached[file] if file in reached.get(other, ()))
            for file in uses if file in reached[file]}


def check_includes(uses):
    """Yields each circle of includes."""
    for circle in sorted(map(sorted, circles(uses))):
        yield f"{' '.join(circle)}: these include each other in a circle"


def check_calls(builds):
    """Yields each circle of calls without a row, and each row without a circle; builds: uses of each build."""
    found = set().union(*map(circles, builds))
    rows = [frozenset(row.split()) for row in ALLOWED]
    for circle in sorted(map(sorted, found)):
        if not any(row.issuperset(circle) for row in rows):
            yield f"{' '.join(circle)}: these call each other in a circle"
    for row in rows:
        if not any(row.issuperset(circle) for circle in found):
            yield f"runner/checks/circles.py: {' '.join(sorted(row))} call each other no more"


def calls(defined, used):
    """Returns the files whose functions and variables each file uses; see symbols() of layers.py."""
    uses = {}
    for name, users in used.items():
        for user in users:
            if name in defined and defined[name] != user and not user.endswith(".asm"):
                uses.setdefault(user, set()).add(defined[name])
    return uses

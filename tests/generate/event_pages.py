# SPDX-License-Identifier: MIT
"""What the pages of events share: the listings of build/events and build/model-events, and how an event is exercised."""

JUDGED = ("exact", "relation", "reported")


def rows(lines):
    """Returns a dictionary for each line after the first, which has the keys; tabs separate cells."""
    if not lines:
        return []
    keys = lines[0].split("\t")
    return [dict(zip(keys, line.split("\t"), strict=True)) for line in lines[1:]]


def code(text):
    return f"`{text}`" if text else ""


def table_line(cells):
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def table_head(columns):
    return table_line(columns) + "|" + " --- |" * len(columns) + "\n"


def wrong_bounds(exercise):
    """Yields a sentence for each mistake in a row that does not depend on its event."""
    flags = exercise["flags"].split()
    if len(flags) > 1 or exercise["moves"] and not flags:
        yield f"exactly one of {', '.join(JUDGED)} is wanted, not '{exercise['flags']}'"
    if exercise["moves"] and int(exercise["few"]) >= int(exercise["many"]):
        yield "few rounds must be fewer than many"
    if flags == ["exact"] and exercise["low"] != exercise["high"]:
        yield f"exact, but from {exercise['low']} to {exercise['high']}"
    if flags in (["exact"], ["relation"]) and exercise["moves"] and not exercise["why"]:
        yield "no word on why the bounds are what they are"
    if (flags == ["reported"] or exercise["elsewhere"]) and not exercise["reason"]:
        yield "reported, and no word on why it is not judged"
    if not (exercise["moves"] or exercise["test"] or exercise["reason"]):
        yield "neither an exercise nor a reason"


def how(exercise):
    """Returns the cells "exercised by", "how" and "not by"."""
    flags = exercise["flags"].strip()
    rounds = "round" if exercise["per"] == "1" else f"{exercise['per']} rounds"
    by = code(exercise["moves"]) or code(exercise["test"]) or f"not: {exercise['reason']}"
    if exercise["moves"] and exercise["test"]:
        by += f", {code(exercise['test'])}"
    if not exercise["moves"]:
        judged = f"**{flags}**" if flags in JUDGED[:2] else flags
    elif flags == "exact":
        judged = f"**exact**: {exercise['low']} a {rounds}"
    elif flags == "relation":
        high = "" if exercise["high"] == "any" else f" to {exercise['high']}"
        judged = f"**relation**: {exercise['low']}{high or ' or more'} a {rounds}"
    else:
        judged = f"*reported*: {exercise['reason']}"
    if exercise["elsewhere"] == "reported":
        judged += f"; without `exact` *reported*: {exercise['reason']}"
    elif exercise["elsewhere"]:
        judged += f"; without `exact` that {exercise['elsewhere']}: {exercise['reason']}"
    return by, judged, code(exercise["still"])

# SPDX-License-Identifier: MIT
"""Damages logs at random, as lines and bytes get lost, doubled and mixed, to try programs that read them."""


def mutated(good, generator):
    """Returns one of these logs with a few lines or bytes lost, doubled, swapped, changed; or parts of two."""
    text = generator.choice(good)
    for _ in range(generator.choice((1, 1, 1, 2, 5))):
        text = generator.choice(WAYS)(text, generator.choice(good), generator)
    return text


def with_lines(change):
    def way(text, other, generator):
        lines, others = text.split(b"\n"), other.split(b"\n")
        one, two = generator.randrange(len(lines)), generator.randrange(len(lines))
        return b"\n".join(change(lines, others, min(one, two), max(one, two), generator))
    return way


def with_bytes(change):
    def way(text, _, generator):
        at = generator.randrange(len(text) + 1)
        return change(text, at, bytes([generator.randrange(256)]))
    return way


WAYS = (
    with_lines(lambda a, b, i, j, g: a[:i] + a[i + 1:]),
    with_lines(lambda a, b, i, j, g: a[:i] + a[j:]),
    with_lines(lambda a, b, i, j, g: a[:i] + a[i:j] + a[i:]),
    with_lines(lambda a, b, i, j, g: a[:i] + [a[j]] + a[i + 1:j] + [a[i]] + a[j + 1:]),
    with_lines(lambda a, b, i, j, g: a[:i] + [g.choice(b)] + a[i:]),
    with_lines(lambda a, b, i, j, g: a[:i] + [g.choice(b)] + a[i + 1:]),
    with_lines(lambda a, b, i, j, g: a[:i] + b[i:]),
    with_lines(lambda a, b, i, j, g: a[:i] + b[g.randrange(len(b)):]),
    with_lines(lambda a, b, i, j, g: a[:i] + b[:j] + a[i:]),
    with_bytes(lambda text, at, byte: text[:at] + text[at + 1:]),
    with_bytes(lambda text, at, byte: text[:at] + byte + text[at:]),
    with_bytes(lambda text, at, byte: text[:at] + byte + text[at + 1:]),
    with_bytes(lambda text, at, byte: text[:at]),
)

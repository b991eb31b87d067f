# SPDX-License-Identifier: MIT
"""tests/monitor: a target's monitor at the terminal, or with lines from a pipe."""
from runner import cli, machine, terminal
from runner.session import Session

USAGE = """\
usage: tests/monitor TARGET [WORD...]

Boots TARGET into its monitor, as tests/boot does with the word monitor, at this terminal: CTRL-]
leaves, `quit` ends the guest. Where standard input is not a terminal its lines are typed one after
the other, each when the one before it has been answered.
Exit status: 0 left or ended, 2 the guest cannot be started, or died, 77 the target cannot be had on
this host.

"""


def main(arguments):
    return cli.start("tests/monitor", lambda: USAGE + machine.usage(), run, arguments)


def run(target, words, greeting=()):
    with Session(target, words) as session:
        return terminal.interact(session, greeting)

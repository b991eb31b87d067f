# SPDX-License-Identifier: MIT
"""tests/monitor: opens a target's monitor at the terminal, or types lines from a pipe."""
from runner import cli, layout, machine, terminal
from runner.session import Session

NAME = layout.command("monitor")
USAGE = f"""\
usage: {NAME} TARGET [WORD...]

Boots TARGET into its monitor, as {layout.command('boot')} does with the word monitor, at this terminal: CTRL-]
leaves, `quit` ends the guest. If standard input is not a terminal, its lines are typed one after the other,
each when the line before it has been answered.
Exit status: 0 left or ended, 2 the guest cannot be started, or died, 77 the target is not available on
this host.

"""


def main(arguments):
    return cli.start(NAME, lambda: USAGE + machine.usage(), run, arguments)


def run(target, words, greeting=None, tutor=None):
    """Opens the monitor; a greeting is shown in place of what the machine said about itself."""
    with Session(target, words) as session:
        greeting = session.head if greeting is None else greeting
        return terminal.interact(session, [*greeting, *(tutor.resume(session) if tutor else ())], tutor)

# SPDX-License-Identifier: MIT
"""model:CPU, Bochs with the reference PMU model behind its RDPMC and MSRs."""
from runner.problems import Unavailable

OFFERS = {}
BOOT_SECONDS = 30


def prepare(cpu, machine):
    raise Unavailable("the PMU model is not built yet")

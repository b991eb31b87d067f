# SPDX-License-Identifier: MIT
"""What makes a run whole: the kernel that ran, the tests that it had to run, totals that follow from them."""

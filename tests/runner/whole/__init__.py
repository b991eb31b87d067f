# SPDX-License-Identifier: MIT
"""What makes a run whole: the kernel that ran, the tests that it had to run, a summary that follows from them."""

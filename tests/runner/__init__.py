# SPDX-License-Identifier: MIT
"""The host side of a run: starts a guest, follows its output, judges the run."""

# SPDX-License-Identifier: MIT
"""Boots with one fault each, to prove that a run is complete or broken."""

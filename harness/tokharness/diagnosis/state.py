"""The cause of a target that gives different results for the same text."""

from __future__ import annotations

from tokharness.model import Cause

__all__ = ["STATE"]

STATE = Cause("state", message="the same text gives a different result on a second call")

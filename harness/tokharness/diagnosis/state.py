"""A target that contradicts itself."""

from __future__ import annotations

from tokharness.model import Cause

__all__ = ["STATE"]

STATE = Cause("state", message="the same text is treated otherwise when it is tried again")

"""How numbers are split: ``{"policy", "encodings": [{"text", "ids", "bytes", ...}]}``.

The policy is the one that TOK302 reports, or null if no number shows it. If digits are
unknown, they take its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.checks.digit_split_inconsistency import digit_policy
from tokharness.engine.worker.token_columns import encodings

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["NUMBERS", "measure"]

NUMBERS = (
    *("7", "42", "380", "381", "1234", "12345", "123456", "1234567", "123456789012"),
    *("0042", " 1234", "-1234", "+1234", "$1234", "x1234", "1,234,567", "1.234.567", "1 234 567"),
    *("3.14159", "0.1", "1e10", "6.022e23", "0xFF", "50%", "2026-11-22", "12:34:56", "+44 20 7946"),
    *("192.168.0.1", "1/2", "\u00bd", "12\u00bd", "\u2167", "x\u00b2"),
    "\uff11\uff12\uff13\uff14",
    "\u0661\u0662\u0663\u0664",
    "\u0967\u0968\u0969\u096a",
    "\u09e7\u09e8\u09e9\u09ea",
    "\u4e00\u4e8c\u4e09\u56db",
    "\U0001d7cf\U0001d7d0\U0001d7d1\U0001d7d2",
)


def measure(subject: Subject) -> dict[str, Any]:
    """Encode numbers of every kind."""
    return {"policy": digit_policy(subject), "encodings": encodings(NUMBERS, subject)}

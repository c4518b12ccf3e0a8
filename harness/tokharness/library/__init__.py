"""tokharness as a library: run checks from Python, and get the report as data.

It does what ``tokharness check``, ``audit``, ``compare``, ``parity`` and ``chat`` do, with the same
worker processes, but it reads no policy, prints nothing, and raises the errors that end a command.
The names of :data:`__all__` are those of the package ``tokharness`` itself.
"""

from tokharness.library.conversations import ChatReport, chat
from tokharness.library.forms import ParityReport, parity
from tokharness.library.loading import LoadedTarget, load
from tokharness.library.reports import AuditReport, CheckReport, ComparisonReport
from tokharness.library.running import audit, check, compare

__all__ = [
    "AuditReport",
    "ChatReport",
    "CheckReport",
    "ComparisonReport",
    "LoadedTarget",
    "ParityReport",
    "audit",
    "chat",
    "check",
    "compare",
    "load",
    "parity",
]

"""tokharness as a library: run checks from Python, and get the report as data.

It does what ``tokharness check``, ``audit`` and ``compare`` do, with the same worker processes, but
it reads no policy, prints nothing, and raises the errors that end a command. The names of
:data:`__all__` are those of the package ``tokharness`` itself.
"""

from tokharness.library.auditing import audit
from tokharness.library.checking import check
from tokharness.library.comparing import compare
from tokharness.library.loading import LoadedTarget, load
from tokharness.library.reports import AuditReport, CheckReport, ComparisonReport

__all__ = [
    "AuditReport",
    "CheckReport",
    "ComparisonReport",
    "LoadedTarget",
    "audit",
    "check",
    "compare",
    "load",
]

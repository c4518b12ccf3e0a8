"""tokharness: a Unicode robustness and security test harness for tokenizers.

::

    import tokharness

    report = tokharness.check("python:my_tokenizer.py:Tokenizer", profile="quick")
    for finding in report.bugs:
        print(finding.code, finding.cause, ascii(finding.text))

:func:`check` runs the checks on a target, :func:`audit` examines its vocabulary, :func:`compare`
measures what text costs with several targets, :func:`parity` says whether several targets are one
tokenizer, :func:`chat` checks chat templates, and :func:`load` returns the tokenizer of a target.
Importing this package imports none of its modules: each name is imported when it is first used.
"""

# Nothing is imported here, not even __future__: Ctrl-C in an import would print a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from tokharness.errors import (
        InternalError,
        NotFinishedError,
        NothingCheckedError,
        NotInstalledError,
        PluginError,
        TargetError,
        TokharnessError,
        UnknownNameError,
        UnreachableError,
        UsageError,
        VocabularyError,
    )
    from tokharness.library import (
        AuditReport,
        ChatReport,
        CheckReport,
        ComparisonReport,
        LoadedTarget,
        ParityReport,
        audit,
        chat,
        check,
        compare,
        load,
        parity,
    )
    from tokharness.model import Cause, Finding, Skip, Verdict

__all__ = [
    "AuditReport",
    "Cause",
    "ChatReport",
    "CheckReport",
    "ComparisonReport",
    "Finding",
    "InternalError",
    "LoadedTarget",
    "NotFinishedError",
    "NotInstalledError",
    "NothingCheckedError",
    "ParityReport",
    "PluginError",
    "Skip",
    "TargetError",
    "TokharnessError",
    "UnknownNameError",
    "UnreachableError",
    "UsageError",
    "Verdict",
    "VocabularyError",
    "audit",
    "chat",
    "check",
    "compare",
    "load",
    "parity",
]

_MODULES = {
    **dict.fromkeys(("Cause", "Finding", "Skip", "Verdict"), "tokharness.model"),
    **dict.fromkeys(("AuditReport", "CheckReport", "ComparisonReport"), "tokharness.library"),
    **dict.fromkeys(("LoadedTarget", "audit", "check", "compare", "load"), "tokharness.library"),
    **dict.fromkeys(("ChatReport", "ParityReport", "chat", "parity"), "tokharness.library"),
}
"""The module of each name that is not an exception."""

if not TYPE_CHECKING:  # mypy would take every name for an attribute of this package

    def __getattr__(name: str) -> object:
        """Import a name of ``__all__`` on its first use."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(_MODULES.get(name, "tokharness.errors")), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        """Return all names, those that are not yet imported too."""
        return sorted({*globals(), *__all__})

"""``chat``: check the chat templates of a target, and get the report as data."""

from __future__ import annotations

from dataclasses import dataclass
from os import fspath
from typing import TYPE_CHECKING, Any, get_args

from tokharness.config import FailOn, Options
from tokharness.engine.option_values import names_of
from tokharness.errors import UnknownNameError, UsageError
from tokharness.library.reports import CheckReport
from tokharness.library.running import outermost
from tokharness.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike

    from tokharness.model import Finding, Skip


@dataclass(frozen=True, slots=True, repr=False)
class ChatReport(CheckReport):
    """The findings and skips of all chat templates of a target, worst first for each template."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All bugs, risks and facts; ``spec`` of a finding says which template it is of."""
        return tuple(finding for target in self.report.targets for finding in target.findings)

    @property
    def of_library(self) -> tuple[Finding, ...]:
        """Nothing: no finding of a template is that of a library."""
        return ()

    @property
    def skips(self) -> tuple[Skip, ...]:
        """Checks that did not run, with the reason; a skip does not count as a pass."""
        return tuple(skip for target in self.report.targets for skip in target.skips)

    def __repr__(self) -> str:
        counts = [f"{verdict.value}: {self.report.count(verdict)}" for verdict in Verdict]
        number = len(self.report.targets)
        return f"<ChatReport of {number} templates, {', '.join(counts)}>"


def chat(
    target: str | PathLike[str],
    *,
    template: str | PathLike[str] | None = None,
    conversation: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
    renderers: str | Iterable[str] = (),
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    fail_on: FailOn = "bug",
) -> ChatReport:
    """Check the chat templates of a target, as ``tokharness chat`` does.

    ::

        report = tokharness.chat("model_folder")
        [finding.text for finding in report.bugs]  # the smallest conversations, as JSON

    Args:
        target: A folder with a tokenizer and its template, a spec, or a file with a template alone.
        template: A file with a template, or the name of one of several.
        conversation: Messages, or an object that has them and tools, to check instead of the
            shapes; texts such as ``text1`` are followed.
        renderers: Other renderers to compare with transformers, such as ``minijinja``.
        select: The checks to run: codes, prefixes of codes, or names; empty for all.
        ignore: The checks to leave out.
        fail_on: The least severe verdict with which the report is not ``ok``.

    Raises:
        UsageError: there is no template, or an argument is invalid.
        TargetError: the tokenizer cannot be loaded.
        NothingCheckedError: no check could run.

    """
    if fail_on not in get_args(FailOn):
        raise UnknownNameError("value of fail_on", fail_on, get_args(FailOn))
    from tokharness.conversations.run import chat as run_chat
    from tokharness.conversations.shapes import shape_of

    options = Options(
        select=names_of(select, "select"), ignore=names_of(ignore, "ignore"), fail_on=fail_on
    )
    try:
        given = None if conversation is None else shape_of(conversation)
    except ValueError as error:
        raise UsageError(f"conversation: {error}") from error
    named = None if template is None else fspath(template)
    others = names_of(renderers, "renderers")
    with outermost("chat"):
        return ChatReport(run_chat(fspath(target), named, options, given=given, renderers=others))

"""The causes as SARIF 2.1.0 for code scanning: a result for each bug and risk.

A cause is located at the file of a form that has it.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from tokharness.changes import change_fingerprint
from tokharness.escaping import Shown, sentence, shorten, visible
from tokharness.formats._problems import Problem
from tokharness.formats.sarif import log_of
from tokharness.model import Skip, Verdict
from tokharness.parity_matrix.model import DECODED, IDS, OFFSETS, SPECIAL, TOKEN_BYTES, named
from tokharness.parity_matrix.words import aligned, labels, not_finished, result_words, where
from tokharness.results.locations import find_location

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.parity_matrix.model import Cause, Disagreement, Parity

MAX_TEXT = 80

FILES = "files"
PAGES = {
    TOKEN_BYTES: "Forms of one tokenizer have different tokens.",
    SPECIAL: "Forms of one tokenizer read special tokens differently.",
    IDS: "Forms of one tokenizer give a text different ids.",
    DECODED: "Forms of one tokenizer decode the same ids to different texts.",
    OFFSETS: "Forms of one tokenizer have different spans of the same tokens.",
    FILES: "Files of one folder contradict each other.",
}
"""The page of the rule of each aspect."""


def render(result: Parity, *, width: int | None = None, color: bool = False) -> Shown:  # noqa: ARG001 - the arguments of a format
    """Render the result as a SARIF log."""
    incomplete = not_finished(result)
    if result.interrupted:
        incomplete = Shown("The run was interrupted: the report is incomplete")
    elif not result.compared:
        incomplete = incomplete or Shown("Nothing was compared")
    absent = [
        Skip(form.spec, "the whole form", form.problem)
        for form in result.forms
        if not form.is_installed
    ]
    problems = [
        *(_of_files(one, result.forms[0].spec) for one in result.disagreements),
        *sorted(_of_causes(result), key=lambda one: one.level != "error"),
    ]
    skips = [*result.skips, *absent]
    return log_of(problems, {}, incomplete, skips, version("tokharness"))


def _of_files(disagreement: Disagreement, spec: str) -> Problem:
    """Return the problem; ``spec`` is a form in the same folder."""
    return Problem(
        rule=Shown("parity-files"),
        rule_name=Shown("files disagree"),
        page=PAGES[FILES],
        level="error",
        spec=visible(", ".join(disagreement.files)),
        title=Shown("The files of a folder disagree"),
        message=sentence(disagreement.message),
        command=Shown(""),
        fingerprint=change_fingerprint(FILES, disagreement.message),
        path=find_location(spec, []),
    )


def _of_causes(result: Parity) -> Iterator[Problem]:
    specs = [form.spec for form in result.forms]
    for cause in result.causes:
        if cause.verdict is Verdict.FACT or cause.expected:
            continue
        own = [specs[place] for place in cause.forms]
        aspect = Shown.of(cause.aspect)
        yield Problem(
            rule=Shown.of(f"parity-{cause.aspect.replace(' ', '-')}"),
            rule_name=Shown("other {}").format(aspect),
            page=PAGES[cause.aspect],
            level="error" if cause.verdict is Verdict.BUG else "warning",
            spec=visible(named(cause.forms, specs)),
            title=Shown("{}: {}").format(Shown.of(cause.stage), sentence(cause.name)),
            message=_message(cause, specs),
            command=Shown(""),
            fingerprint=change_fingerprint(cause.aspect, cause.stage, cause.name, own),
            path=find_location(own[0], []),
            count=cause.count,
        )


def _message(cause: Cause, specs: list[str]) -> Shown:
    parts = [sentence(cause.message), where(cause)]
    if cause.text is not None:
        parts.append(Shown('smallest text "{}"').format(shorten(cause.text, MAX_TEXT)))
    parts += [
        Shown("{} of {}").format(result_words(cause, row.tokens), labels(row.places))
        for row in aligned(cause)
    ]
    parts.append(Shown("the reference is {}").format(named(cause.against, specs)))
    if cause.right:
        parts.append(Shown.of(cause.right))
    return Shown("; ").join(parts)

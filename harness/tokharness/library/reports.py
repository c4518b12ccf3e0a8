"""Results of a check or a comparison: the report as data, in every format, and in a notebook."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.atomic_write import write_text
from tokharness.escaping import terminal
from tokharness.model import Finding, Skip, Verdict
from tokharness.results.report import Report, compare_targets, exit_code, find_format

if TYPE_CHECKING:
    from os import PathLike

    from tokharness.model import TokenRow
    from tokharness.results.comparison import Comparison, Lengths, Row

# A report within a page of a notebook.

HEIGHT = "40em"

HEAD = "<head>"
BASE = '<base href="about:srcdoc">'
"""Base address of the page: without it, a link to a heading would load the notebook in the frame.

It comes before the policy of the page, which allows no base.
"""


def frame(page: str) -> str:
    """Return a frame with a page, so that neither its style nor its script reaches the notebook.

    The frame is sandboxed: the page has no origin, so that it cannot read the notebook. Its script
    may run, and its Content-Security-Policy remains in force.
    """
    page = page.replace(HEAD, f"{HEAD}{BASE}", 1)
    return (
        '<iframe title="tokharness report" sandbox="allow-scripts" '
        f'style="width: 100%; height: {HEIGHT}; border: 1px solid gray; resize: vertical" '
        f'srcdoc="{escape(page)}"></iframe>'
    )


@dataclass(frozen=True, slots=True, repr=False)
class RenderedReport:
    """A report that can be rendered; ``str`` gives the output of the command.

    Attributes:
        report: The report, with everything that the formats show.

    """

    report: Report

    def render(self, format: str = "terminal") -> str:  # noqa: A002 - as the option is called
        """Return the report in a format; `tokharness list formats` lists them.

        Raises:
            UnknownNameError: no format has this name.
            UsageError: the format cannot show a comparison.

        """
        form = find_format(format, compares=self.report.embedding_width is not None)
        return form.render(self.report, width=None, color=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data: the object that ``--format json`` prints."""
        record: dict[str, Any] = json.loads(self.render("json"))
        return record

    def save(self, path: str | PathLike[str], format: str | None = None) -> None:  # noqa: A002
        """Write the report to a file, which is replaced only by a complete one.

        Args:
            path: The file.
            format: The format; by default the suffix of the file is its name, as in
                ``report.html``.

        Raises:
            UnknownNameError: no format has this name.
            OSError: the file cannot be written.

        """
        file = Path(path)
        write_text(file, self.render(format or file.suffix.removeprefix(".")))

    def __str__(self) -> str:
        return self.render()

    def _repr_html_(self) -> str:
        """Return the HTML report for a notebook, in a frame of its own."""
        return frame(self.render("html"))


@dataclass(frozen=True, slots=True, repr=False)
class CheckReport(RenderedReport):
    """The findings and skips of a check, worst first.

    A notebook shows it as the HTML report; ``print`` shows what the command prints.
    """

    @property
    def spec(self) -> str:
        """The spec of the target."""
        return self.report.targets[0].started.spec

    @property
    def against(self) -> str | None:
        """The spec of the reference that the target was compared with, if there is one."""
        return self.report.targets[0].started.against

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All bugs, risks and facts."""
        return self.report.targets[0].findings

    @property
    def bugs(self) -> tuple[Finding, ...]:
        """What breaks what the tokenizer claims, or what every tokenizer must do.

        Bugs of the library that reads the file are in :attr:`of_library`.
        """
        return self._with(Verdict.BUG)

    @property
    def risks(self) -> tuple[Finding, ...]:
        """Findings that a reviewer should look at, without the findings in :attr:`of_library`."""
        return self._with(Verdict.RISK)

    @property
    def of_library(self) -> tuple[Finding, ...]:
        """Bugs and risks of the library that reads the file, whatever the file.

        Small healthy files show them too. They affect ``ok`` only with ``fail_on_library``.
        """
        return self.report.targets[0].of_library

    @property
    def facts(self) -> tuple[Finding, ...]:
        """Properties that the tokenizer has by design."""
        return self._with(Verdict.FACT)

    @property
    def skips(self) -> tuple[Skip, ...]:
        """Skipped parts of the run, with the reason; a skip does not count as a pass."""
        return self.report.targets[0].skips

    @property
    def ok(self) -> bool:
        """Whether no finding has the verdict ``fail_on`` or worse: the command exits with 0."""
        return exit_code(self.report, self.report.options.fail_on) == 0

    def _with(self, verdict: Verdict) -> tuple[Finding, ...]:
        own = (finding for finding in self.findings if not finding.is_of_library)
        return tuple(finding for finding in own if finding.verdict is verdict)

    def __repr__(self) -> str:
        counts = [f"{verdict.value}: {self.report.count(verdict)}" for verdict in Verdict]
        counts += [f"library: {len(self.of_library)}"] if self.of_library else []
        counts.append(f"skipped: {len(self.skips)}")
        return f"<CheckReport of {terminal(self.spec)}, {', '.join(counts)}>"


@dataclass(frozen=True, slots=True, repr=False)
class AuditReport(CheckReport):
    """The findings and skips of an audit, and the tokens of the vocabulary."""

    @property
    def tokens(self) -> tuple[TokenRow, ...]:
        """A row for each id below ``n_vocab``; none if the target ended its process for them."""
        return tuple(self.report.targets[0].tokens or ())


@dataclass(frozen=True, slots=True, repr=False)
class ComparisonReport(RenderedReport):
    """What languages, words, digits and code cost in tokens, with a column for each target.

    A notebook shows it as the HTML report; ``print`` shows what the command prints.
    """

    @property
    def comparison(self) -> Comparison:
        """The specs, and the rows with a value for each."""
        comparison = compare_targets(self.report)
        if comparison is None:
            raise TypeError("the report is not a comparison: it has no width of embeddings")
        return comparison

    @property
    def specs(self) -> tuple[str, ...]:
        """The specs of the targets, in the order of the values of a row."""
        return self.comparison.specs

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows."""
        return self.comparison.rows

    @property
    def lengths(self) -> tuple[Lengths, ...]:
        """Vocabulary against sequence length: of the targets, and of bytes, characters and words.

        They are sorted by vocabulary. ``name`` is a spec, or a unit if ``is_unit``; ``of(GROUP)``
        is the length of a group of texts, such as ``"all languages"`` or ``"Cyrillic"``.
        """
        return self.comparison.lengths

    def __repr__(self) -> str:
        return f"<ComparisonReport of {terminal(' '.join(self.specs))}, rows: {len(self.rows)}>"

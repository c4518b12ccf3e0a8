"""Render a report with the templates, as a page that may load nothing.

Every value that a template prints goes through :func:`tokharness.escaping.visible` and is then
escaped, so that no template can forget to escape it. The filter ``verbatim`` is for commands and
documentation, whose backslashes have a meaning: it leaves printable ASCII unchanged.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.config import PROFILES
from tokharness.escaping import sentence, shorten, verbatim, visible
from tokharness.formats._corpus_lines import corpus_lines, token_text
from tokharness.formats._gate_lines import MAX_EXAMPLES, commands, shown_ids
from tokharness.formats._gate_lines import verdict as gate_verdict
from tokharness.formats._html import charts, findings, language_charts, length_chart, views
from tokharness.formats._html.views import reach_rows
from tokharness.formats._overview import campaign_lines, overview
from tokharness.formats._renderings import rendering_lines
from tokharness.formats._wording import (
    incomplete,
    library_counts,
    library_title,
    pluralize,
    what_was_run,
)
from tokharness.model import Verdict
from tokharness.results.comparison import format_value
from tokharness.results.detectors import are_audits, detectors, is_audit
from tokharness.results.language_costs import CAVEAT, band_of, language_costs
from tokharness.results.report import compare_targets, exit_code
from tokharness.results.scorecard import scorecard

if TYPE_CHECKING:
    from jinja2 import Environment

    from tokharness.results.report import Report

MAX_COLUMNS, MAX_BRIEF = 240, 60
"""Columns of the display form of a text, on a card and in a row; longer forms are shortened."""


def page(report: Report) -> str:
    """Render a report as HTML."""
    from markupsafe import Markup

    style, script = _asset("page.css"), _asset("page.js")
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    html = (
        _environment()
        .get_template("page.html")
        .render(
            report=report,
            policy=Markup(policy),  # noqa: S704 - ours
            style=Markup(style),  # noqa: S704 - ours
            script=Markup(script),  # noqa: S704 - ours
            verdict=_verdict(report),
            comparison=compare_targets(report),
            profile=PROFILES[report.options.profile],
            checks=plugins.all_checks(),
        )
    )
    return "".join(f"{line.rstrip()}\n" for line in html.splitlines() if line.strip())


def _verdict(report: Report) -> tuple[str, str]:
    """Return the verdict in one word, and its reason."""
    if report.unfinished and not report.interrupted:
        return "not finished", str(incomplete(report))
    if report.gate is not None:
        return gate_verdict(report.gate)
    if report.embedding_width is not None:
        targets = f"{pluralize(len(report.targets), 'target')}, no checks were run"
        not_run = f"; targets not run: {', '.join(report.not_run)}" if report.not_run else ""
        return ("interrupted" if report.interrupted else "compared"), f"{targets}{not_run}"
    bugs, risks = report.count(Verdict.BUG), report.count(Verdict.RISK)
    skips = sum(len(target.skips) for target in report.targets)
    counts = f"{pluralize(bugs, 'bug')}, {pluralize(risks, 'risk')}, {skips} skipped"
    if report.interrupted:
        return "interrupted", f"{counts}; the report is incomplete"
    failed = exit_code(report, report.options.fail_on)
    rule = {"bug": "fails on bugs", "risk": "fails on bugs and risks", "never": "never fails"}
    own = f"{counts}; {rule[report.options.fail_on]}"
    of_library = library_counts(one for target in report.targets for one in target.findings)
    return ("failed" if failed else "passed"), "; ".join([own, *of_library])


@cache
def _environment() -> Environment:
    import jinja2
    from markupsafe import Markup, escape

    def safe(value: Any) -> Any:
        return (
            visible(value)
            if isinstance(value, str | bytes) and not isinstance(value, Markup)
            else value
        )

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("tokharness.formats._html"),
        autoescape=True,
        finalize=safe,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["verbatim"] = lambda value: Markup(escape(verbatim(value)))  # noqa: S704
    environment.filters["sentence"] = lambda value: Markup(escape(sentence(value)))  # noqa: S704
    environment.filters["short"] = lambda value: Markup(escape(shorten(value, MAX_COLUMNS)))  # noqa: S704
    environment.filters["brief"] = lambda value: Markup(escape(shorten(value, MAX_BRIEF)))  # noqa: S704
    environment.globals |= {
        "views": views,
        "library_counts": library_counts,
        "library_title": library_title,
        "charts": charts,
        "corpus_charts": charts,
        "corpus_lines": corpus_lines,
        "token_text": token_text,
        "overview": overview,
        "scorecard": scorecard,
        "language_charts": language_charts,
        "language_costs": language_costs,
        "language_caveat": CAVEAT,
        "band_of": band_of,
        "length_chart": length_chart,
        "findings": findings,
        "campaign_lines": campaign_lines,
        "commands": commands,
        "MAX_EXAMPLES": MAX_EXAMPLES,
        "rendering_lines": rendering_lines,
        "shown_ids": shown_ids,
        "pluralize": pluralize,
        "what_was_run": what_was_run,
        "detectors": detectors,
        "reach_rows": reach_rows,
        "is_audit": is_audit,
        "are_audits": are_audits,
        "Verdict": Verdict,
        "format_value": format_value,
    }
    return environment


def _asset(name: str) -> str:
    source = files("tokharness.formats._html").joinpath(name)
    return source.read_text(encoding="ascii")


def _digest(text: str) -> str:
    """Return the hash of an asset for the Content-Security-Policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

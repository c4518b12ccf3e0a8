"""Put a report into the templates, and allow the page nothing but what it brings along.

Whatever a template prints goes through :func:`tokharness.escaping.visible` and is then escaped, so
that no template can forget it. What has backslashes that mean something, a command or the page of a
check, is marked ``verbatim`` there: its printable ASCII stays as it is.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.config import PROFILES
from tokharness.escaping import shortened, verbatim, visible
from tokharness.formats._campaign import campaign_lines
from tokharness.formats._gate_lines import verdict as gate_verdict
from tokharness.formats._html import charts, findings, tables, views
from tokharness.model import Verdict
from tokharness.results.comparison import format_value
from tokharness.results.report import compare_targets, exit_code

if TYPE_CHECKING:
    from jinja2 import Environment

    from tokharness.results.report import Report

__all__ = ["page"]

COLUMNS = 240
"""Of the display form of a text that is no longer shown whole."""


def page(report: Report) -> str:
    """HTML of a report."""
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
            checks=plugins.checks(),
        )
    )
    return "".join(f"{line.rstrip()}\n" for line in html.splitlines() if line.strip())


def _verdict(report: Report) -> tuple[str, str]:
    """The word that a reviewer looks for, and why."""
    if report.gate is not None:
        return gate_verdict(report.gate)
    if report.embedding_width is not None:
        reached = f"{views.counted(len(report.targets), 'target')}, no case was tried"
        left = f"; not reached: {', '.join(report.not_run)}" if report.not_run else ""
        return ("interrupted" if report.interrupted else "compared"), f"{reached}{left}"
    bugs, risks = report.count(Verdict.BUG), report.count(Verdict.RISK)
    skips = sum(len(target.skips) for target in report.targets)
    counts = ", ".join(
        (views.counted(bugs, "bug"), views.counted(risks, "risk"), f"{skips} not run")
    )
    if report.interrupted:
        return "interrupted", f"{counts}; what was not reached is not told"
    failed = exit_code(report, report.options.fail_on)
    counting = {"bug": "bugs count", "risk": "bugs and risks count", "never": "nothing counts"}
    return ("not clean" if failed else "clean"), f"{counts}; {counting[report.options.fail_on]}"


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
    environment.filters["short"] = lambda value: Markup(escape(shortened(value, COLUMNS)))  # noqa: S704
    environment.globals |= {
        "views": views,
        "tables": tables,
        "charts": charts,
        "findings": findings,
        "campaign_lines": campaign_lines,
        "Verdict": Verdict,
        "format_value": format_value,
    }
    return environment


def _asset(name: str) -> str:
    source = files("tokharness.formats._html").joinpath(name)
    return source.read_text(encoding="ascii")


def _digest(text: str) -> str:
    """Name what a Content-Security-Policy allows by its hash."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

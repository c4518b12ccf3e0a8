"""The matrix as one HTML page: each cell leads to what sets two forms apart.

The page loads nothing, needs no script, and every value in it is escaped.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tokharness.escaping import html, sentence, visible
from tokharness.formats._wording import pluralize
from tokharness.model import Verdict
from tokharness.parity_matrix.model import ASPECTS
from tokharness.parity_matrix.words import (
    aligned,
    cause_word,
    cell_verdict,
    cell_words,
    label,
    labels,
    lacks_words,
    of_forms,
    problem_words,
    result_words,
    texts_run,
    verdict,
    where,
)

if TYPE_CHECKING:
    from jinja2 import Environment

    from tokharness.parity_matrix.model import Cell, Parity


def render(result: Parity, *, width: int | None = None, color: bool = False) -> str:  # noqa: ARG001 - the arguments of a format
    """Render the result as a page."""
    from markupsafe import Markup

    shared = files("tokharness.formats._html").joinpath("page.css").read_text(encoding="ascii")
    own = files("tokharness.parity_matrix").joinpath("parity.css").read_text(encoding="ascii")
    style = shared + own
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    word, reason = verdict(result)
    page = (
        _environment()
        .get_template("parity.html")
        .render(
            result=result,
            policy=Markup(policy),  # noqa: S704 - ours
            style=Markup(style),  # noqa: S704 - ours
            word=word,
            reason=reason,
            is_good=word == "in parity",
        )
    )
    return "".join(f"{line.rstrip()}\n" for line in page.splitlines() if line.strip())


@cache
def _environment() -> Environment:
    import jinja2
    from markupsafe import Markup

    def safe(value: Any) -> Any:
        is_text = isinstance(value, str | bytes) and not isinstance(value, Markup)
        return visible(value) if is_text else value

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("tokharness.parity_matrix", "."),
        autoescape=True,
        finalize=safe,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["code"] = lambda value: Markup("<code>{}</code>").format(html(value))
    environment.filters["sentence"] = lambda value: Markup("{}").format(sentence(value))
    environment.globals |= {
        "ASPECTS": ASPECTS,
        "aligned": aligned,
        "cause_word": cause_word,
        "cell_words": cell_words,
        "css_class": _css_class,
        "result_words": result_words,
        "label": label,
        "labels": labels,
        "lacks_words": lacks_words,
        "of_forms": of_forms,
        "pluralize": pluralize,
        "problem_words": problem_words,
        "texts_run": texts_run,
        "where": where,
    }
    return environment


def _css_class(cell: Cell, result: Parity) -> str:
    """Return the class of a cell: how good or bad it is."""
    if cell.state != "differs":
        return "same" if cell.state == "same" else "grey"
    worst = cell_verdict(cell, result.causes)
    return {Verdict.BUG: "bug", Verdict.RISK: "risk", Verdict.FACT: "fact"}[worst]

"""The tool and the rules of a SARIF log."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, metadata
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.escaping import Shown, sarif_text, truncate, verbatim, visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.formats._problems import Problem
    from tokharness.results.report import Report

__all__ = ["driver", "message"]

MAX_MESSAGE = 2_000
"""Keeps the largest log far below GitHub's limit of 10 MB, compressed."""
MAX_DESCRIPTION = 1_024
MAX_NAME = 255
TAGS = ["tokenizer", "unicode"]

_SEMANTIC = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")


def message(text: Shown) -> dict[str, Shown]:
    """Return the message object of a display form, without links, arguments or markup."""
    return {"text": sarif_text(truncate(text, MAX_MESSAGE))}


def driver(report: Report, included: Iterable[Problem]) -> dict[str, Any]:
    """Return the tool, with the rules of all checks that were run or have results."""
    version = str(report.versions["tokharness"])
    checks = plugins.checks()
    run = {code for target in report.targets for code in target.started.checks if code in checks}
    rules = {
        code: _rule(visible(code), visible(checks[code].name), checks[code].page)
        for code in sorted(run)
    }
    for problem in included:
        rules.setdefault(problem.rule, _rule(problem.rule, problem.rule_name, problem.page))
    return {
        "name": "tokharness",
        **({"semanticVersion": version} if _SEMANTIC.fullmatch(version) else {"version": version}),
        **_information(),
        "rules": list(rules.values()),
    }


def _rule(code: Shown, name: Shown, page: str) -> dict[str, Any]:
    page = verbatim(page.strip()) or Shown("{}.").format(sarif_text(name))
    first, _, rest = page.partition("\n")
    return {
        "id": code,
        "name": truncate("".join(word.capitalize() for word in re.split("[- ]", name)), MAX_NAME),
        "shortDescription": {"text": truncate(verbatim(first), MAX_DESCRIPTION)},
        "fullDescription": {
            "text": verbatim(_description(rest) or truncate(first, MAX_DESCRIPTION))
        },
        "help": {"text": page, "markdown": verbatim(_markdown(page))},
        # The findings of a check differ in level; each result has its own.
        "defaultConfiguration": {"level": "warning"},
        "properties": {"tags": TAGS},
    }


def _description(page: str) -> str:
    """Return as many whole paragraphs of a page as fit a description, as plain text."""
    text = ""
    for paragraph in page.strip().split("\n\n"):
        longer = f"{text} {' '.join(paragraph.split())}".strip().replace("``", "'")
        if paragraph.startswith("Example") or len(longer) > MAX_DESCRIPTION:
            break
        text = longer
    return text


def _markdown(page: str) -> str:
    """Convert a page to Markdown; only the colons before an example differ."""
    return re.sub("::$", ":", page, flags=re.MULTILINE)


def _information() -> dict[str, str]:
    """Return the URL of the project, if its package has one."""
    try:
        urls = metadata("tokharness").get_all("Project-URL") or []
    except PackageNotFoundError:
        urls = []
    addresses = [url.partition(",")[2].strip() for url in urls]
    return {"informationUri": addresses[0]} if addresses else {}

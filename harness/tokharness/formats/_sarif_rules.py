"""The parts of a SARIF log that say what the tool is, and what its rules mean."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, metadata
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.formats._cutting import cut

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.formats._problems import Problem
    from tokharness.results.report import Report

__all__ = ["driver", "message"]

LONGEST_MESSAGE = 2_000
"""So that the most results stay far below GitHub's 10 MB, compressed."""
LONGEST_DESCRIPTION = 1_024
LONGEST_NAME = 255
TAGS = ["tokenizer", "unicode"]

_SEMANTIC = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
_TO_ESCAPE = re.compile(r"\\\\|\\u\{([0-9a-f]+)\}|[][{}`]")


def message(shown: str) -> dict[str, str]:
    """Give the message object of a display form, in which no reader finds a link or a place."""
    return {"text": _TO_ESCAPE.sub(_fixed, cut(shown, LONGEST_MESSAGE))}


def _fixed(found: re.Match[str]) -> str:
    if found[0] == r"\\":
        return found[0]
    code_point = int(found[1], 16) if found[1] else ord(found[0])
    return f"\\u{code_point:04x}" if code_point < 0x10000 else f"\\U{code_point:08x}"


def driver(report: Report, told: Iterable[Problem]) -> dict[str, Any]:
    """Describe the tool, with the checks that were run and whatever else has results."""
    version = str(report.versions["tokharness"])
    known = plugins.checks()
    run = {code for target in report.targets for code in target.started.checks if code in known}
    rules = {code: _rule(code, known[code].name, known[code].page) for code in sorted(run)}
    for problem in told:
        rules.setdefault(problem.rule, _rule(problem.rule, problem.rule_name, problem.page))
    return {
        "name": "tokharness",
        **({"semanticVersion": version} if _SEMANTIC.fullmatch(version) else {"version": version}),
        **_information(),
        "rules": list(rules.values()),
    }


def _rule(code: str, name: str, page: str) -> dict[str, Any]:
    page = page.strip() or f"{name}."
    first, _, rest = page.partition("\n")
    return {
        "id": code,
        "name": cut("".join(word.capitalize() for word in re.split("[- ]", name)), LONGEST_NAME),
        "shortDescription": {"text": cut(first, LONGEST_DESCRIPTION)},
        "fullDescription": {"text": _described(rest) or cut(first, LONGEST_DESCRIPTION)},
        "help": {"text": page, "markdown": _markdown(page)},
        # A check has findings of several levels; each result says its own.
        "defaultConfiguration": {"level": "warning"},
        "properties": {"tags": TAGS},
    }


def _described(page: str) -> str:
    """As many whole paragraphs of a page as a description may have, as plain text."""
    text = ""
    for paragraph in page.strip().split("\n\n"):
        longer = f"{text} {' '.join(paragraph.split())}".strip().replace("``", "'")
        if paragraph.startswith("Example") or len(longer) > LONGEST_DESCRIPTION:
            break
        text = longer
    return text


def _markdown(page: str) -> str:
    """Turn a page into Markdown: only the colons before an example are not Markdown already."""
    return re.sub("::$", ":", page, flags=re.MULTILINE)


def _information() -> dict[str, str]:
    """Give the address of the project, if its package names one."""
    try:
        urls = metadata("tokharness").get_all("Project-URL") or []
    except PackageNotFoundError:
        urls = []
    addresses = [url.partition(",")[2].strip() for url in urls]
    return {"informationUri": addresses[0]} if addresses else {}

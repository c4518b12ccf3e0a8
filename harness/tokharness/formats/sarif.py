r"""SARIF 2.1.0 for code scanning, in ASCII: a result for each bug and risk, within GitHub's limits.

A result without a file of the repository is located at ``pyproject.toml``. Skips are notifications
of the invocation. In messages, escapes have four or eight digits (``\u200b``), and brackets, braces
and backquotes are escaped, since they would be links, arguments or markup.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tokharness import plugins
from tokharness.escaping import Shown, sarif_text, shown_json, truncate, verbatim, visible
from tokharness.formats._problems import problems, unique_fingerprints
from tokharness.formats._wording import incomplete, pluralize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokharness.formats._problems import Problem
    from tokharness.model import Skip
    from tokharness.results.report import Report

__all__ = ["NAME", "render"]

# The tool and the rules of a SARIF log.

MAX_MESSAGE = 2_000
"""This limit keeps the largest log far below GitHub's limit of 10 MB, compressed."""
MAX_DESCRIPTION = 1_024
MAX_NAME = 255
TAGS = ["tokenizer", "unicode"]

_SEMANTIC = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")


def message(text: Shown) -> dict[str, Shown]:
    """Return the message object of a display form, without links, arguments or markup."""
    return {"text": sarif_text(truncate(text, MAX_MESSAGE))}


def _rules(report: Report) -> dict[str, dict[str, Any]]:
    """Return the rules of all checks that were run."""
    checks = plugins.all_checks()
    run = {code for target in report.targets for code in target.started.checks if code in checks}
    return {
        code: _rule(visible(code), visible(checks[code].name), checks[code].page)
        for code in sorted(run)
    }


def _driver(version: str, rules: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
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
        **relationships(code),
    }


def _description(page: str) -> str:
    """Return the first whole paragraphs of a page that fit a description, as plain text."""
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


NAME = "sarif"

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
MAX_RESULTS = 5_000
"""Results of a run that GitHub stores; it accepts 25,000."""
DEFAULT_PATH = "pyproject.toml"
ROOT = "%SRCROOT%"
REGION = {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}


def render(report: Report, *, width: int | None = None, color: bool = False) -> Shown:
    """Render the report as a SARIF log of one run."""
    why = incomplete(report, "The")
    skips = [skip for target in report.targets for skip in target.skips]
    version = str(report.versions["tokharness"])
    return log_of(problems(report), _rules(report), why, skips, version)


def log_of(
    all_problems: Sequence[Problem],
    rules: Mapping[str, dict[str, Any]],
    incomplete: Shown,
    skips: Iterable[Skip],
    version: str,
) -> Shown:
    """Return a log of one run: a result for each problem.

    It has the ``rules`` and those of the problems. ``incomplete`` is a sentence on what the run
    lacks, or "", and ``version`` is that of tokharness.
    """
    included = all_problems[:MAX_RESULTS]
    rules = dict(rules)
    for problem in included:
        rules.setdefault(problem.rule, _rule(problem.rule, problem.rule_name, problem.page))
    notifications = _notifications(incomplete, skips, len(all_problems) - len(included))
    number = {rule: index for index, rule in enumerate(rules)}
    run = {
        "tool": {"driver": _driver(version, rules)},
        "invocations": [
            {
                "executionSuccessful": not incomplete,
                "toolExecutionNotifications": list(notifications),
            }
        ],
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        **taxonomies(number),
        "results": [
            {"ruleIndex": number[problem.rule]} | _result(problem, identity)
            for problem, identity in zip(included, unique_fingerprints(included), strict=True)
        ],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return shown_json(log, indent=1)


def _result(problem: Problem, identity: str) -> dict[str, Any]:
    target = Shown("Target: {}").format(problem.spec)
    text = Shown(". ").join(filter(None, (problem.title, problem.message, target)))
    # A file name may hold any character, and lone surrogates for bytes that are not UTF-8.
    uri = quote(problem.path or DEFAULT_PATH, safe="/", errors="surrogatepass")
    return {
        "ruleId": problem.rule,
        "level": problem.level,
        "message": message(text),
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri, "uriBaseId": ROOT},
                    "region": REGION,
                }
            }
        ],
        "partialFingerprints": {
            "tokharness/v1": problem.fingerprint,
            # GitHub uses only this fingerprint; without it, all results of a file would be one
            # result.
            "primaryLocationLineHash": f"{identity}:1",
        },
        "properties": {
            "spec": problem.spec,
            "command": problem.command,
            "cases": problem.count,
            **({"library": problem.library} if problem.library else {}),
        },
    }


def _notifications(why: Shown, skips: Iterable[Skip], omitted: int) -> Iterator[dict[str, Any]]:
    if why:
        text = Shown("{}.").format(why)
        yield {"level": "error", "message": message(text)}
    if omitted:
        results = pluralize(omitted, "result")
        text = Shown("{} omitted, not worse than those included.").format(results)
        yield {"level": "warning", "message": message(text)}
    for skip in skips:
        text = Shown("Skipped: {}: {} ({})").format(skip.what, skip.reason, skip.spec)
        yield {"level": "note", "message": message(text)}


@dataclass(frozen=True, slots=True)
class Taxon:
    """An entry of a catalogue: its identifier, its name and its page."""

    catalogue: str
    organization: str
    id: str
    name: str
    address: str


PROMPT_INJECTION = (
    Taxon(
        "CWE",
        "MITRE",
        "CWE-1427",
        "Improper Neutralization of Input Used for LLM Prompting",
        "https://cwe.mitre.org/data/definitions/1427.html",
    ),
    Taxon(
        "OWASP Top 10 for LLM Applications 2025",
        "OWASP",
        "LLM01:2025",
        "Prompt Injection",
        "https://genai.owasp.org/llmrisk/llm01-prompt-injection/",
    ),
    Taxon(
        "MITRE ATLAS",
        "MITRE",
        "AML.T0051",
        "LLM Prompt Injection",
        "https://atlas.mitre.org/techniques/AML.T0051",
    ),
)

TAXA = {"TOK512": PROMPT_INJECTION, "open-field": PROMPT_INJECTION}
"""The entries that fit the findings of a check, or a kind of change."""


def relationships(rule: str) -> dict[str, Any]:
    """Return the entries of a rule, as a property of it; nothing without any."""
    rows = [
        {"target": {"id": one.id, "toolComponent": {"name": one.catalogue}}, "kinds": ["relevant"]}
        for one in TAXA.get(rule, ())
    ]
    return {"relationships": rows} if rows else {}


def taxonomies(rules: Iterable[str]) -> dict[str, Any]:
    """Return the catalogues of some rules, as a property of a run; nothing without any."""
    found = dict.fromkeys(one for rule in rules for one in TAXA.get(rule, ()))
    rows = [
        {
            "name": one.catalogue,
            "organization": one.organization,
            "shortDescription": {"text": one.catalogue},
            "taxa": [
                {"id": one.id, "shortDescription": {"text": one.name}, "helpUri": one.address}
            ],
        }
        for one in found
    ]
    return {"taxonomies": rows} if rows else {}

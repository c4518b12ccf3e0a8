r"""SARIF 2.1.0 for code scanning, in ASCII: a result for each bug and risk, within GitHub's limits.

A result without a file of the repository is located at ``pyproject.toml``. Skips are notifications
of the invocation. In messages, escapes have four or eight digits (``\u200b``), and brackets, braces
and backquotes are escaped, since they would be links, arguments or markup.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tokharness.escaping import Shown, shown_json
from tokharness.formats._problems import problems, unique_fingerprints
from tokharness.formats._sarif_rules import driver, message
from tokharness.formats._wording import incomplete, pluralize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.formats._problems import Problem
    from tokharness.results.report import Report

__all__ = ["NAME", "render"]

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
    all_problems = problems(report)
    included = all_problems[:MAX_RESULTS]
    notifications = _notifications(report, len(all_problems) - len(included))
    tool = driver(report, included)
    number = {rule["id"]: index for index, rule in enumerate(tool["rules"])}
    run = {
        "tool": {"driver": tool},
        "invocations": [
            {
                "executionSuccessful": not incomplete(report),
                "toolExecutionNotifications": list(notifications),
            }
        ],
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
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
            # GitHub uses only this one; without it, all results of a file would be one.
            "primaryLocationLineHash": f"{identity}:1",
        },
        "properties": {
            "spec": problem.spec,
            "command": problem.command,
            "cases": problem.count,
            **({"library": problem.library} if problem.library else {}),
        },
    }


def _notifications(report: Report, omitted: int) -> Iterator[dict[str, Any]]:
    if why := incomplete(report, "The"):
        text = Shown("{}.").format(why)
        yield {"level": "error", "message": message(text)}
    if omitted:
        results = pluralize(omitted, "result")
        text = Shown("{} omitted, not worse than those included.").format(results)
        yield {"level": "warning", "message": message(text)}
    for target in report.targets:
        for skip in target.skips:
            text = Shown("Skipped: {}: {} ({})").format(skip.what, skip.reason, skip.spec)
            yield {"level": "note", "message": message(text)}

r"""SARIF 2.1.0 for code scanning, in ASCII: a result for each bug and risk, within GitHub's limits.

What belongs to no file of the repository is told of ``pyproject.toml``. What was not run is a
notification of the invocation. In messages an escape has four or eight digits (``\u200b``), and
brackets, braces and backquotes are escapes, too: they would be links, arguments or markup.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tokharness.escaping import visible
from tokharness.formats._problems import identities, problems
from tokharness.formats._sarif_rules import driver, message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.formats._problems import Problem
    from tokharness.results.report import Report

__all__ = ["NAME", "render"]

NAME = "sarif"

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
MOST_RESULTS = 5_000
"""Results of a run that GitHub stores; it takes 25,000."""
NO_PLACE = "pyproject.toml"
ROOT = "%SRCROOT%"
REGION = {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}


def render(report: Report, *, width: int | None = None, color: bool = False) -> str:
    """Write the report as a SARIF log of one run."""
    found = problems(report)
    told = found[:MOST_RESULTS]
    tool = driver(report, told)
    number = {rule["id"]: index for index, rule in enumerate(tool["rules"])}
    run = {
        "tool": {"driver": tool},
        "invocations": [
            {
                "executionSuccessful": not report.interrupted,
                "toolExecutionNotifications": list(_notes(report, len(found) - len(told))),
            }
        ],
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "results": [
            {"ruleIndex": number[problem.rule]} | _result(problem, identity)
            for problem, identity in zip(told, identities(told), strict=True)
        ],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=1, ensure_ascii=True) + "\n"


def _result(problem: Problem, identity: str) -> dict[str, Any]:
    words = ". ".join(filter(None, (problem.title, problem.message, f"Target: {problem.target}")))
    # A name of a file may hold anything, and lone surrogates where it is no UTF-8.
    uri = quote(problem.path or NO_PLACE, safe="/", errors="surrogatepass")
    return {
        "ruleId": problem.rule,
        "level": problem.level,
        "message": message(words),
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
            # The only one that GitHub looks at; without it all of a file's results would be one.
            "primaryLocationLineHash": f"{identity}:1",
        },
        "properties": {
            "target": problem.target,
            "command": problem.command,
            "cases": problem.count,
        },
    }


def _notes(report: Report, left_out: int) -> Iterator[dict[str, Any]]:
    if report.interrupted:
        words = "The run was ended before it was done: this is what was found until then."
        yield {"level": "error", "message": message(words)}
    if left_out:
        words = f"{left_out:,} more results, none worse than those here, were left out."
        yield {"level": "warning", "message": message(words)}
    for target in report.targets:
        for skip in target.skips:
            words = f"Not run: {visible(skip.what)}: {visible(skip.reason)}"
            yield {"level": "note", "message": message(f"{words} ({visible(skip.target)})")}

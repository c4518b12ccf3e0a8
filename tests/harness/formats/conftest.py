"""A report that nobody would want to read: every text in it attacks its reader."""

import pytest

from tokharness.config import Options
from tokharness.engine.events import CasesTried, Found, Skipped, TargetFinished, TargetStarted
from tokharness.model import Cause, Finding, Skip, Verdict
from tokharness.report import Collector

HOSTILE = (
    "\x1b[31mred\x1b[0m [/red] [bold] `x` | <script>alert(1)</script> \u202egnp.exe\u2069 \r\n"
    "\x07\x9b2J \ud800 \ude00\ud83d \u200b a\u0301\u0301 ![i](http://x) ::error:: \u2028 \\u{41}"
)


def finding(verdict=Verdict.BUG, text=HOSTILE, **fields):
    cause = Cause("a kind", (("of", HOSTILE),), verdict, f"message {HOSTILE}")
    values = {
        "target": f"python:{HOSTILE}.py:make",
        "code": "TOK999",
        "name": "a-name",
        "cause": cause,
        "count": 12345,
        "text": text,
        "families": ("digits", "emoji"),
        "reproduce": "tokharness show --json '\"\\u200b\"' python:x.py:make",
        "also": ("TOK998",),
        "evidence": {"text": HOSTILE},
    }
    return Finding(**(values | fields))


@pytest.fixture
def make_report():
    def make(*findings, interrupted=False):
        target = findings[0].target if findings else "reference"
        collector = Collector(Options())
        collector.add(
            TargetStarted(target, HOSTILE, ("count",), None, "16.0", ("digits",), ("TOK999",))
        )
        collector.add(Skipped(Skip(target, f"what {HOSTILE}", f"why {HOSTILE}")))
        collector.add(CasesTried(target, "digits", 1234, 5))
        for one in findings:
            collector.add(Found(one))
        if not interrupted:
            collector.add(TargetFinished(target, 1234, 1.5, 0.25))
        return collector.report(interrupted=interrupted)

    return make


@pytest.fixture
def make_finding():
    return finding


@pytest.fixture
def hostile():
    return HOSTILE


@pytest.fixture
def report(make_report):
    return make_report(
        finding(), finding(Verdict.RISK, b"\xff\x00a"), finding(Verdict.BY_DESIGN, None)
    )

"""Reports in which every string is hostile, and the same reports with harmless strings."""

import itertools
from dataclasses import fields, is_dataclass, replace
from enum import Enum

import pytest

from tokharness import plugins
from tokharness.engine.events import CampaignFinished, CauseDiscovered
from tokharness.model import Cause, Verdict

HOSTILE = {
    "escape sequences": "\x1b[2J\x1b]0;title\x07\x9b31m\x85\x7f",
    "bidi controls": "\u202egnp.\u2066\u200f\u061c\u202a",
    "invisible characters": "\u200b\u2060\ufeff\u00ad\u3164\U000e0041\u2028\u2029\u2800",
    "lines": "\n::error::x\r\n::stop-commands::x\r::add-mask::x\x0b\x0c\x1c# x",
    "workflow commands": "::error::x ##[add-mask]x ##vso[task.complete result=Failed]",
    "tags": "<img src=x onerror=alert(1)><script>alert(1)</script></details></style><!--",
    "quotes": "\"><b onclick='x'>&lt;&#10;",
    "markdown": "`|`` [a](javascript:x) ![b](//x) <http://x> http://x www.x.org **b** $x$ @all",
    "a link": "http://x.org www.x.org",
    "blocks of markdown": "\n\n# heading\n- item\n| a | b |\n|---|---|\n```\n",
    "a formula": "=cmd|' /C calc'!A0",
    "other formulas": "\t+1;=1,@SUM(1)\r-2\uff1d1",
    "templates": "{0} {name} %s {{ 7 * 7 }} {% raw %} [red]x[/red] ${x}",
    "XML": "]]><![CDATA[ \ufffe\uffff\x00 &amp; <?x?>",
    "lone surrogates": "\ud800 \udfff\ude00\ud83d \0",
    "combining marks": "\u0301" * 40 + "a" + "\u0301" * 40,
    "backslashes": "\\u{200b} \\x1b \\n \\",
    "a long text": "x\u200b`<" * 500,
}

KEPT = {
    *("profile", "fail_on"),  # our own words: the reader refuses any others
    *("bytes", "longest", "byte_lengths"),  # hex digits and numbers
}
"""Fields and keys whose strings stay."""

NAMED = {"features", "packages", "sources", "targets", "unicode"}
COUNTS = {"kinds", "scripts", "special_tokens", "tokens"}
"""Mappings whose keys are strings of a target or of a stranger's report; of ids and counts."""

KINDS = ("check", "campaign", "interrupted", "comparison", "gate", "nothing")


def filled(value, strings, name=""):
    """Return a value in which the next of ``strings`` takes the place of each string."""
    if name in KEPT or value is None or isinstance(value, Enum | bool | int | float | bytes):
        return value
    if isinstance(value, str):
        return next(strings)
    if is_dataclass(value):
        parts = {
            one.name: filled(getattr(value, one.name), strings, one.name) for one in fields(value)
        }
        return replace(value, **parts)
    if isinstance(value, dict):
        is_named = name in NAMED or (name in COUNTS and set(map(type, value.values())) <= {int})
        return {
            next(strings) if is_named else key: filled(one, strings, key)
            for key, one in value.items()
        }
    return type(value)(filled(one, strings, name) for one in value)


@pytest.fixture
def runs(measured, make_report, make_finding, make_change, make_gate):
    """A report of each kind, with something in every field."""
    target = measured.targets[0]
    causes = [Cause("k", (("n", str(n)),), Verdict.RISK, "m") for n in range(9)]
    campaign = replace(
        target,
        findings=(*target.findings, *(make_finding(cause=cause) for cause in causes)),
        campaign=CampaignFinished(
            "s", 0, 0, 4, 9, 1.5, {"a": 9}, {"t": 3, "r": 0.5}, resumable=True
        ),
        discovered=(CauseDiscovered("s", "TOK999", "a-name", causes[0], "text", 0.5),),
    )
    bug = make_finding()
    changes = (
        make_change("new-finding", finding=bug, related=(make_change(),)),
        make_change("changed-ids", cause=bug.cause),
        make_change("new-fact", fails=False),
    )
    policy = {"path": "p", "unmet_expectations": ["u"], "accepted": {"TOK101": "r"}}
    return {
        "check": replace(measured, policy=policy),
        "campaign": replace(measured, targets=(campaign,), policy=policy),
        "interrupted": replace(make_report(bug, interrupted=True), not_run=("a", "b")),
        "comparison": replace(measured, embedding_width=4096),
        "gate": replace(make_gate(*changes), policy=policy),
        "nothing": make_report(),
    }


@pytest.fixture(params=KINDS)
def filled_run(request, runs):
    """A function that fills a report of a kind with texts in turn; each ends with a number."""

    def fill(*texts):
        strings = map("{}{}".format, itertools.cycle(texts), itertools.count(1000))
        report = filled(runs[request.param], strings)
        places = {target.started.spec: f"{texts[0]}1.py" for target in report.targets}
        return replace(report, locations=places)

    return fill


@pytest.fixture(
    params=[
        pytest.param(tuple(HOSTILE), id="each in turn"),
        *(pytest.param((name,), id=name, marks=pytest.mark.slow) for name in [*HOSTILE][::3]),
    ]
)
def hostile_report(request, filled_run):
    """A report in which every string is hostile: in each way in turn, or in one of every third."""
    return filled_run(*map(HOSTILE.__getitem__, request.param))


@pytest.fixture
def harmless_report(filled_run):
    """The same report with harmless strings."""
    return filled_run("word")


@pytest.fixture(scope="session")
def render():
    """Render a report in a format."""

    def render_report(name, report, *, width=None, color=False):
        return plugins.formats()[name].render(report, width=width, color=color)

    return render_report

"""Every format shows a report in which each string is hostile, and nothing of it acts."""

import ast
import dataclasses
import re
from enum import Enum
from pathlib import Path

import pytest
import regex

import tokharness
from tokharness import plugins
from tokharness.engine.events import CampaignFinished
from tokharness.model import Verdict

PACKAGE = Path(tokharness.__file__).parent
ESCAPED = ("Shown", "MarkdownText", "Cell")
INJECTED = "injected-line"
HOSTILE = (
    f"\n{INJECTED}\r{INJECTED}\n::error::{INJECTED}\x1b[2J\x1b]0;title\x07\x9b31m\x00\x7f"
    "\u202e\u2066\u200b\u2028\ufeff\U000e0041\ud800<img src=x onerror=alert(1)></script>|`"
    "[x](javascript:1)=cmd|' /C calc'!A0"
)
UNSEEN = regex.compile(
    r"[\p{C}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}--\n]", regex.V1
)
CODE_SPAN = re.compile(r"`[^`\n]*`")
CAMPAIGN = CampaignFinished("spec", 0, 0, 3, 900, 1.0, {"families": 900}, {"tokens": 9}, 1)


def hostile(value, name=""):
    """Return a value with each string of it made hostile, except the name of a profile."""
    if isinstance(value, Enum) or name in ("profile", "fail_on"):
        return value
    if isinstance(value, str):
        return value + HOSTILE
    if dataclasses.is_dataclass(value):
        fields = {
            field.name: hostile(getattr(value, field.name), field.name)
            for field in dataclasses.fields(value)
        }
        return dataclasses.replace(value, **fields)
    if isinstance(value, dict):
        return {hostile(key): hostile(item) for key, item in value.items()}
    return type(value)(map(hostile, value)) if isinstance(value, list | tuple) else value


@pytest.fixture(params=["check", "gate", "campaign"])
def report(request, make_report, make_gate, make_change, make_finding):
    findings = [make_finding(verdict) for verdict in Verdict]
    report = make_report(*findings)
    if request.param == "gate":
        report = make_gate(
            make_change("new-finding", finding=findings[0]), make_change("x", fails=False)
        )
    if request.param == "campaign":
        campaigns = [dataclasses.replace(one, campaign=CAMPAIGN) for one in report.targets]
        report = dataclasses.replace(report, targets=tuple(campaigns))
    versions = report.versions
    packages = {f"{name}{HOSTILE}": version for name, version in versions["packages"].items()}
    result = hostile(dataclasses.replace(report, versions={}, locations={}))
    return dataclasses.replace(
        result,
        versions={**versions, "tokharness": HOSTILE, "python": HOSTILE, "packages": packages},
        locations={target.started.spec: HOSTILE for target in result.targets},
    )


@pytest.mark.parametrize("name", plugins.formats())
def test_nothing_of_a_hostile_report_acts(name, report):
    output = plugins.formats()[name].render(report).replace("\r\n", "\n")
    assert not UNSEEN.search(output)
    # In a page, and within a quoted cell, a line is only text.
    if name != "html":
        assert not re.search(rf"^(::error::)?{INJECTED}", output, re.MULTILINE)
    assert "<img" not in (CODE_SPAN.sub("", output) if name == "markdown" else output) or (
        name not in ("html", "markdown")
    )


@pytest.mark.parametrize(
    "path",
    [
        *sorted((PACKAGE / "formats").glob("*.py")),
        *sorted((PACKAGE / "cli").glob("*.py")),
    ],
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_only_literals_become_escaped_text_outside_of_escaping(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ESCAPED:
            (argument,) = node.args
            assert isinstance(argument, ast.Constant), f"{path.name}:{node.lineno}"


@pytest.mark.parametrize(
    ("module", "function"),
    [("terminal", "_text"), ("terminal", "_line"), ("github", "_output"), ("markdown", "_output")],
)
def test_writers_demand_escaped_text(module, function):
    source = (PACKAGE / "formats" / f"{module}.py").read_text("utf-8")
    (writer,) = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name == function
    ]
    annotations = ast.unparse(writer.args)
    assert any(name in annotations for name in ESCAPED)

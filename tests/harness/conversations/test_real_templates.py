"""Public templates: no internal error, the renderings of the library, and time."""

import os
import time
from pathlib import Path

import pytest

from tokharness.config import Options
from tokharness.conversations.rendering import Renderer, Request
from tokharness.conversations.run import VARIABLES, chat
from tokharness.conversations.shapes import shapes

FOLDER = os.environ.get("TOKHARNESS_TEST_CHAT_TEMPLATES")
TEMPLATES = sorted(Path(FOLDER).rglob("*.jinja")) if FOLDER else []

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER, reason="TOKHARNESS_TEST_CHAT_TEMPLATES is not set"),
]

ALIASES = {"key reasoning", "key thinking"}
"""Shapes whose keys release 5 of the library renames before the template sees them."""


def of(report, verdict):
    [target] = report.targets
    return [(one.code, str(one.cause)) for one in target.findings if one.verdict == verdict]


@pytest.fixture(scope="module")
def reports():
    start = time.monotonic()
    found = {path.name: chat(str(path), None, Options()) for path in TEMPLATES}
    return found, time.monotonic() - start


def test_all_templates_are_examined_in_two_minutes(reports):
    found, seconds = reports
    assert len(found) == len(TEMPLATES)
    assert seconds < 120
    assert all(not target.skips or report for report in found.values() for target in report.targets)


def test_a_turn_that_is_not_closed_is_a_bug_and_the_mended_revision_has_none(reports):
    found, _ = reports
    faulty = of(found["gemma-4-31B-it-2026-04-10.jinja"], "bug")
    assert ("TOK503", "a turn begins before the last one is closed: <|turn>") in faulty
    assert of(found["gemma-4-E4B-it-2026-07-15.jinja"], "bug") == []


def test_reasoning_that_is_dropped_is_a_risk_and_not_a_bug(reports):
    found, _ = reports
    report = found["Qwen-Qwen3-0.6B.jinja"]
    risk = ("TOK507", "rewritten: reasoning of earlier turns is dropped")
    assert risk in of(report, "risk")
    assert [code for code, _ in of(report, "bug")] == ["TOK501"]


def test_a_template_that_wants_alternation_is_a_fact(reports):
    found, _ = reports
    report = found["google-gemma-2-2b-it.jinja"]
    facts = [cause for code, cause in of(report, "fact") if code == "TOK501"]
    assert "refusal: System role not supported" in facts
    assert of(report, "bug") == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_renderings_are_those_of_the_library(path):
    utils = pytest.importorskip("transformers.utils.chat_template_utils")
    source = path.read_text("utf-8")
    rows = [shape for shape in shapes() if shape.name not in ALIASES]
    requests = [
        Request(shape.messages, {**shape.options, "add_generation_prompt": prompt})
        for shape in rows
        for prompt in (False, True)
    ]
    with Renderer() as renderer:
        renderer.load(source, VARIABLES)
        rendered = renderer.render_all(requests)
    differing = []
    for request, ours in zip(requests, rendered, strict=True):
        try:
            [text], _ = utils.render_jinja_template(
                [list(request.messages)], chat_template=source, **{**VARIABLES, **request.options}
            )
        except Exception:
            text = None
        if text != ours.text:
            differing.append(request)
    assert differing == []

"""Public templates: no internal error, the renderings of the library, and time."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.conversations.catalogue import shapes
from tokharness.conversations.chat import Chat
from tokharness.conversations.examination import examine
from tokharness.conversations.rendering import Renderer, Request
from tokharness.conversations.run import VARIABLES
from tokharness.conversations.templates import find_templates
from tokharness_tokenizers.programs.starting import PYTHON_VARIABLE

FOLDER = os.environ.get("TOKHARNESS_TEST_CHAT_TEMPLATES")
TEMPLATES = sorted(Path(FOLDER).rglob("*.jinja")) if FOLDER else []

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER, reason="TOKHARNESS_TEST_CHAT_TEMPLATES is not set"),
]

REASONING = ("reasoning_content", "thinking", "reasoning")


def with_all_names(message):
    """Return a message with its reasoning under the names that release 5 of the library adds."""
    thought = next((message[key] for key in REASONING if message.get(key) is not None), None)
    if thought is None:
        return message
    return {"thinking": thought, **message, "reasoning_content": thought}


def of(report, verdict):
    return [(one.code, str(one.cause)) for one in report.findings if one.verdict == verdict]


@pytest.fixture(scope="module")
def reports():
    """The report of each template by the name of its file, and the seconds of all."""
    checks = list(plugins.chat_checks().values())
    found, start = {}, time.monotonic()
    with Renderer() as renderer, Renderer(1) as other:
        for path in TEMPLATES:
            [template] = find_templates(path, None).templates.values()
            for process in (renderer, other):
                process.load(template.source, VARIABLES)
            found[path.name] = examine(
                Chat(template, renderer, other=other), path.name, checks, [path.name]
            )
    return found, time.monotonic() - start


def test_all_templates_are_examined_in_two_minutes(reports):
    found, seconds = reports
    assert len(found) == len(TEMPLATES)
    assert seconds < 120


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


LIBRARY = """
import json, sys
from transformers.utils.chat_template_utils import render_jinja_template

def rendered(source, messages, options):
    try:
        return render_jinja_template([messages], chat_template=source, **options)[0][0]
    except Exception:
        return None

sources, requests = json.load(sys.stdin)
json.dump([[rendered(source, *request) for request in requests] for source in sources], sys.stdout)
"""
"""Renders each template with each request, in a Python that has the library."""

REQUESTS = [
    Request(
        [with_all_names(message) for message in shape.messages],
        {**shape.options, "add_generation_prompt": prompt},
    )
    for shape in shapes()
    for prompt in (False, True)
]


@pytest.fixture(scope="module")
def of_library():
    """The texts of the library by the name of the template, in the order of the requests."""
    sources = [path.read_text("utf-8") for path in TEMPLATES]
    rows = [(one.messages, {**VARIABLES, **one.options}) for one in REQUESTS]
    pythons = [sys.executable, *os.environ.get(PYTHON_VARIABLE, "").split(os.pathsep)]
    for python in filter(None, pythons):
        argv = [python, "-I", "-c", LIBRARY]
        given = json.dumps([sources, rows])
        ended = subprocess.run(argv, check=False, input=given, capture_output=True, text=True)
        if not ended.returncode:
            return dict(zip(TEMPLATES, json.loads(ended.stdout), strict=True))
        assert "No module named 'transformers'" in ended.stderr, ended.stderr
    pytest.skip(f"no Python that {PYTHON_VARIABLE} names has transformers")


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_renderings_are_those_of_the_library(path, of_library):
    with Renderer() as renderer:
        renderer.load(path.read_text("utf-8"), VARIABLES)
        rendered = renderer.render_all(REQUESTS)
    pairs = zip(REQUESTS, rendered, of_library[path], strict=True)
    assert [request for request, ours, text in pairs if ours.text != text] == []

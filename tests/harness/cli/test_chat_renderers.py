"""``tokharness chat --renderer`` with a renderer of the user, its command, and the library."""

import json
import shlex

import pytest

import tokharness
from tokharness.conversations import other_renderers

TEMPLATE = "{% for m in messages %}<|{{ m.role }}|>{{ m.content or '' }}<|end|>{% endfor %}"
RENDERERS = """\
def make(template, variables):
    def render(messages, options):
        turns = (f"<|{one['role']}|>{one.get('content') or ''}<|end|>" for one in messages)
        return "".join(turns)

    return render


def make_with_a_space(template, variables):
    render = make(template, variables)
    return lambda messages, options: render(messages, options) + " "
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "mine.jinja").write_text(TEMPLATE, "utf-8")
    (tmp_path / "mine.py").write_text(RENDERERS, "utf-8")
    return str(tmp_path / "mine.jinja"), f"python:{tmp_path / 'mine.py'}:"


MESSAGES = [{"role": "user", "content": "text1"}]


@pytest.mark.slow
def test_a_difference_has_a_command_that_shows_it_again(command, files):
    template, own = files
    words = ("chat", template, "--renderer", own + "make_with_a_space", "--format", "json")
    outcome = command(*words, "--select", "TOK518", "--conversation", json.dumps(MESSAGES))
    assert outcome.code == 0, outcome.err
    [finding] = json.loads(outcome.out)["findings"]
    again = command(*shlex.split(finding["reproduce"])[1:], "--format", "json", "--fail-on", "risk")
    assert again.code == 1
    [same] = json.loads(again.out)["findings"]
    assert same["fingerprint"] == finding["fingerprint"]


@pytest.mark.slow
def test_the_library_compares_renderers(files):
    template, own = files
    options = {"conversation": MESSAGES, "select": "TOK518", "fail_on": "risk"}
    assert tokharness.chat(template, renderers=f"{own}make", **options).ok
    report = tokharness.chat(template, renderers=[f"{own}make_with_a_space"], **options)
    assert not report.ok
    assert [one.cause.kind for one in report.risks] == ["other words"]


def test_a_renderer_whose_texts_take_too_much_memory_is_not_finished(command, files, monkeypatch):
    monkeypatch.setattr(other_renderers, "MOST_KEPT", 0)
    words = ("--select", "TOK518", "--conversation", json.dumps(MESSAGES))
    outcome = command("chat", files[0], "--renderer", f"{files[1]}make", *words)
    assert outcome.code == 2
    assert "its texts and ids take too much memory, and the rest was not compared" in outcome.err


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("minijnja", "did you mean 'minijinja'?"),
        (" , ", "--renderer has an empty value"),
        ("python:absent.py:make", "there is no file absent.py"),
    ],
)
def test_a_mistake_is_a_sentence(command, files, name, words):
    outcome = command("chat", files[0], "--renderer", name)
    assert outcome.code == 2
    assert words in outcome.err

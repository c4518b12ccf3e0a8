"""A folder with a chat template: ``check`` runs its checks, and the gate compares renderings."""

import json
from pathlib import Path

import pytest

import tokharness_tokenizers.vocabularies

TEMPLATE = (
    "{% for m in messages %}<|turn|>{{ m.role }}\n"
    "{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}"
    "{{ m.content if m.content is string else '' }}<|end|>\n{% endfor %}"
)
FORGETS = TEMPLATE.replace("{% if m.reason", "{% if loop.last and m.reason")
FILE = Path(tokharness_tokenizers.vocabularies.__file__).parent / "healthy" / "byte-level-bpe"
QUICK = (
    "--profile",
    "quick",
    "--family",
    "plain-words",
    "--jobs",
    "0",
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Write a folder with a tokenizer and a template, and return its name."""
    monkeypatch.chdir(tmp_path)

    def write(name, source):
        path = tmp_path / name
        path.mkdir()
        (path / "tokenizer.json").write_bytes((FILE / "tokenizer.json").read_bytes())
        (path / "chat_template.jinja").write_text(source)
        return name

    return write


@pytest.mark.slow
def test_check_reports_faults_of_the_template_alone_if_only_they_are_selected(command, folder):
    name = folder("forgets", FORGETS)
    outcome = command("check", name, "--select", "TOK507", "--fail-on", "risk")
    assert outcome.code == 1
    assert "reasoning of the same turn is dropped" in outcome.out
    assert "88 conversations" in outcome.out


def test_a_selector_that_names_no_check_is_suggested_among_all(command, folder):
    outcome = command("check", folder("any", TEMPLATE), "--select", "history-rewriten")
    assert outcome.code == 2
    assert "history-rewritten" in outcome.err


def test_fuzz_refuses_checks_of_templates(command):
    outcome = command("fuzz", "reference", "--select", "TOK101,TOK501")
    assert outcome.code == 2
    assert "tokharness chat" in outcome.err


@pytest.mark.slow
@pytest.mark.parametrize("checks", ["TOK101,TOK507", "TOK101"])
def test_the_gate_fails_on_a_template_that_rewrites_the_history(command, folder, checks):
    quick = (*QUICK, "--select", checks)
    old, new, commented = (
        folder(name, source)
        for name, source in (
            ("old", TEMPLATE),
            ("new", FORGETS),
            ("commented", "{# a comment #}" + TEMPLATE),
        )
    )
    assert command("baseline", old, *quick, "--baseline", "b.json", "--name", "b").code == 0
    named = ("--baseline", "b.json", "--name", "b", "--jobs", "0", "--format", "json")
    assert command("gate", commented, *named).code == 0
    outcome = command("gate", new, *named)
    assert outcome.code == 1
    changes = [one for one in json.loads(outcome.out)["gate"]["changes"] if one["fails"]]
    findings = [one["what"].partition(" ")[0] for one in changes if one["kind"] == "new-finding"]
    assert changes[0]["kind"] == "changed-rendering"
    assert findings == (["TOK507"] if "TOK507" in checks else [])
    assert len(changes) == 1 + len(findings)
    assert "<think>text2</think>" in changes[0]["renderings"]["before"]
    assert "<think>" not in changes[0]["renderings"]["after"]


@pytest.mark.nightly
@pytest.mark.slow
def test_the_gate_does_not_fail_since_a_baseline_has_no_templates(command, folder):
    name = folder("any", FORGETS)
    without = ("--baseline", "b.json", "--name", "b")
    (Path(name) / "chat_template.jinja").unlink()
    assert command("baseline", name, *QUICK, *without).code == 0
    assert '"templates"' not in Path("b.json").read_text()
    (Path(name) / "chat_template.jinja").write_text(FORGETS)
    outcome = command("gate", name, *without, "--jobs", "0", "--format", "json")
    kinds = [one["kind"] for one in json.loads(outcome.out)["gate"]["changes"] if one["fails"]]
    assert kinds == ["changed-file"]

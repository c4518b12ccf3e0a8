"""``tokharness.chat`` gives the report of the command as data."""

import json

import pytest

import tokharness

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content }}"
    "{{ '<|im_end|>\\n' }}{% endfor %}"
)
TWICE = CHATML.replace("message.content", "message.content + message.content")


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a template that is right and one that is not."""
    rows = [{"name": "default", "template": CHATML}, {"name": "twice", "template": TWICE}]
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"chat_template": rows}))
    return tmp_path


def test_the_findings_are_those_of_all_templates(folder):
    report = tokharness.chat(folder, select="TOK504")
    [bug] = {str(finding.cause) for finding in report.bugs if "user" in str(finding.cause)}
    assert bug == "repeated: user content"
    assert not report.ok
    assert tokharness.chat(folder, template="default", select="TOK504").ok
    assert "ChatReport of 2 templates" in repr(report)
    assert len(report.to_dict()["targets"]) == 2


@pytest.mark.slow
def test_a_conversation_is_checked_instead_of_the_shapes(folder):
    messages = [{"role": "user", "content": "text1"}]
    report = tokharness.chat(folder, template="twice", conversation=messages, select="TOK504")
    assert json.loads(report.bugs[0].text) == messages


def test_mistakes_are_errors_that_say_so(folder):
    with pytest.raises(tokharness.UsageError, match="no list of messages"):
        tokharness.chat(folder, conversation={"role": "user"})
    with pytest.raises(tokharness.UnknownNameError, match="did you mean 'twice'"):
        tokharness.chat(folder, template="twic")
    with pytest.raises(tokharness.UsageError, match="there is no file"):
        tokharness.chat(folder / "nothing")

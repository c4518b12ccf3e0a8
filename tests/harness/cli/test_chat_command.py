"""``tokharness chat``: a template alone, with a tokenizer, and mistakes."""

import json

import pytest

ALTERNATING = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n"
    "{{ m.content if m.content is string else '' }}<|im_end|>\n{% endfor %}"
)
CRASHING = (
    "{% for m in messages %}{{ m.content + '' }}"
    "{% for call in m.tool_calls or [] %}{{ call | tojson }}{% endfor %}{% endfor %}"
)


@pytest.fixture
def template(tmp_path):
    def write(source, name="mine.jinja"):
        path = tmp_path / name
        path.write_text(source, "utf-8")
        return str(path)

    return write


@pytest.mark.slow
def test_a_template_without_a_bug_passes_and_says_that_ids_were_not_checked(command, template):
    outcome = command("chat", template(ALTERNATING))
    assert outcome.code == 0, outcome.out
    assert "ids were not checked" in outcome.out
    assert "88 conversations" in outcome.out
    assert "profile" not in outcome.out


def test_a_bug_fails_and_its_command_shows_it_again(command, template):
    path = template(CRASHING)
    outcome = command("chat", path, "--format", "json")
    assert outcome.code == 1
    report = json.loads(outcome.out)
    finding = next(one for one in report["findings"] if one["verdict"] == "bug")
    assert finding["code"] == "TOK501"
    again = command(
        "chat", path, "--select", "TOK501", "--conversation", finding["text"], "--format", "json"
    )
    assert again.code == 1
    fingerprints = [one["fingerprint"] for one in json.loads(again.out)["findings"]]
    assert finding["fingerprint"] in fingerprints


@pytest.mark.slow
def test_a_risk_fails_only_if_asked(command, template):
    path = template(ALTERNATING)
    assert command("chat", path, "--fail-on", "risk").code == 1


@pytest.mark.parametrize(
    ("begin", "adds", "words"),
    [
        ("{{ bos_token }}", True, "twice if rendered, then encoded"),
        ("", True, "none from apply_chat_template"),
        ("{{ bos_token }}", False, "ids were not checked"),
    ],
)
def test_the_configuration_says_that_a_begin_token_is_added(command, tmp_path, begin, adds, words):
    config = {"bos_token": "<s>", "add_bos_token": adds, "chat_template": begin + ALTERNATING}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    outcome = command("chat", str(tmp_path), "--select", "TOK508,TOK511", "--fail-on", "risk")
    assert outcome.code == (1 if adds else 0)
    assert words in outcome.out


def test_ids_alone_without_a_tokenizer_are_not_a_pass(command, template):
    outcome = command("chat", template(ALTERNATING), "--select", "TOK512")
    assert outcome.code == 2
    assert "no check could run: ids were not checked" in outcome.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("missing.jinja",), "there is no file 'missing.jinja'"),
        (("{path}", "--select", "TOK5O3"), "did you mean 'TOK503'"),
        (("{path}", "--template", "nosuch"), "is a template itself: omit --template"),
        (("{path}", "--conversation", "{{"), "--conversation takes JSON or @FILE"),
        (("{path}", "--conversation", "[]"), "no list of messages"),
        (("{path}", "--conversation", "@nosuch.json"), "cannot read nosuch.json"),
        (("{path}", "--conversation", "@{path}"), "line 1 column 2 (char 1) (in {path})"),
    ],
)
def test_a_mistake_is_one_sentence(command, template, words, message):
    path = template(ALTERNATING)
    outcome = command("chat", *(word.replace("{path}", path) for word in words))
    assert outcome.code == 2
    assert message.replace("{path}", path) in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.slow
def test_a_tokenizer_of_the_user_is_checked_with_a_template(command, template, tmp_path):
    (tmp_path / "mine.py").write_text(
        "class Mine:\n"
        "    special_tokens = {'<|im_start|>': 1114112, '<|im_end|>': 1114113}\n"
        "    def encode_ordinary(self, text):\n"
        "        return list(map(ord, text))\n"
        "    encode = encode_ordinary\n"
        "    def encode_special(self, text):\n"
        "        for name, number in self.special_tokens.items():\n"
        "            if name in text:\n"
        "                before, _, after = text.partition(name)\n"
        "                ids = self.encode_special(before)\n"
        "                return ids + [number] + self.encode_special(after)\n"
        "        return self.encode_ordinary(text)\n"
        "    def decode(self, ids):\n"
        "        return ''.join(chr(i) for i in ids if i < 1114112)\n",
        "utf-8",
    )
    spec = f"python:{tmp_path / 'mine.py'}:Mine"
    outcome = command(
        "chat", spec, "--template", template(ALTERNATING), "--select", "TOK512", "--format", "json"
    )
    assert outcome.code == 0
    found = {str(one["cause"]): one for one in json.loads(outcome.out)["findings"]}
    assert "rendered, then encoded" in str(found)
    assert "closed" in str(found)

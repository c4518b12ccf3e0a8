"""``tokharness parse``: a stream parser of the user, one stream, and mistakes."""

import json

import pytest

PARSERS = """
class Sound:
    def feed(self, delta):
        return [("content", delta)]

    def finish(self):
        return None


class Strips(Sound):
    def feed(self, delta):
        return [("content", delta.strip(" "))]


def number():
    return 7
"""


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(PARSERS, "utf-8")
    return lambda factory: f"parser:{path}:{factory}"


def test_a_bug_fails_and_its_command_shows_it_again(command, spec):
    outcome = command("parse", spec("Strips"), "--json", '"plan, answer"', "--format", "json")
    assert outcome.code == 1, outcome.err
    (finding,) = json.loads(outcome.out)["findings"]
    assert finding["code"] == "TOK701"
    stream = json.dumps(finding["text"])
    again = command("parse", spec("Strips"), "--json", stream, "--format", "json")
    assert again.code == 1
    fingerprints = [one["fingerprint"] for one in json.loads(again.out)["findings"]]
    assert fingerprints == [finding["fingerprint"]]


def test_a_sound_parser_passes_without_a_profile(command, spec):
    outcome = command("parse", spec("Sound"), "--json", '"plan\\u0301 answer"')
    assert outcome.code == 0, outcome.out
    assert "1 stream " in outcome.out
    assert "profile" not in outcome.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("parser:missing.py:Sound",), "there is no file missing.py"),
        (("tiktoken:embedded",), "is not a parser: write parser:FILE.py:FACTORY"),
        (("SPEC:Sound", "--select", "TOK7O1"), "did you mean"),
        (("SPEC:Sound", "--json", "plan"), "--json takes a JSON string"),
        (("SPEC:number",), "without feed()"),
    ],
)
def test_a_mistake_is_one_sentence(command, spec, words, sentence):
    words = [word.replace("SPEC:", spec("")) for word in words]
    outcome = command("parse", *words)
    assert outcome.code == 2
    assert sentence in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.slow
def test_a_parser_is_no_tokenizer(command, spec):
    outcome = command("check", spec("Sound"))
    assert outcome.code == 2
    assert "tokharness parse" in outcome.err

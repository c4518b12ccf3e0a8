"""``tokharness chunk``: a chunker of the user, one text, and mistakes."""

import json
import sys

import pytest

SOUND = """
class Sound:
    def split(self, text, limit, overlap=0):
        return [text[at : at + limit] for at in range(0, len(text), limit)] if not overlap else None

    def count(self, text):
        return len(text)


class Short(Sound):
    def split(self, text, limit):
        return [text[:limit]]


class Refuses(Sound):
    def split(self, text, limit):
        text.encode()
        return [text]


class NoSplit:
    pass


class Misspelt(Sound):
    loses = "whitespace"


class CountsWithAnObject(Sound):
    counts_with = Sound()


def number():
    return 7


def fails():
    raise OSError("no vocabulary")
"""


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(SOUND, "utf-8")
    return lambda factory: f"chunker:{path}:{factory}"


def test_a_bug_fails_and_its_command_shows_it_again(command, spec):
    words = ("--json", '"abc def ghi"', "--limit", "4", "--format", "json")
    outcome = command("chunk", spec("Short"), *words)
    assert outcome.code == 1, outcome.err
    finding = next(one for one in json.loads(outcome.out)["findings"] if one["verdict"] == "bug")
    assert finding["code"] == "TOK603"
    assert finding["evidence"]["limit"] == 4
    assert "--limit 4" in finding["reproduce"]
    again = command(
        *("chunk", spec("Short"), "--select", "TOK603", "--json", json.dumps(finding["text"])),
        *("--limit", "4", "--format", "json"),
    )
    assert again.code == 1
    fingerprints = [one["fingerprint"] for one in json.loads(again.out)["findings"]]
    assert fingerprints == [finding["fingerprint"]]


def test_a_sound_chunker_passes_and_says_what_was_not_checked(command, spec):
    outcome = command("chunk", spec("Sound"), "--json", '"abc def"', "--ignore", "TOK611")
    assert outcome.code == 0, outcome.out
    assert "12 splits" in outcome.out
    assert "the chunker has no truncate(text, limit)" in outcome.out
    assert "profile" not in outcome.out


def test_a_run_that_split_nothing_is_not_a_pass(command, spec):
    outcome = command("chunk", spec("Refuses"), "--json", '"\\ud800"', "--select", "TOK601")
    assert outcome.code == 2
    assert "no text was split" in outcome.err


def test_the_tokenizer_of_the_command_counts(command, spec):
    words = ("--json", '"abc def ghi"', "--limit", "4", "--select", "TOK610", "--format", "json")
    outcome = command("chunk", spec("Sound"), "--tokenizer", "reference", *words)
    assert outcome.code == 1
    assert [one["code"] for one in json.loads(outcome.out)["findings"]] == ["TOK610"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("reference",), "is not a chunker: write chunker:FILE.py:FACTORY"),
        (("mine.py",), "write chunker:mine.py:FACTORY"),
        (("chunker:missing.py:Sound",), "there is no file missing.py"),
        (("chunker:mine",), "has no factory: write chunker:FILE.py:FACTORY"),
        (("chunker:chonkie",), "names no splitter: write chunker:chonkie:characters"),
        (("chunker:chonkie:tokn",), "did you mean 'token'"),
        (("{NoSplit}",), "returned a NoSplit without split()"),
        (("{number}",), "returned a int without split()"),
        (("{fails}",), "OSError: no vocabulary"),
        (("{Unknown}",), "has no attribute 'Unknown'"),
        (("{Misspelt}",), "is 'whitespace', and not 'white space'"),
        (("{CountsWithAnObject}",), "is a Sound, and not the spec of a tokenizer"),
        (("{Sound}", "--select", "TOK6O3"), "did you mean 'TOK603'"),
        (("{Sound}", "--select", "TOK101"), "no check of chunkers"),
        (("{Sound}", "--json", "{{"), "--json takes a JSON string"),
        (("{Sound}", "--limit", "4"), "need a text: add --json STRING"),
        (("{Sound}", "--json", '"a"', "--overlap", "1"), "needs a limit: add --limit"),
        (("{Sound}", "--tokenizer", "nosuch:x"), "nosuch"),
    ],
)
def test_a_mistake_is_one_sentence(command, spec, words, message):
    filled = [
        spec(word[1:-1]) if word[0] == "{" and word[1:2].isalpha() else word for word in words
    ]
    outcome = command("chunk", *filled)
    assert outcome.code == 2, outcome.out
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.slow
def test_check_of_a_chunker_names_the_command(command, spec):
    outcome = command("check", spec("Sound"), "--profile", "quick")
    assert outcome.code != 0
    assert "check it with tokharness chunk" in (outcome.out + outcome.err).replace("\n", " ")


def test_a_package_that_is_not_installed_is_one_sentence(command, monkeypatch):
    monkeypatch.setenv("TOKHARNESS_ENGINES_PYTHON", sys.executable + "-missing")
    monkeypatch.setenv("TOKHARNESS_NODE_MODULES", "/nowhere")
    for spec, word in (
        ("chunker:semchunk:tokens", "pip install semchunk"),
        (
            "chunker:@langchain/textsplitters:tokens",
            "npm install --global @langchain/textsplitters",
        ),
    ):
        outcome = command("chunk", spec)
        assert outcome.code == 2
        assert word in outcome.err
        assert outcome.err.count("\n") == 1

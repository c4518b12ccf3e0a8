"""TOK301: the space before a word joins some words and not others."""

import re

import pytest

CODE = "TOK301"


class Words:
    """Words are tokens; the space before a word in ``joining`` belongs to its token."""

    def __init__(self, words, joining):
        pieces = [" " * (word in joining) + word for word in words] + [chr(i) for i in range(128)]
        self.texts = list(dict.fromkeys(pieces))
        self.n_vocab = len(self.texts)
        longest = sorted(self.texts, key=len, reverse=True)
        self.pattern = re.compile("|".join(map(re.escape, longest)))

    def encode(self, text):
        return [self.texts.index(piece) for piece in self.pattern.findall(text)]

    def decode(self, ids):
        return "".join(self.texts[i] for i in ids)

    def decode_single_token_bytes(self, i):
        return self.texts[i].encode()


WORDS = [f"{a}{b}{c}" for a in "abcde" for b in "xyz" for c in "uvw"]
assert len(WORDS) == 45


@pytest.mark.parametrize(
    ("joining", "policy"),
    [
        (WORDS, "the space joins the word"),
        ([], "the space stands alone"),
        (WORDS[::2], "mixed"),
    ],
)
def test_a_consistent_policy_is_one_fact_and_no_risk(check_texts, joining, policy):
    (fact,) = check_texts(CODE, Words(WORDS, joining))
    assert str(fact.cause) == f"leading-space policy: {policy}"
    assert fact.verdict == "fact"
    assert fact.evidence["words"] == 45
    assert fact.evidence["joined"] == len(joining)


@pytest.mark.parametrize(
    ("joining", "cause", "exceptions"),
    [
        (WORDS[3:], "space stands alone", WORDS[:3]),
        (WORDS[:3], "space joins the word", WORDS[:3]),
    ],
)
def test_words_against_the_targets_own_policy_are_one_risk(check_texts, joining, cause, exceptions):
    findings = check_texts(CODE, Words(WORDS, joining))
    (risk,) = findings.risks
    assert str(risk.cause) == cause
    assert risk.count == len(exceptions)
    assert risk.text == " " + min(exceptions)
    assert risk.evidence["words"] == sorted(exceptions)


def test_a_byte_tokenizer_lets_the_space_stand_alone(check_texts, byte_tokenizer):
    (fact,) = check_texts(CODE, byte_tokenizer())
    assert str(fact.cause) == "leading-space policy: the space stands alone"


def test_a_target_that_returns_no_word_has_no_findings(check_texts, byte_tokenizer):
    assert check_texts(CODE, byte_tokenizer(after=lambda _: "")) == []


@pytest.mark.parametrize("error", [ValueError, BaseException])
def test_a_target_that_raises_has_no_findings(check_texts, byte_tokenizer, error):
    def refuse(text):
        raise error

    assert check_texts(CODE, byte_tokenizer(refuse)) == []

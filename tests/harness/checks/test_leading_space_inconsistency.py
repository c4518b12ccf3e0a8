"""TOK301: the space before a word joins some words and not others."""

import re

import pytest

from tokharness.checks.leading_space_inconsistency import COMMON_WORDS

CODE = "TOK301"


class Words:
    """Words are tokens; the space before a word in ``joining`` belongs to its token.

    The words of ``unused`` have a token with a space that no text gives.
    """

    def __init__(self, words, joining, unused=()):
        pieces = [" " * (word in joining) + word for word in words] + [chr(i) for i in range(128)]
        longest = sorted(pieces, key=len, reverse=True)
        self.texts = list(dict.fromkeys([*pieces, *(f" {word}" for word in unused)]))
        self.n_vocab = len(self.texts)
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
    findings = check_texts(CODE, Words(WORDS, joining, unused=exceptions))
    (risk,) = findings.risks
    assert str(risk.cause) == cause
    assert risk.count == len(exceptions)
    assert risk.text == "x " + min(exceptions)
    assert risk.evidence["words"] == sorted(exceptions)


def test_words_without_a_token_for_the_space_and_the_word_are_by_design(check_texts):
    (fact,) = check_texts(CODE, Words(WORDS, WORDS[3:]))
    assert fact.evidence["joined"] == 42


def test_a_common_word_against_the_policy_is_a_risk(check_texts):
    target = Words([*WORDS, "the"], WORDS)
    assert check_texts(CODE, target).risks == []  # so small a vocabulary may lack it
    target.n_vocab = 50_000
    (risk,) = check_texts(CODE, target).risks
    assert risk.text == "x the"


def test_a_common_word_whose_initial_joins_in_other_words_is_by_design(check_texts):
    joining = [*WORDS, "they", "this"]
    target = Words([*joining, "to"], joining)
    target.n_vocab = 50_000
    assert check_texts(CODE, target).risks == []


def test_one_word_of_a_thousand_is_no_rule(check_texts):
    words = [f"{a}{b}{c}" for a in "abcdefghijklmnop" for b in "qrstuvwx" for c in "yzabcdef"]
    (fact,) = check_texts(CODE, Words(words, words[1:], unused=words[:1]))
    assert fact.evidence["joined"] == len(words) - 1


def test_scripts_with_a_policy_of_their_own_are_named(check_texts):
    han = [f"{a}{b}" for a in "\u4e2d\u6587\u5b57\u6c49\u8bed" for b in "\u4eba\u5927\u5c0f\u5929"]
    words = [f"{a}{b}{c}" for a in "abcdefgh" for b in "vwxyz" for c in "klmnop"]
    findings = check_texts(CODE, Words(words + han, words))
    (fact,) = findings
    assert "but not before words in Han" in fact.message


class WithSpaceAtStart(Words):
    """Adds a space to the start of a text, as SentencePiece does."""

    decode_single_token_bytes = None

    def encode(self, text):
        return super().encode(f" {text}")

    def decode(self, ids):
        return super().decode(ids).removeprefix(" ")


def test_a_space_that_a_tokenizer_adds_is_no_space_of_the_text(check_texts):
    (fact,) = check_texts(CODE, WithSpaceAtStart(COMMON_WORDS, COMMON_WORDS))
    assert str(fact.cause) == "leading-space policy: the space joins the word"
    assert "100% are one token after a space and at the start of a text" in fact.message
    assert "words get the same tokens at the start of a text as after a space" in fact.message


def test_words_without_a_token_for_the_start_are_one_token_only_after_a_space(check_texts):
    (fact,) = check_texts(CODE, Words(WORDS, WORDS))
    assert "100% only after a space" in fact.message
    assert "same tokens" not in fact.message


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

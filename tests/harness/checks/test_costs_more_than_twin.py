"""TOK303: what text costs that reads the same."""

import pytest

from tokharness.model import Case
from tokharness.unicode.languages import language_name
from tokharness.unicode.normalization import normalize

CODE = "TOK303"


def family(*pairs):
    return lambda: iter([Case(text, "why", twin) for text, twin in pairs])


def composing(byte_tokenizer, **attributes):
    """A tokenizer for which decomposed text costs no more."""
    return byte_tokenizer(lambda text: normalize("NFC", text), normalizer="NFC", **attributes)


def of_families(findings):
    """The facts without that on languages, which every target has."""
    return [one for one in findings if one.cause.kind != "costs of languages"]


def test_the_costs_of_families_are_one_fact_with_a_table(check_texts, byte_tokenizer):
    cases = {
        "han": family(("\u4e2d", "a"), ("\u4e2d\u6587", "ab"), ("\u00e9", "e")),
        "tags": family(("\U000e0061", "a")),
        "plain": family(("word", None)),
    }
    (fact,) = of_families(check_texts(CODE, composing(byte_tokenizer), cases=cases))
    assert str(fact.cause) == "costs of families"
    assert (fact.verdict, fact.text, fact.count) == ("fact", "\U000e0061", 4)
    assert "tags cost most on the median, 4.0 times" in fact.message
    assert fact.evidence["twin"] == "a"
    assert fact.evidence["families"] == [
        {
            "family": "han",
            "cases": 3,
            "median": 3.0,
            "worst": 3.0,
            "worst text": "\u4e2d",
            "its twin": "a",
        },
        {
            "family": "tags",
            "cases": 1,
            "median": 4.0,
            "worst": 4.0,
            "worst text": "\U000e0061",
            "its twin": "a",
        },
    ]


def test_a_thousand_marks_on_a_letter_are_no_news(check_texts, byte_tokenizer):
    stacks = family(("a" + "\u0301" * 1000, "a"), ("a\u20dd", "a"))
    bits = family(("\ufe0f" * 100, "a"))
    target = composing(byte_tokenizer)
    (fact,) = of_families(check_texts(CODE, target, cases={"stacks": stacks, "bits": bits}))
    assert "the worst case costs 4.0 times as many (stacks, why)" in fact.message
    assert fact.text == "a\u20dd"


def test_families_without_twins_are_not_compared(check_texts, byte_tokenizer):
    target = composing(byte_tokenizer)
    assert of_families(check_texts(CODE, target, cases={"plain": family(("a", None))})) == []


def test_ids_that_every_text_gets_are_left_out(check_texts, byte_tokenizer):
    target = composing(byte_tokenizer)
    plain = target.encode
    target.encode = lambda text: [1, 2, 3, *plain(text), 4]
    (fact,) = of_families(check_texts(CODE, target, cases={"han": family(("\u4e2d", "a"))}))
    assert "the worst case costs 3.0 times" in fact.message


def test_the_id_of_unknown_text_is_not_an_affix(check_texts, byte_tokenizer):
    target = composing(byte_tokenizer)
    target.encode = lambda text: [0] * len(normalize("NFC", text))
    (fact,) = of_families(check_texts(CODE, target, cases={"long": family(("abcabc", "ab"))}))
    assert fact.count == 1


def test_texts_that_raise_are_left_out(check_texts, byte_tokenizer):
    target = composing(byte_tokenizer)
    plain = target.encode

    def encode(text):
        if "x" in text:
            raise ValueError(text)
        return plain(text)

    target.encode = encode
    cases = {"some": family(("\u4e2d", "x"), ("xxxx", "a"), ("\u4e2d", "a"))}
    (fact,) = of_families(check_texts(CODE, target, cases=cases))
    assert fact.count == 1


def test_the_costs_of_languages_are_one_fact_that_names_the_worst(check_texts, byte_tokenizer):
    fact = next(
        one
        for one in check_texts(CODE, composing(byte_tokenizer))
        if one.cause.kind == "costs of languages"
    )
    bands = fact.evidence["languages"]
    assert (bands["fr"], bands["hi"]) == ("up to 1.5", "up to 3")  # three bytes for each letter
    assert sum(fact.evidence["bands"].values()) == len(bands) == fact.count
    assert set(fact.evidence["most"]) <= {language_name(code) for code in bands}
    assert ", ".join(fact.evidence["most"]) in fact.message
    assert "en" not in bands


def test_scripts_that_cost_twice_as_much_decomposed_are_a_risk(check_texts):
    class Characters:
        def encode(self, text):
            return list(map(ord, text))

        def decode(self, ids):
            return "".join(map(chr, ids))

    (risk,) = check_texts(CODE, Characters()).risks
    assert str(risk.cause) == "decomposed text: Hangul"
    assert "Hangul 2." in risk.message
    assert risk.text == normalize("NFD", risk.evidence["twin"])


def test_more_tokens_than_bytes_are_a_risk(check_texts, byte_tokenizer):
    target = byte_tokenizer(lambda text: normalize("NFKC", text), normalizer="NFKC")
    cases = {"hard": family(("\ufdfa", "a"), ("\u00bd", "b"), ("\u4e2d", "a"))}
    (risk,) = check_texts(CODE, target, cases=cases).risks
    assert str(risk.cause) == "more tokens than bytes"
    assert (risk.count, risk.text) == (2, "\ufdfa")
    assert "the worst has 11.0 times as many" in risk.message


@pytest.mark.slow
def test_a_token_that_each_text_gets_at_most_once_is_no_excess(check_texts, byte_tokenizer):
    target = composing(byte_tokenizer)
    plain = target.encode
    target.encode = lambda text: plain(text) if text.startswith(" ") else [32, *plain(text)]
    assert check_texts(CODE, target, cases={"short": family(("a", "b"))}).risks == []


@pytest.mark.parametrize("whole", [True, False])
def test_text_that_makes_the_text_before_it_cost_more_is_a_risk(check_texts, byte_tokenizer, whole):
    class Words:
        """Words are tokens; a joiner spells the whole text, or only its word, in characters."""

        def encode(self, text):
            words = [text] if whole and "\u200d" in text else normalize("NFC", text).split(" ")
            return [
                number
                for word in words
                for number in (map(ord, word) if "\u200d" in word else [hash(word)])
            ]

        def decode(self, ids):
            return ""

    cases = {"zero-width": family(("ab\u200dcd", "abcd"))}
    findings = check_texts(CODE, Words(), cases=cases)
    assert [str(finding.cause) for finding in findings.risks] == ["costly surroundings"] * whole

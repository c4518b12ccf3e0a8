"""TOK302: how numbers are split, and where a target breaks its own policy."""

import pytest
import regex

from tokharness.unicode.normalization import normalize

CODE = "TOK302"


class Groups:
    """A tokenizer for which every match of a pattern is one token."""

    def __init__(self, pattern):
        self.pattern = regex.compile(rf"{pattern}|(?s:.)")
        self.texts = []

    def encode(self, text):
        pieces = self.pattern.findall(text)
        self.texts += [piece for piece in dict.fromkeys(pieces) if piece not in self.texts]
        return [self.texts.index(piece) for piece in pieces]

    def decode(self, ids):
        return "".join(self.texts[i] for i in ids)

    def decode_single_token_bytes(self, i):
        return self.texts[i].encode()


def policies(findings):
    return [
        finding.cause.parameters[0][1]
        for finding in findings
        if finding.cause.kind == "digit policy"
    ]


@pytest.mark.parametrize(
    ("pattern", "policy"),
    [
        (r"\p{Nd}", "single digits"),
        (r"\p{Nd}{1,3}", "groups of at most 3 from the left"),
        (r"\p{Nd}{1,2}", "groups of at most 2 from the left"),
        (r"\p{Nd}{1,3}(?=(?:\p{Nd}{3})*(?!\p{Nd}))", "groups of at most 3 from the right"),
        (r"\p{Nd}+", "unbounded merges"),
    ],
)
def test_a_consistent_policy_is_one_fact_and_no_risk(check_texts, pattern, policy):
    findings = check_texts(CODE, Groups(pattern))
    assert policies(findings) == [policy]
    assert findings.bugs == findings.risks == []


def test_single_bytes_are_single_digits(check_texts, byte_tokenizer):
    findings = check_texts(CODE, byte_tokenizer(decode_single_token_bytes=lambda i: bytes([i])))
    assert policies(findings) == ["single digits"]
    assert findings.risks == []


def risk_kinds(findings):
    return {finding.cause.kind for finding in findings.risks}


@pytest.mark.parametrize(("pattern", "length"), [("380", "3"), ("00|11|99", "2")])
def test_some_numbers_of_one_length_as_one_token_are_a_risk(check_texts, pattern, length):
    (risk,) = check_texts(CODE, Groups(rf"{pattern}|\p{{Nd}}")).risks
    assert str(risk.cause) == f"same length, other tokens: {length}"
    assert risk.text in pattern.split("|")
    assert risk.count == len(pattern.split("|"))


@pytest.mark.parametrize("prefix", [" ", "-", "$", "\u00a0"])
def test_a_number_split_differently_after_a_text_is_a_risk(check_texts, prefix):
    pattern = rf"(?<={regex.escape(prefix)})\p{{Nd}}{{1,2}}|\p{{Nd}}{{1,3}}"
    findings = check_texts(CODE, Groups(pattern))
    (risk,) = [
        finding for finding in findings.risks if finding.cause.kind.startswith("number split")
    ]
    assert dict(risk.cause.parameters)["after"] == ascii(prefix)
    assert risk.text.startswith(prefix)


def test_a_token_across_the_beginning_of_a_number_is_a_risk(check_texts):
    findings = check_texts(CODE, Groups(r"\$\p{Nd}{1,2}|\p{Nd}{1,3}"))
    (risk,) = [
        finding for finding in findings.risks if finding.cause.kind.startswith("number split")
    ]
    assert dict(risk.cause.parameters)["after"] == "'$'"


def single_digits(byte_tokenizer):
    class Framed(byte_tokenizer):
        special_tokens = {"<s>": 300, "</s>": 301}  # noqa: RUF012 - as users write it

        def encode(self, text):
            return [300, *super().encode(text), 301]

        def decode(self, ids):
            return super().decode([i for i in ids if i < 256])

        def decode_single_token_bytes(self, number):
            return bytes([number]) if number < 256 else {300: b"<s>", 301: b"</s>"}[number]

    return Framed()


def normalizing(byte_tokenizer):
    return byte_tokenizer(lambda text: normalize("NFKC", text), normalizer="NFKC")


@pytest.mark.parametrize("make", [single_digits, normalizing])
def test_ids_around_a_text_and_normalized_digits_are_no_other_split(
    check_texts, byte_tokenizer, make
):
    assert "digits of other scripts split differently" not in risk_kinds(
        check_texts(CODE, make(byte_tokenizer))
    )


def test_digits_of_other_scripts_split_differently_are_a_risk(check_texts):
    findings = check_texts(CODE, Groups(r"[0-9]|\p{Nd}+"))
    assert risk_kinds(findings) == {"digits of other scripts split differently"}
    assert "Arab" in str(findings.risks[0].cause)


def test_a_trained_vocabulary_breaks_its_policy_in_the_known_way(check_spec):
    findings = check_spec("tiktoken:embedded", select=(CODE,), families=("digits",))
    assert policies(findings) == ["groups of at most 3 from the left"]
    assert risk_kinds(findings) == {"same length, other tokens"}


def test_a_target_that_returns_no_number_has_no_findings(check_texts, byte_tokenizer):
    assert check_texts(CODE, byte_tokenizer(after=lambda _: "")) == []


@pytest.mark.parametrize("suffix", [",000", "e5", "\u00bd"])
def test_a_number_split_differently_before_a_text_is_a_risk(check_texts, suffix):
    findings = check_texts(CODE, Groups(rf"\p{{Nd}}(?=\p{{Nd}}*{suffix})|\p{{Nd}}{{1,3}}|.|\n"))
    (risk,) = [
        finding for finding in findings.risks if finding.cause.kind.startswith("number split")
    ]
    assert str(risk.cause) == f"number split differently before other text: {suffix!a}"
    assert risk.text.endswith(suffix)


def test_several_lengths_with_numbers_of_one_token_are_one_risk(check_texts):
    (risk,) = check_texts(CODE, Groups(r"380|381|00|\p{Nd}")).risks
    assert str(risk.cause) == "same length, other tokens: 2 and 3"
    assert (risk.count, risk.text) == (3, "00")


def test_tokens_with_more_digits_than_a_group_are_a_risk(check_texts):
    class Learned(Groups):
        n_vocab = 3

        def __init__(self):
            super().__init__(r"\p{Nd}{1,3}")
            self.texts = ["2024", "12345", "777"]

    (risk,) = check_texts(CODE, Learned()).risks
    assert str(risk.cause) == "tokens of merged digits"
    assert (risk.count, risk.text) == (2, "2024")
    assert "groups of at most 3 from the left" in risk.message

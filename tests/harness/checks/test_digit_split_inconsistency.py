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
        self.ids = {}

    def encode(self, text):
        pieces = self.pattern.findall(text)
        self.texts += [piece for piece in dict.fromkeys(pieces) if piece not in self.ids]
        self.ids |= {piece: i for i, piece in enumerate(self.texts[len(self.ids) :], len(self.ids))}
        return [self.ids[piece] for piece in pieces]

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
        (r"\p{Nd}+", "whole numbers"),
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


class Tokens(Groups):
    """Numbers of ``learned`` stay whole, and others are single digits."""

    def __init__(self, *learned):
        super().__init__(rf"(?<!\p{{Nd}})(?:{'|'.join(learned)})(?!\p{{Nd}})|\p{{Nd}}")


@pytest.mark.parametrize(("learned", "length"), [(["380"], "3"), (["00", "11", "99"], "2")])
def test_numbers_that_are_tokens_and_stay_whole_are_a_risk(check_texts, learned, length):
    findings = check_texts(CODE, Tokens(*learned))
    (risk,) = findings.risks
    assert policies(findings) == ["whole numbers that are tokens, other ones in single digits"]
    assert str(risk.cause) == f"same length, other tokens: {length}"
    assert (risk.count, risk.text) == (len(learned), learned[0])


def test_several_lengths_with_numbers_of_one_token_are_one_risk(check_texts):
    (risk,) = check_texts(CODE, Tokens("380", "381", "00")).risks
    assert str(risk.cause) == "same length, other tokens: 2 and 3"
    assert (risk.count, risk.text) == (3, "00")


@pytest.mark.slow
def test_numbers_without_a_policy_are_one_risk_with_the_nearest_policy(check_texts):
    findings = check_texts(CODE, Groups(r"380|\p{Nd}"))  # also inside a longer number
    (risk,) = findings.risks
    assert policies(findings) == ["mixed"]
    assert str(risk.cause) == "no digit policy"
    assert risk.text == "380"
    assert "single digits explains 9" in risk.message
    assert "but not 380 (one token)" in risk.message


def contexts(findings):
    (risk,) = findings.risks
    assert risk.cause.kind == "number split differently next to other text"
    return dict(risk.cause.parameters)["where"], risk.text


@pytest.mark.parametrize("prefix", [" ", "-", "$", "\u00a0"])
def test_a_number_split_differently_after_a_text_is_a_risk(check_texts, prefix):
    pattern = rf"(?<={regex.escape(prefix)})\p{{Nd}}{{1,2}}|\p{{Nd}}{{1,3}}"
    where, text = contexts(check_texts(CODE, Groups(pattern)))
    assert where.startswith(f"after {prefix!a}")
    assert text.startswith(prefix)


@pytest.mark.parametrize("suffix", [",000", "e5", "\u00bd"])
def test_a_number_split_differently_before_a_text_is_a_risk(check_texts, suffix):
    pattern = rf"\p{{Nd}}(?=\p{{Nd}}*{suffix})|\p{{Nd}}{{1,3}}|.|\n"
    where, text = contexts(check_texts(CODE, Groups(pattern)))
    assert where == f"before {suffix!a}"
    assert text.endswith(suffix)


def test_other_groups_after_a_token_across_the_beginning_of_a_number_are_a_risk(check_texts):
    findings = check_texts(CODE, Groups(r"\$\p{Nd}{1,2}|\p{Nd}{1,3}"))
    assert contexts(findings)[0] == "after '$'"
    assert findings.risks[0].message.endswith("alone as 002 and after '$' as 00|2")


@pytest.mark.parametrize("pattern", [r" ?\p{Nd}{1,2}", r"\p{Nd}\.|\p{Nd}"])
def test_a_token_with_digits_and_other_text_is_no_other_grouping_of_digits(check_texts, pattern):
    assert check_texts(CODE, Groups(pattern)).risks == []


def risk_kinds(findings):
    return {finding.cause.kind for finding in findings.risks}


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


@pytest.mark.slow
def test_a_trained_vocabulary_breaks_its_policy_in_the_known_way(check_spec):
    findings = check_spec("tiktoken:embedded", select=(CODE,), families=("digits",))
    assert policies(findings) == ["groups of at most 3 from the left"]
    assert risk_kinds(findings) == {"same length, other tokens"}


def test_a_target_that_returns_no_number_has_no_findings(check_texts, byte_tokenizer):
    assert check_texts(CODE, byte_tokenizer(after=lambda _: "")) == []


def test_single_digits_alone_show_no_policy(check_texts, byte_tokenizer):
    def refuse_longer(text):
        if len(text) > 1:
            raise ValueError(text)
        return text

    assert check_texts(CODE, byte_tokenizer(refuse_longer)) == []


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


def test_texts_are_searched_for_tokens_of_digits_alone(check_texts):
    searched = []

    class Learned(Groups):
        n_vocab = 4

        def __init__(self):
            super().__init__(r"\p{Nd}{1,3}")
            self.texts = ["2024", "words", "<x>", "777"]

        def reach(self, ids):
            searched.extend(self.texts[i] for i in ids)
            return [("", "never") for _ in ids]

    (risk,) = check_texts(CODE, Learned()).risks
    assert str(risk.cause) == "tokens of merged digits"
    assert searched == ["2024"]


class Unknown(Groups):
    """Text that a pattern matches is the unknown token, which decodes to a question mark."""

    unknown_id = 0

    def __init__(self, unknown):
        super().__init__(rf"{unknown}|\p{{Nd}}")
        self.texts, self.ids = ["?"], {"?": 0}
        self.unknown = regex.compile(unknown)

    def encode(self, text):
        return super().encode(self.unknown.sub("?", text))


@pytest.mark.parametrize(
    ("pattern", "read"),
    [
        ("[37]+", "a run of them is one unknown token"),
        ("[37]", "each of them is an unknown token"),
        ("[37]{1,2}", "333 has 2 unknown tokens"),
    ],
)
def test_unknown_digits_are_one_fact_without_a_policy(check_texts, pattern, read):
    (fact,) = check_texts(CODE, Unknown(pattern))
    assert str(fact.cause) == "unknown digits: 3, 7"
    assert fact.message == f"digits without a token: 3, 7; {read}, so numbers have no policy"
    assert fact.verdict == "fact"

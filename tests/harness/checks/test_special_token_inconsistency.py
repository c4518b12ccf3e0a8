"""TOK115: special tokens that are treated differently than the others, or than by a reference."""

import re

import pytest

from tokharness.diagnosis.special.default_entry_point import undeclared_causes
from tokharness.model import Verdict, target_of
from tokharness.targets.subject import Subject

CODE = "TOK115"
SPECIAL = {f"<|{number}|>": 300 + number for number in range(7)}
LAST, SEVERAL = "<|6|>", ("<|4|>", "<|5|>", "<|6|>")


def reading(byte, tokens):
    """Encode that reads these tokens as their ids."""
    pattern = re.compile("(" + "|".join(map(re.escape, tokens)) + ")")

    def encode(text):
        parts = pattern.split(text)
        return [i for part in parts for i in ([SPECIAL[part]] if part in tokens else byte(part))]

    return encode


def refusing(byte, tokens):
    def encode(text):
        if any(token in text for token in tokens):
            raise ValueError(text)
        return byte(text)

    return encode


@pytest.fixture
def target(byte_tokenizer):
    """Return a byte tokenizer with special tokens that refuses them in ``encode``."""

    def make(**changes):
        tokenizer = byte_tokenizer(special_tokens=SPECIAL)
        byte = tokenizer.encode
        texts = {number: text for text, number in SPECIAL.items()}

        def decode(ids):
            data = b"".join(texts[i].encode() if i in texts else bytes([i]) for i in ids)
            return data.decode("utf-8", "replace")

        tokenizer.encode_ordinary, tokenizer.decode = byte, decode
        tokenizer.encode = refusing(byte, SPECIAL)
        tokenizer.encode_special = reading(byte, SPECIAL)
        tokenizer.encode_batch = lambda rows: [byte(text) for text in rows]
        tokenizer.count = lambda text: len(byte(text))
        tokenizer.decode_stream = lambda ids: [decode([i]) for i in ids]
        built = {name: change(byte, decode) for name, change in changes.items()}
        vars(tokenizer).update(built)
        return tokenizer

    return make


@pytest.fixture
def bugs(check_texts, target):
    def causes(reference=None, **changes):
        tokenizer = target(**changes)
        findings = check_texts(
            CODE, tokenizer, reference=reference, claims_parity=reference is not None
        )
        assert all(finding.verdict is not Verdict.RISK for finding in findings)
        return [str(finding.cause) for finding in findings.bugs]

    return causes


def test_a_target_that_treats_all_tokens_alike_has_a_fact_and_no_bug(check_texts, target):
    (fact,) = check_texts(CODE, target(), reference=target(), claims_parity=True)
    assert fact.verdict is Verdict.FACT
    assert "encode refuses it; encode_special reads it as its id" in fact.message


def without(token):
    return {text: number for text, number in SPECIAL.items() if text != token}


@pytest.mark.parametrize(
    ("name", "change", "cause"),
    [
        ("encode", lambda b, _: refusing(b, without(LAST)), "special token: encode"),
        ("encode", lambda b, _: reading(b, without(LAST)), "special token: encode"),
        ("encode_special", lambda b, _: reading(b, without(LAST)), "special token: encode_special"),
        (
            "encode_batch",
            lambda b, _: lambda rows: list(map(reading(b, [LAST]), rows)),
            "entry points: encode_batch",
        ),
        (
            "count",
            lambda b, _: lambda text: len(reading(b, [LAST])(text)),
            "special token: count",
        ),
    ],
)
def test_one_token_that_an_entry_point_treats_differently_is_a_bug(bugs, name, change, cause):
    assert bugs(**{name: change}) == [cause]


def test_one_token_among_a_thousand_is_found(check_texts, byte_tokenizer):
    tokens = {f"<|{number}|>": 300 + number for number in range(1000)}
    tokenizer = byte_tokenizer(special_tokens=tokens)
    byte = tokenizer.encode
    known = {text: number for text, number in tokens.items() if text != "<|613|>"}
    pattern = re.compile("(" + "|".join(map(re.escape, known)) + ")")
    tokenizer.encode_ordinary = byte
    tokenizer.encode_special = lambda text: [
        i for part in pattern.split(text) for i in ([known[part]] if part in known else byte(part))
    ]
    tokenizer.decode = lambda ids: "".join(f"<|{i - 300}|>" if i >= 300 else chr(i) for i in ids)
    (bug,) = check_texts(CODE, tokenizer).bugs
    assert (str(bug.cause), bug.text) == ("special token: encode_special", "<|613|>")


def test_a_subset_of_many_tokens_is_a_design(bugs):
    assert bugs(encode=lambda byte, _: refusing(byte, SEVERAL)) == []


def other_id(_, decode):
    return lambda ids: decode([i - (i == SPECIAL[LAST]) for i in ids])


def test_an_id_that_decodes_to_the_text_of_another_is_one_bug_of_all_decoders(bugs):
    found = bugs(
        decode=other_id, decode_stream=lambda b, d: lambda ids: [other_id(b, d)([i]) for i in ids]
    )
    assert found == ["special id: decode, gives the text of another"]


def test_tokens_that_a_few_decoded_texts_leave_out_are_a_risk(check_texts, target):
    def leaving_out(_, decode):
        return lambda ids: decode([i for i in ids if i != SPECIAL[LAST]])

    findings = check_texts(CODE, target(decode=leaving_out))
    assert [finding.cause.kind for finding in findings.risks] == ["special id"]
    assert findings.bugs == []


def test_what_encode_reads_is_a_choice_if_plain_text_has_its_own_entry_point(check_texts, target):
    ours = target(encode=lambda byte, _: byte)
    findings = check_texts(CODE, ours, reference=target(), claims_parity=True)
    assert findings.bugs == []
    (risk,) = findings.risks
    assert str(risk.cause) == "special token modes: encode, reads it as text, refuses it"


def counting_ids(byte, _):
    return lambda text: len(reading(byte, SPECIAL)(text))


def streaming_text_only(_, decode):
    return lambda ids: [decode([i]) for i in ids if i < 256]


@pytest.mark.parametrize(
    ("name", "change"), [("count", counting_ids), ("decode_stream", streaming_text_only)]
)
def test_another_mode_than_that_of_the_named_reference_is_a_bug(check_texts, target, name, change):
    ours = target(**{name: change})
    (bug,) = check_texts(CODE, ours, reference=target(), claims_parity=True).bugs
    assert str(bug.cause).startswith(f"special token modes: {name}, ")
    assert "--against" in bug.reproduce


def test_a_count_that_reads_all_special_tokens_is_no_bug_by_itself(bugs):
    assert bugs(count=counting_ids) == []


def test_a_stream_without_the_special_tokens_that_decode_shows_is_a_risk(check_texts, target):
    findings = check_texts(CODE, target(decode_stream=streaming_text_only))
    assert [str(finding.cause) for finding in findings.risks] == [
        "special id: decode_stream, leaves it out"
    ]
    assert findings.bugs == []


def test_a_batch_may_refuse_what_encode_refuses_or_read_it_as_plain_text(check_texts, target):
    def like_encode(byte, _):
        return lambda rows: list(map(refusing(byte, SPECIAL), rows))

    def like_special(byte, _):
        return lambda rows: list(map(reading(byte, SPECIAL), rows))

    ours = target(encode_batch=like_encode)
    assert check_texts(CODE, ours, reference=target(), claims_parity=True).bugs == []
    assert check_texts(CODE, target(), reference=ours, claims_parity=True).bugs == []
    reads = target(encode_batch=like_special)
    (bug,) = check_texts(CODE, reads, reference=target(), claims_parity=True).bugs
    assert str(bug.cause).startswith("special token modes: encode_batch, reads it as its id")


def test_a_special_token_whose_text_has_unknown_characters_is_read_as_text(check_texts):
    class Letters:
        """Letters are their code points, and all else is the unknown token."""

        def __init__(self):
            self.special_tokens = {"<unk>": 0, "<s>": 1, "</s>": 2}

        def encode(self, text):
            return [ord(char) if char.isascii() and char.isalpha() else 0 for char in text]

        def encode_batch(self, texts):
            return [self.encode(text) for text in texts]

        def decode(self, ids):
            return "".join(chr(number) if number > 2 else "?" for number in ids)

    findings = check_texts(CODE, Letters())
    assert findings.bugs == []
    (fact,) = findings.facts
    assert fact.message.endswith(": encode reads it as text; encode_batch reads it as text")


@pytest.fixture
def library(target):
    """Return a tokenizer whose default entry point reads special tokens."""

    def make(**attributes):
        tokenizer = target()
        tokenizer.encode, tokenizer.plain_setting = tokenizer.encode_special, "safe=True"
        vars(tokenizer).update(attributes)
        return tokenizer

    return make


def default_risk(findings):
    return next(one for one in findings.risks if one.cause.kind == "default entry point")


def test_a_default_that_reads_special_tokens_is_a_risk_with_the_safe_setting(library, check_texts):
    risk = default_risk(check_texts(CODE, library()))
    assert str(risk.cause) == "default entry point: safe=True"
    assert risk.message.endswith("with safe=True they are text")


def test_added_tokens_that_the_safe_setting_reads_too_are_part_of_the_same_risk(
    library, check_texts
):
    tokenizer = library(added_tokens={"<think>": 200})
    byte = tokenizer.encode_ordinary
    tokenizer.encode_ordinary = lambda text: [200] if text == "<think>" else byte(text)
    default = default_risk(check_texts(CODE, tokenizer))
    assert (
        "added tokens that are not special are ids, such as <think> (1 of them)" in default.message
    )
    subject = Subject(target_of("x", tokenizer))
    assert undeclared_causes("<think>", [200], subject) == [default.cause]


def test_a_batch_that_reads_what_encode_reads_is_no_second_fault(check_texts, byte_tokenizer):
    def library(encode):
        tokenizer = byte_tokenizer(special_tokens=SPECIAL, n_vocab=300)
        one = encode(tokenizer.encode)
        tokenizer.encode, tokenizer.encode_batch = one, lambda rows: list(map(one, rows))
        return tokenizer

    reads, plain = library(lambda byte: reading(byte, SPECIAL)), library(lambda byte: byte)
    # Plain text that encode reads as an id is TOK103.
    assert check_texts(CODE, reads, reference=plain, claims_parity=True).bugs == []
    reads.encode = plain.encode
    (bug,) = check_texts(CODE, reads, reference=plain, claims_parity=True).bugs
    assert str(bug.cause).startswith("special token modes: encode_batch, reads it as its id")

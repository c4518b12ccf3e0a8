"""TOK102: encoding or decoding raises or panics on text that it should accept."""

import pytest

CODE = "TOK102"
TEXTS = ("a", "A1", "a\0b", "\0", "\uffff", "a\uffffb", "\ufffe", "\U0001f600", "\u0378x", "")
LONE = ("\ud800", "a\udc00")


class PanicError(BaseException):
    """An exception as native code raises it: not a subclass of Exception."""


def refusing(*characters, error=ValueError):
    def change(text):
        for character in characters:
            if character in text:
                raise error(f"cannot read {character!r} (U+{ord(character):04X}) of {text!r}")
        return text

    return change


@pytest.mark.parametrize("family", ["noncharacters", "surrogates", "special-tokens"])
def test_a_target_that_accepts_all_text_passes(check_texts, byte_tokenizer, family):
    assert check_texts(CODE, byte_tokenizer(), (*TEXTS, *LONE), families=(family,)) == []


@pytest.mark.parametrize("character", ["\0", "\uffff"])
def test_one_character_that_raises_is_one_bug_that_names_it(check_texts, byte_tokenizer, character):
    tokenizer = byte_tokenizer(refusing(character))
    (bug,) = check_texts(CODE, tokenizer, TEXTS, families=("noncharacters",)).bugs
    assert bug.cause.kind == "raises"
    assert dict(bug.cause.parameters)["type"] == "ValueError"
    assert dict(bug.cause.parameters)["in"] == "encode"
    assert f"U+{ord(character):04X}" in dict(bug.cause.parameters)["characters"]
    assert bug.text == character


def test_all_characters_that_raise_alike_are_one_bug(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer(refusing("\0", "\uffff"))
    (bug,) = check_texts(CODE, tokenizer, TEXTS).bugs
    assert "U+0000" in str(bug.cause)
    assert "U+FFFF" in str(bug.cause)


def test_characters_that_raise_another_exception_are_another_bug(check_texts, byte_tokenizer):
    refuse_null, refuse_noncharacter = refusing("\0"), refusing("\uffff", error=IndexError)
    findings = check_texts(
        CODE, byte_tokenizer(lambda text: refuse_null(refuse_noncharacter(text))), TEXTS
    )
    assert {dict(bug.cause.parameters)["type"] for bug in findings.bugs} == {
        "ValueError",
        "IndexError",
    }


def test_a_fault_in_decoding_names_the_stage(check_texts, byte_tokenizer):
    (bug,) = check_texts(CODE, byte_tokenizer(after=refusing("\uffff")), TEXTS).bugs
    assert dict(bug.cause.parameters)["in"] == "decode"


def test_a_panic_is_named_as_panic(check_texts, byte_tokenizer):
    (bug,) = check_texts(CODE, byte_tokenizer(refusing("\uffff", error=PanicError)), TEXTS).bugs
    assert bug.cause.kind == "panics"


def test_messages_that_differ_in_the_text_only_are_one_cause(check_texts, byte_tokenizer):
    def too_long(text):
        if len(text) > 3:
            raise OverflowError(f"{text!r} has {len(text)} characters")
        return text

    texts = [*TEXTS, "abcd", "wxyz1", "\U0001f600aaaaa", "12345678"]
    (bug,) = check_texts(CODE, byte_tokenizer(too_long), texts).bugs
    assert bug.text == "aaaa"
    assert bug.count == 4


def test_a_text_that_is_a_part_of_a_word_of_the_message_does_not_split_the_cause(
    check_texts, byte_tokenizer
):
    def refuse(text):
        raise TypeError("neither a string nor a number")

    (bug,) = check_texts(CODE, byte_tokenizer(refuse), ["a", "ber", "num", "other"]).bugs
    assert bug.count == 4


def test_a_target_that_raises_on_every_text_is_one_cause(check_texts, byte_tokenizer):
    def refuse(text):
        raise ValueError(f"broken always: {text[:5]}")

    texts = ["a", "ab.", "passwords", "H0e0la", "aaa't", "\u200b", "word"]
    (bug,) = check_texts(CODE, byte_tokenizer(refuse), texts).bugs
    assert bug.count == len(texts)
    assert len(bug.text) <= 1


def test_a_codec_error_for_different_bytes_is_one_cause(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer()

    def decode(ids):
        return bytes(ids[:9]).decode() + bytes(ids[9:]).decode()

    tokenizer.decode = decode
    texts = [f"{'a' * count}{c}" for count in range(9) for c in "\u00e9\u4e2d\U0001f600"]
    (bug,) = check_texts(CODE, tokenizer, texts).bugs
    assert str(bug.cause) == "raises: decode, UnicodeDecodeError, 'utf-8' codec can't decode"


def test_an_error_on_a_lone_surrogate_is_by_design(check_texts, byte_tokenizer):
    def strict(text):
        text.encode()
        return text

    (fact,) = check_texts(CODE, byte_tokenizer(strict), (*TEXTS, *LONE), families=("surrogates",))
    assert str(fact.cause) == "lone surrogates: UnicodeEncodeError"
    assert fact.verdict == "fact"


def test_a_lone_surrogate_is_refused_by_design_if_the_replacement_character_raises_too(
    check_texts, byte_tokenizer
):
    def strict(text):
        text.encode()
        if "\ufffd" in text:
            raise KeyError(text)
        return text

    found = check_texts(CODE, byte_tokenizer(strict), (*TEXTS, *LONE, "\ufffd"))
    assert [(one.verdict, one.cause.kind) for one in found] == [
        ("bug", "raises"),
        ("fact", "lone surrogates"),
    ]


def test_a_panic_on_a_lone_surrogate_is_a_bug(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer(refusing("\ud800", error=PanicError))
    (bug,) = check_texts(CODE, tokenizer, (*TEXTS, *LONE)).bugs
    assert bug.cause.kind == "panics"
    assert bug.text == "\ud800"


def test_another_character_that_raises_next_to_a_lone_surrogate_is_a_bug(
    check_texts, byte_tokenizer
):
    findings = check_texts(CODE, byte_tokenizer(refusing("\0")), ("\0", "\0\ud800"))
    assert [finding.cause.kind for finding in findings] == ["raises"]
    assert findings[0].count == 2


SPECIAL = {"<s>": 300}


def guarded(text):
    if "<s>" in text:
        raise ValueError("special token")
    return text


def test_an_encode_that_refuses_special_text_is_by_design(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer(guarded, special_tokens=SPECIAL)
    (fact,) = check_texts(CODE, tokenizer, ("<s>", "a<s>b", "s"), families=("special-tokens",))
    assert str(fact.cause) == "special token: ValueError"
    assert fact.verdict == "fact"


def test_an_encode_may_refuse_text_whose_declared_form_has_a_special_token(
    check_texts, byte_tokenizer
):
    tokenizer = byte_tokenizer(
        lambda text: guarded(text.lower()), special_tokens=SPECIAL, normalizer="lowercase"
    )
    (fact,) = check_texts(CODE, tokenizer, ("<S>", "A<S>b"))
    assert str(fact.cause) == "special token: ValueError"


def test_an_encode_ordinary_that_refuses_special_text_is_a_bug(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer(guarded, special_tokens=SPECIAL)
    tokenizer.encode_ordinary = tokenizer.encode
    assert len(check_texts(CODE, tokenizer, ("<s>", "a<s>b")).bugs) == 1


def test_another_character_that_raises_next_to_special_text_is_a_bug(check_texts, byte_tokenizer):
    change = refusing("\uffff")
    tokenizer = byte_tokenizer(lambda text: guarded(change(text)), special_tokens=SPECIAL)
    findings = check_texts(CODE, tokenizer, ("<s>", "<s>\uffff"))
    assert [finding.cause.kind for finding in findings] == ["raises", "special token"]


def test_an_exception_that_does_not_come_again_is_state(check_texts, byte_tokenizer):
    calls = []

    def every_seventh(text):
        calls.append(text)
        if len(calls) % 7 == 0:
            raise ValueError("seventh")
        return text

    (bug,) = check_texts(CODE, byte_tokenizer(every_seventh), families=("digits",)).bugs
    assert bug.cause.kind == "state"

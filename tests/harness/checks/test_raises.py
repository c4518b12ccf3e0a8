"""TOK102: what raises or panics on text that it should take."""

import pytest

CODE = "TOK102"
TEXTS = ("a", "A1", "a\0b", "\0", "\uffff", "a\uffffb", "\ufffe", "\U0001f600", "\u0378x", "")
LONE = ("\ud800", "a\udc00")


class PanicError(BaseException):
    """As native code raises it: no Exception."""


def refusing(*characters, error=ValueError):
    def change(text):
        for character in characters:
            if character in text:
                raise error(f"cannot read {character!r} (U+{ord(character):04X}) of {text!r}")
        return text

    return change


@pytest.mark.parametrize("family", ["noncharacters", "surrogates", "special-tokens"])
def test_a_target_that_takes_all_text_is_not_accused(check_texts, byte_tokenizer, family):
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


def test_characters_that_raise_otherwise_are_another_bug(check_texts, byte_tokenizer):
    one, other = refusing("\0"), refusing("\uffff", error=IndexError)
    found = check_texts(CODE, byte_tokenizer(lambda text: one(other(text))), TEXTS)
    assert {dict(bug.cause.parameters)["type"] for bug in found.bugs} == {
        "ValueError",
        "IndexError",
    }


def test_a_fault_in_decoding_is_told_as_such(check_texts, byte_tokenizer):
    (bug,) = check_texts(CODE, byte_tokenizer(after=refusing("\uffff")), TEXTS).bugs
    assert dict(bug.cause.parameters)["in"] == "decode"


def test_a_panic_is_told_as_such(check_texts, byte_tokenizer):
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


def test_a_message_that_has_the_text_within_a_word_is_the_same_cause(check_texts, byte_tokenizer):
    def refuse(text):
        raise TypeError("neither a string nor a number")

    (bug,) = check_texts(CODE, byte_tokenizer(refuse), ["a", "ber", "num", "other"]).bugs
    assert bug.count == 4


def test_a_target_that_raises_whatever_it_is_asked_is_one_cause(check_texts, byte_tokenizer):
    def refuse(text):
        raise ValueError(f"broken always: {text[:5]}")

    texts = ["a", "ab.", "passwords", "H0e0la", "aaa't", "\u200b", "word"]
    (bug,) = check_texts(CODE, byte_tokenizer(refuse), texts).bugs
    assert bug.count == len(texts)
    assert len(bug.text) <= 1


def test_what_one_codec_says_of_several_bytes_is_one_cause(check_texts, byte_tokenizer):
    one = byte_tokenizer()

    def decode(ids):
        return bytes(ids[:9]).decode() + bytes(ids[9:]).decode()

    one.decode = decode
    texts = [f"{'a' * count}{c}" for count in range(9) for c in "\u00e9\u4e2d\U0001f600"]
    (bug,) = check_texts(CODE, one, texts).bugs
    assert str(bug.cause) == "raises: decode, UnicodeDecodeError, 'utf-8' codec can't decode"


def test_an_error_on_a_lone_surrogate_is_by_design(check_texts, byte_tokenizer):
    def strict(text):
        text.encode()
        return text

    (fact,) = check_texts(CODE, byte_tokenizer(strict), (*TEXTS, *LONE), families=("surrogates",))
    assert str(fact.cause) == "lone surrogates: UnicodeEncodeError"
    assert fact.verdict == "by design"


def test_a_panic_on_a_lone_surrogate_is_a_bug(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer(refusing("\ud800", error=PanicError))
    (bug,) = check_texts(CODE, tokenizer, (*TEXTS, *LONE)).bugs
    assert bug.cause.kind == "panics"
    assert bug.text == "\ud800"


def test_what_else_raises_beside_a_lone_surrogate_is_no_design(check_texts, byte_tokenizer):
    found = check_texts(CODE, byte_tokenizer(refusing("\0")), ("\0", "\0\ud800"))
    assert [one.cause.kind for one in found] == ["raises"]
    assert found[0].count == 2


SPECIAL = {"<s>": 300}


def guarded(text):
    if "<s>" in text:
        raise ValueError("special token")
    return text


def test_an_encode_that_refuses_special_text_is_by_design(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer(guarded, special_tokens=SPECIAL)
    (fact,) = check_texts(CODE, tokenizer, ("<s>", "a<s>b", "s"), families=("special-tokens",))
    assert str(fact.cause) == "special token: ValueError"
    assert fact.verdict == "by design"


def test_an_encode_ordinary_that_refuses_special_text_is_a_bug(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer(guarded, special_tokens=SPECIAL)
    tokenizer.encode_ordinary = tokenizer.encode
    assert len(check_texts(CODE, tokenizer, ("<s>", "a<s>b")).bugs) == 1


def test_what_else_raises_beside_special_text_is_a_bug(check_texts, byte_tokenizer):
    change = refusing("\uffff")
    tokenizer = byte_tokenizer(lambda text: guarded(change(text)), special_tokens=SPECIAL)
    found = check_texts(CODE, tokenizer, ("<s>", "<s>\uffff"))
    assert [one.cause.kind for one in found] == ["raises", "special token"]


def test_what_raises_once_and_not_again_is_state(check_texts, byte_tokenizer):
    calls = []

    def every_seventh(text):
        calls.append(text)
        if len(calls) % 7 == 0:
            raise ValueError("seventh")
        return text

    (bug,) = check_texts(CODE, byte_tokenizer(every_seventh), families=("digits",)).bugs
    assert bug.cause.kind == "state"

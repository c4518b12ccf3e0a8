"""TOK110: text around a special token."""

import pytest

CODE = "TOK110"


@pytest.mark.parametrize(
    ("change", "cause", "verdict"),
    [
        (lambda text: text.replace(" <|end|>", "<|end|>"), "lost", "bug"),
        (lambda text: text.replace("<|end|>b", "<|end|>"), "lost", "bug"),
        (lambda text: text.replace("<|end|>", ""), "encode_special", "bug"),
    ],
)
def test_text_around_a_special_token_has_to_stay(check_texts, library, change, cause, verdict):
    def make(one):
        special = library().encode_special
        return lambda text: special(change(text))

    (found,) = check_texts(CODE, library(encode_special=make))
    assert (dict(found.cause.parameters).popitem()[1], found.verdict) == (cause, verdict)


def test_text_around_a_special_token_that_is_split_otherwise_is_a_risk(check_texts, library):
    def make(one):
        special = library().encode_special
        return lambda text: [
            part
            for number in special(text)
            for part in ([400, 401] if number == ord("b") and 300 in special(text) else [number])
        ]

    one = library(encode_special=make)
    decode = one.decode
    one.decode = lambda ids: decode([98 if i == 400 else i for i in ids])
    (risk,) = check_texts(CODE, one)
    assert (risk.verdict, str(risk.cause)) == (
        "risk",
        "text around a special token: split otherwise",
    )


def test_ids_that_every_text_gets_are_taken_once_around_a_special_token(check_texts, library):
    def framed(encode):
        return lambda text: [1, *encode(text), 2]

    one = library()
    one.encode_ordinary, one.encode = framed(one.encode_ordinary), framed(one.encode)
    one.encode_special = framed(one.encode_special)
    for name in ("encode_batch", "encode_bytes", "encode_with_offsets", "count", "decode_bytes"):
        delattr(one, name)
    assert check_texts(CODE, one) == []


def test_a_special_token_behind_its_own_beginning_is_found(check_texts, library):
    def make(one):
        special = one.encode_special

        def encode_special(text):
            if "<<|end|>" in text:  # the search goes on behind what it has read
                before, _, after = text.partition("<<|end|>")
                return [*special(before), *one.plain("<<|end|>"), *special(after)]
            return special(text)

        return encode_special

    (bug,) = check_texts(CODE, library(encode_special=make))
    assert str(bug.cause) == "special token: encode_special"
    assert bug.text == "<<|end|>"


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("<|end|>\n<|end|>", "<|end|><|end|>"),
        lambda text: text.replace("<|end|>user\n", "<|end|>user"),
        lambda text: text.replace("<|end|><|end|>", "<|end|>"),
    ],
)
def test_text_between_the_turns_of_a_conversation_has_to_stay(check_texts, library, change):
    def make(one):
        special = one.encode_special
        return lambda text: special(change(text))

    (bug,) = check_texts(CODE, library(encode_special=make))
    assert str(bug.cause) == "text around a special token: lost"
    assert bug.text.count("<|end|>") > 1


def test_neighbours_that_make_a_third_special_token_are_not_asked_about(check_texts, library):
    one = library()
    one.special_tokens = {"<|": 400, "|>": 401, "<||>": 402}

    def encode_special(text):
        for token, number in (("<||>", 402), ("<|", 400), ("|>", 401)):
            before, found, after = text.partition(token)
            if found:
                return [*encode_special(before), number, *encode_special(after)]
        return one.plain(text)

    one.encode_special = encode_special
    assert check_texts(CODE, one) == []

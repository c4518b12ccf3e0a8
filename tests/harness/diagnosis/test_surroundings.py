"""TOK110: text around a special token."""

from dataclasses import replace

import pytest

from tokharness.diagnosis.special.surroundings import (
    parity_surroundings_failures,
    surroundings_failures,
)
from tokharness.targets.description import describe, write
from tokharness.targets.loading import load_target
from tokharness.targets.subject import Subject

CODE = "TOK110"


@pytest.mark.parametrize(
    ("change", "cause", "verdict"),
    [
        (lambda text: text.replace(" <|end|>", "<|end|>"), "lost", "bug"),
        (lambda text: text.replace("<|end|>b", "<|end|>"), "lost", "bug"),
        (lambda text: text.replace("<|end|>", ""), "encode_special", "bug"),
    ],
)
def test_lost_text_around_a_special_token_is_a_bug(check_texts, library, change, cause, verdict):
    def make(tokenizer):
        special = library().encode_special
        return lambda text: special(change(text))

    (finding,) = check_texts(CODE, library(encode_special=make))
    assert (dict(finding.cause.parameters).popitem()[1], finding.verdict) == (cause, verdict)


def test_text_around_a_special_token_that_is_split_differently_is_a_risk(check_texts, library):
    def make(tokenizer):
        special = library().encode_special
        return lambda text: [
            part
            for number in special(text)
            for part in ([400, 401] if number == ord("b") and 300 in special(text) else [number])
        ]

    tokenizer = library(encode_special=make)
    decode = tokenizer.decode
    tokenizer.decode = lambda ids: decode([98 if i == 400 else i for i in ids])
    (risk,) = check_texts(CODE, tokenizer)
    assert (risk.verdict, str(risk.cause)) == (
        "risk",
        "text around a special token: split differently",
    )


def test_bos_and_eos_occur_once_around_a_special_token(check_texts, library):
    def with_bos_and_eos(encode):
        return lambda text: [1, *encode(text), 2]

    tokenizer = library()
    tokenizer.encode_ordinary, tokenizer.encode = (
        with_bos_and_eos(tokenizer.encode_ordinary),
        with_bos_and_eos(tokenizer.encode),
    )
    tokenizer.encode_special = with_bos_and_eos(tokenizer.encode_special)
    for name in ("encode_batch", "encode_bytes", "encode_with_offsets", "count", "decode_bytes"):
        delattr(tokenizer, name)
    assert check_texts(CODE, tokenizer) == []


def test_a_special_token_missed_after_its_own_start_is_a_bug(check_texts, library):
    def make(tokenizer):
        special = tokenizer.encode_special

        def encode_special(text):
            if "<<|end|>" in text:  # the search continues after the first "<"
                before, _, after = text.partition("<<|end|>")
                return [*special(before), *tokenizer.plain("<<|end|>"), *special(after)]
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
def test_lost_text_between_the_turns_of_a_conversation_is_a_bug(check_texts, library, change):
    def make(tokenizer):
        special = tokenizer.encode_special
        return lambda text: special(change(text))

    (bug,) = check_texts(CODE, library(encode_special=make))
    assert str(bug.cause) == "text around a special token: lost"
    assert bug.text.count("<|end|>") > 1


def test_adjacent_tokens_that_form_a_third_special_token_are_left_out(check_texts, library):
    tokenizer = library()
    tokenizer.special_tokens = {"<|": 400, "|>": 401, "<||>": 402}

    def encode_special(text):
        for token, number in (("<||>", 402), ("<|", 400), ("|>", 401)):
            before, found, after = text.partition(token)
            if found:
                return [*encode_special(before), number, *encode_special(after)]
        return tokenizer.plain(text)

    tokenizer.encode_special = encode_special
    assert check_texts(CODE, tokenizer) == []


@pytest.mark.needs("tokenizers")
def test_white_space_that_the_file_gives_to_a_token_is_no_fault_compared_with_another(tmp_path):
    old = describe("reference:byte-level-bpe")
    first, *others = old.stages["added tokens"]
    rows = [{**first, "lstrip": True}, *others]
    new = replace(old, stages={**old.stages, "added tokens": rows})
    paths = []
    for name, one in (("old", old), ("new", new)):
        (tmp_path / name).mkdir()
        paths.append(write(one, tmp_path / name).partition(":")[2])
    target, other = (load_target(f"hf:{path}") for path in reversed(paths))
    for claims_parity, count in ((True, 0), (False, 1)):
        subject = Subject(target, other, claims_parity=claims_parity)
        assert len(list(surroundings_failures(subject))) == count
    (failure,) = parity_surroundings_failures(Subject(target, other, claims_parity=True))
    assert str(failure.cause) == "text around a special token: unlike the reference"
    assert failure.cause.message.endswith(f"added tokens: {first['text']}: lstrip is on, was off")
    assert not list(parity_surroundings_failures(Subject(target, other)))
    assert not list(parity_surroundings_failures(Subject(other, other, claims_parity=True)))

"""TOK110: what one library gives at its several entry points."""

import pytest

from tokharness.targets.subject import scalar_text

CODE = "TOK110"
TEXTS = ("a", "word", " two", "\u4e2d", "", "x\u200by", "a\ud800b")


def stripping(encode):
    return lambda text: encode(text.strip())


def causes(found):
    return [str(one.cause) for one in found]


def test_entry_points_that_agree_are_not_accused(check_texts, library):
    assert check_texts(CODE, library(), [*TEXTS, "a<|end|>b", "<|end|>"]) == []


def test_a_target_with_two_methods_is_not_accused(check_texts, byte_tokenizer):
    assert check_texts(CODE, byte_tokenizer(), TEXTS) == []


def test_a_normalizing_target_that_agrees_is_not_accused(check_texts, byte_tokenizer):
    one = byte_tokenizer(str.lower, normalizer="lowercase")
    one.decode_bytes, one.count = bytes, lambda text: len(one.encode(text))
    assert check_texts(CODE, one, ["A", "Word"]) == []


def test_decode_bytes_need_not_be_right_where_decode_is_not(check_texts, byte_tokenizer):
    one = byte_tokenizer(str.lower)
    one.decode_bytes = bytes
    assert check_texts(CODE, one, ["A"]) == []


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("encode", lambda one: lambda text: one.plain(text.strip())),
        ("encode_special", lambda one: stripping(one.encode_special)),
        ("encode_bytes", lambda _: lambda data: list(data.strip())),
        ("encode_with_offsets", lambda one: lambda text: (one.plain(text)[:4], [])),
        ("count", lambda _: len),
        ("decode_bytes", lambda _: lambda ids: bytes(ids).strip()),
    ],
)
def test_each_entry_point_that_differs_is_one_bug(check_texts, library, name, make):
    found = check_texts(CODE, library(**{name: make}), ["a", " a", "\u4e2d", "words"])
    assert f"entry points: {name}" in causes(found.bugs)
    assert {one.cause.kind for one in found} <= {"entry points", "text around a special token"}


def test_the_smallest_text_is_found(check_texts, library):
    dropping = library(count=lambda one: lambda text: len(one.plain(text.replace("\u200b", ""))))
    (bug,) = check_texts(CODE, dropping, ["word", "some\u200bword"])
    assert (str(bug.cause), bug.text) == ("entry points: count", "\u200b")


def test_an_entry_point_that_raises_differs(check_texts, library):
    raising = library(encode_bytes=lambda _: lambda data: data.decode("ascii") and list(data))
    (bug,) = check_texts(CODE, raising)
    assert str(bug.cause) == "entry points: encode_bytes"


def several(encode_batch):
    return lambda one: lambda texts: encode_batch(one.plain, texts)


def after_the_first_hundred(plain, texts):
    return [plain(text)[: 3 if place > 100 else None] for place, text in enumerate(texts)]


@pytest.mark.parametrize(
    "encode_batch",
    [
        lambda plain, texts: [plain(text) for text in sorted(texts)],
        lambda plain, texts: [plain(text) for text in texts if text],
        lambda plain, texts: [plain(text) for text in dict.fromkeys(texts)],
        lambda plain, texts: [plain(text.ljust(max(map(len, texts)))) for text in texts],
        lambda plain, texts: [plain(text)[:20] for text in texts],
        lambda plain, texts: [plain(text) for text in texts[: len(texts) // 4 * 4 or 1]],
        lambda plain, texts: [plain(text.strip()) for text in texts],
        lambda plain, texts: [plain(text) for text in texts[:100]],
        after_the_first_hundred,
        lambda plain, texts: [plain(text) for text in texts] if len(texts) > 1 else [[]],
        lambda plain, texts: [plain(text) for text in texts if texts[0]],
    ],
)
def test_a_batch_that_differs_is_one_bug(check_texts, library, encode_batch):
    found = check_texts(CODE, library(encode_batch=several(encode_batch)), ["a", "abc"])
    assert causes(found) == ["entry points: encode_batch"]


def test_a_batch_is_not_asked_about_special_text(check_texts, library):
    def encode_batch(plain, texts):
        if any("<|end|>" in text for text in texts):
            raise ValueError
        return [plain(text) for text in texts]

    one = library(encode_batch=several(encode_batch))
    assert check_texts(CODE, one, ["a<|end|>", "b"]) == []


def refusing(plain):
    def encode(text):
        text.encode()
        return plain(text)

    return encode


@pytest.mark.parametrize("name", ["encode", "encode_special"])
def test_a_surrogate_that_only_one_entry_point_refuses_is_a_bug(check_texts, library, name):
    one = library(**{name: lambda one: refusing(getattr(one, name))})
    found = check_texts(CODE, one, TEXTS)
    assert causes(found.bugs) == [f"lone surrogates: {name}"]


def test_a_surrogate_that_all_but_one_refuse_is_a_bug(check_texts, library):
    def refuse(one):
        return refusing(one.plain)

    one = library(
        encode_ordinary=refuse,
        encode=refuse,
        encode_special=lambda one: refusing(one.encode_special),
        encode_with_offsets=lambda one: lambda text: (refusing(one.plain)(text), []),
        encode_batch=lambda one: lambda texts: list(map(refusing(one.plain), texts)),
    )
    assert causes(check_texts(CODE, one, TEXTS)) == ["lone surrogates: count"]


def test_surrogates_refused_everywhere_are_not_told(check_texts, byte_tokenizer):
    one = byte_tokenizer()
    one.encode = refusing(one.encode)
    one.encode_batch = lambda texts: list(map(one.encode, texts))
    assert check_texts(CODE, one, TEXTS) == []


def test_surrogate_pairs_are_joined_at_every_entry_point(check_texts, library):
    one = library(encode=lambda one: lambda text: one.plain(scalar_text(text)))
    assert check_texts(CODE, one, ["\ud83d\ude00", "\ud83d"]) == []


@pytest.mark.parametrize("name", ["count", "encode_with_offsets"])
def test_special_text_may_be_refused_by_what_is_made_of_encode(check_texts, library, name):
    of_ids = {"count": len, "encode_with_offsets": lambda ids: (ids, [])}[name]
    one = library(**{name: lambda one: lambda text: of_ids(one.encode(text))})
    assert check_texts(CODE, one, ["<|end|>"]) == []


@pytest.mark.parametrize("nothing", [None, 7])
def test_an_encode_special_that_gives_no_list_is_a_bug(check_texts, library, nothing):
    found = check_texts(CODE, library(encode_special=lambda _: lambda _text: nothing), ["a"])
    assert set(causes(found)) == {"entry points: encode_special", "special token: encode_special"}


def test_an_encode_that_gives_no_list_for_special_text_is_no_error_of_ours(check_texts, library):
    def make(one):
        return lambda text: None if "<|end|>" in text else one.plain(text)

    def encode_batch(plain, texts):
        return [[300] if "<|end|>" in text else plain(text) for text in texts]

    one = library(encode=make, encode_batch=several(encode_batch))
    assert causes(check_texts(CODE, one, ["a<|end|>"])) == ["entry points: encode_batch"]


@pytest.mark.parametrize(
    "make",
    [
        lambda one: lambda text: zip(*[(i, (0, 0)) for i in one.plain(text)], strict=True),
        lambda one: lambda text: (iter(part) for part in (one.plain(text), [])),
    ],
)
def test_offsets_that_can_be_read_only_once_are_not_accused(check_texts, library, make):
    assert check_texts(CODE, library(encode_with_offsets=make), TEXTS) == []

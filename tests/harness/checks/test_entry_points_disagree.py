"""TOK110: what one library gives at its several entry points."""

import pytest

from tokharness.subject import scalar_text

CODE = "TOK110"
TEXTS = ("a", "word", " two", "\u4e2d", "", "x\u200by", "a\ud800b")
SPECIAL = {"<|end|>": 300}


@pytest.fixture
def target(byte_tokenizer):
    """Make a byte tokenizer with every entry point; some are replaced."""

    def make(**replaced):
        one = byte_tokenizer(special_tokens=SPECIAL)
        plain, decode = one.encode, one.decode

        def special(text):
            parts = text.split("<|end|>")
            return [i for part in parts for i in (300, *plain(part))][1:]

        def encode(text):
            if "<|end|>" in text:
                raise ValueError(text)
            return plain(text)

        one.plain = plain
        one.encode_ordinary, one.encode = plain, encode
        one.encode_special = special
        one.encode_batch = lambda texts: [plain(text) for text in texts]
        one.encode_bytes = list
        one.encode_with_offsets = lambda text: (plain(text), [])
        one.count = lambda text: len(plain(text))
        one.decode_bytes = bytes
        one.decode = lambda ids: decode([i for i in ids if i < 256])
        vars(one).update({name: make(one) for name, make in replaced.items()})
        return one

    return make


def stripping(encode):
    return lambda text: encode(text.strip())


def causes(found):
    return [str(one.cause) for one in found]


def test_entry_points_that_agree_are_not_accused(check_texts, target):
    assert check_texts(CODE, target(), [*TEXTS, "a<|end|>b", "<|end|>"]) == []


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
def test_each_entry_point_that_differs_is_one_bug(check_texts, target, name, make):
    found = check_texts(CODE, target(**{name: make}), ["a", " a", "\u4e2d", "words"])
    assert f"entry points: {name}" in causes(found.bugs)
    assert {one.cause.kind for one in found} <= {"entry points", "text around a special token"}


def test_the_smallest_text_is_found(check_texts, target):
    dropping = target(count=lambda one: lambda text: len(one.plain(text.replace("\u200b", ""))))
    (bug,) = check_texts(CODE, dropping, ["word", "some\u200bword"])
    assert (str(bug.cause), bug.text) == ("entry points: count", "\u200b")


def test_an_entry_point_that_raises_differs(check_texts, target):
    raising = target(encode_bytes=lambda _: lambda data: data.decode("ascii") and list(data))
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
def test_a_batch_that_differs_is_one_bug(check_texts, target, encode_batch):
    found = check_texts(CODE, target(encode_batch=several(encode_batch)), ["a", "abc"])
    assert causes(found) == ["entry points: encode_batch"]


def test_a_batch_is_not_asked_about_special_text(check_texts, target):
    def encode_batch(plain, texts):
        if any("<|end|>" in text for text in texts):
            raise ValueError
        return [plain(text) for text in texts]

    one = target(encode_batch=several(encode_batch))
    assert check_texts(CODE, one, ["a<|end|>", "b"]) == []


def refusing(plain):
    def encode(text):
        text.encode()
        return plain(text)

    return encode


@pytest.mark.parametrize("name", ["encode", "encode_special"])
def test_a_surrogate_that_only_one_entry_point_refuses_is_a_bug(check_texts, target, name):
    one = target(**{name: lambda one: refusing(getattr(one, name))})
    found = check_texts(CODE, one, TEXTS)
    assert causes(found.bugs) == [f"lone surrogates: {name}"]


def test_a_surrogate_that_all_but_one_refuse_is_a_bug(check_texts, target):
    def refuse(one):
        return refusing(one.plain)

    one = target(
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


@pytest.mark.parametrize(
    ("change", "cause", "verdict"),
    [
        (lambda text: text.replace(" <|end|>", "<|end|>"), "lost", "bug"),
        (lambda text: text.replace("<|end|>b", "<|end|>"), "lost", "bug"),
        (lambda text: text.replace("<|end|>", ""), "encode_special", "bug"),
    ],
)
def test_text_around_a_special_token_has_to_stay(check_texts, target, change, cause, verdict):
    def make(one):
        special = target().encode_special
        return lambda text: special(change(text))

    (found,) = check_texts(CODE, target(encode_special=make))
    assert (dict(found.cause.parameters).popitem()[1], found.verdict) == (cause, verdict)


def test_text_around_a_special_token_that_is_split_otherwise_is_a_risk(check_texts, target):
    def make(one):
        special = target().encode_special
        return lambda text: [
            part
            for number in special(text)
            for part in ([400, 401] if number == ord("b") and 300 in special(text) else [number])
        ]

    one = target(encode_special=make)
    decode = one.decode
    one.decode = lambda ids: decode([98 if i == 400 else i for i in ids])
    (risk,) = check_texts(CODE, one)
    assert (risk.verdict, str(risk.cause)) == (
        "risk",
        "text around a special token: split otherwise",
    )


def test_ids_that_every_text_gets_are_taken_once_around_a_special_token(check_texts, target):
    def framed(encode):
        return lambda text: [1, *encode(text), 2]

    one = target()
    one.encode_ordinary, one.encode = framed(one.encode_ordinary), framed(one.encode)
    one.encode_special = framed(one.encode_special)
    for name in ("encode_batch", "encode_bytes", "encode_with_offsets", "count", "decode_bytes"):
        delattr(one, name)
    assert check_texts(CODE, one) == []


def test_surrogate_pairs_are_joined_at_every_entry_point(check_texts, target):
    one = target(encode=lambda one: lambda text: one.plain(scalar_text(text)))
    assert check_texts(CODE, one, ["\ud83d\ude00", "\ud83d"]) == []


BOS = 301


def adding(encode):
    return lambda text: [BOS, *encode(text)]


@pytest.fixture
def adding_target(target):
    """Make a target whose ``encode_ordinary`` is raw, and whose other entry points add a BOS."""

    def make(**replaced):
        entry_points = {
            "encode": lambda one: adding(one.plain),
            "encode_special": lambda one: adding(one.encode_special),
            "encode_batch": several(lambda plain, texts: [adding(plain)(text) for text in texts]),
            "encode_bytes": lambda _: adding(list),
            "encode_with_offsets": lambda one: lambda text: (adding(one.plain)(text), []),
            "count": lambda one: lambda text: 1 + len(one.plain(text)),
        }
        return target(**{**entry_points, **replaced})

    return make


def test_ids_that_entry_points_add_to_every_text_are_one_fact(check_texts, adding_target):
    (fact,) = check_texts(CODE, adding_target(), TEXTS)
    names = "encode, encode_special, encode_with_offsets, encode_bytes, count, encode_batch"
    assert fact.verdict == "by design"
    assert str(fact.cause) == f"entry point adds ids: {names}, 301 before"


def test_an_entry_point_that_adds_nothing_beside_one_that_does_is_a_fact(check_texts, target):
    one = target(encode_ordinary=lambda one: adding(one.plain))
    for name in ("encode_batch", "encode_bytes", "encode_with_offsets", "count", "decode_bytes"):
        delattr(one, name)
    (fact,) = check_texts(CODE, one, TEXTS)
    assert (fact.verdict, str(fact.cause)) == (
        "by design",
        "entry point adds ids: encode, encode_special, none",
    )


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("encode", lambda one: stripping(adding(one.plain))),
        ("encode", lambda one: lambda text: adding(one.plain)(text)[text.startswith(" ") :]),
        ("encode_bytes", lambda _: lambda data: [BOS, *data.strip()]),
        ("count", lambda one: lambda text: 1 + len(one.plain(text.strip()))),
        ("count", lambda one: lambda text: 2 + len(one.plain(text))),
        ("encode_batch", several(lambda plain, texts: [[BOS, *plain(t.strip())] for t in texts])),
    ],
)
def test_added_ids_hide_no_entry_point_that_differs(check_texts, adding_target, name, make):
    found = check_texts(CODE, adding_target(**{name: make}), TEXTS)
    assert causes(found.bugs) == [f"entry points: {name}"]


def test_text_lost_around_a_special_token_is_a_bug_despite_added_ids(check_texts, adding_target):
    def make(one):
        special = one.encode_special
        return lambda text: [BOS, *special(text.replace(" <|end|>", "<|end|>"))]

    found = check_texts(CODE, adding_target(encode_special=make))
    assert causes(found.bugs) == ["text around a special token: lost"]


@pytest.mark.parametrize("name", ["count", "encode_with_offsets"])
def test_special_text_may_be_refused_by_what_is_made_of_encode(check_texts, target, name):
    of_ids = {"count": len, "encode_with_offsets": lambda ids: (ids, [])}[name]
    one = target(**{name: lambda one: lambda text: of_ids(one.encode(text))})
    assert check_texts(CODE, one, ["<|end|>"]) == []


@pytest.mark.parametrize("nothing", [None, 7])
def test_an_encode_special_that_gives_no_list_is_a_bug(check_texts, target, nothing):
    found = check_texts(CODE, target(encode_special=lambda _: lambda _text: nothing), ["a"])
    assert set(causes(found)) == {"entry points: encode_special", "special token: encode_special"}


def test_an_encode_that_gives_no_list_for_special_text_is_no_error_of_ours(check_texts, target):
    def make(one):
        return lambda text: None if "<|end|>" in text else one.plain(text)

    def encode_batch(plain, texts):
        return [[300] if "<|end|>" in text else plain(text) for text in texts]

    one = target(encode=make, encode_batch=several(encode_batch))
    assert causes(check_texts(CODE, one, ["a<|end|>"])) == ["entry points: encode_batch"]


@pytest.mark.parametrize(
    "make",
    [
        lambda one: lambda text: zip(*[(i, (0, 0)) for i in one.plain(text)], strict=True),
        lambda one: lambda text: (iter(part) for part in (one.plain(text), [])),
    ],
)
def test_offsets_that_can_be_read_only_once_are_not_accused(check_texts, target, make):
    assert check_texts(CODE, target(encode_with_offsets=make), TEXTS) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("<|end|>\n<|end|>", "<|end|><|end|>"),
        lambda text: text.replace("<|end|>user\n", "<|end|>user"),
        lambda text: text.replace("<|end|><|end|>", "<|end|>"),
    ],
)
def test_text_between_the_turns_of_a_conversation_has_to_stay(check_texts, target, change):
    def make(one):
        special = one.encode_special
        return lambda text: special(change(text))

    (bug,) = check_texts(CODE, target(encode_special=make))
    assert str(bug.cause) == "text around a special token: lost"
    assert bug.text.count("<|end|>") > 1


def test_neighbours_that_make_a_third_special_token_are_not_asked_about(check_texts, target):
    one = target()
    one.special_tokens = {"<|": 400, "|>": 401, "<||>": 402}

    def encode_special(text):
        for token, number in (("<||>", 402), ("<|", 400), ("|>", 401)):
            before, found, after = text.partition(token)
            if found:
                return [*encode_special(before), number, *encode_special(after)]
        return one.plain(text)

    one.encode_special = encode_special
    assert check_texts(CODE, one) == []

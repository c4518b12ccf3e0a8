"""TOK110: entry points of one library that give different ids."""

from types import SimpleNamespace

import pytest

from tokharness.targets.subject import scalar_text
from tokharness.unicode.normalization import normalize

CODE = "TOK110"
TEXTS = ("a", "word", " two", "\u4e2d", "", "x\u200by", "a\ud800b")


def stripping(encode):
    return lambda text: encode(text.strip())


def causes(findings):
    return [str(finding.cause) for finding in findings]


def test_entry_points_that_agree_pass(check_texts, library):
    assert check_texts(CODE, library(), [*TEXTS, "a<|end|>b", "<|end|>"]) == []


def test_a_target_with_two_methods_passes(check_texts, byte_tokenizer):
    assert check_texts(CODE, byte_tokenizer(), TEXTS) == []


def test_a_normalizing_target_that_agrees_passes(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer(str.lower, normalizer="lowercase")
    tokenizer.decode_bytes, tokenizer.count = bytes, lambda text: len(tokenizer.encode(text))
    assert check_texts(CODE, tokenizer, ["A", "Word"]) == []


def test_decode_bytes_is_not_checked_if_decode_is_wrong(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer(str.lower)
    tokenizer.decode_bytes = bytes
    assert check_texts(CODE, tokenizer, ["A"]) == []


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("encode", lambda tokenizer: lambda text: tokenizer.plain(text.strip())),
        ("encode_special", lambda tokenizer: stripping(tokenizer.encode_special)),
        ("encode_bytes", lambda _: lambda data: list(data.strip())),
        ("encode_with_offsets", lambda tokenizer: lambda text: (tokenizer.plain(text)[:4], [])),
        ("count", lambda _: len),
        ("decode_bytes", lambda _: lambda ids: bytes(ids).strip()),
    ],
)
def test_each_entry_point_that_differs_is_one_bug(check_texts, library, name, make):
    findings = check_texts(CODE, library(**{name: make}), ["a", " a", "\u4e2d", "words"])
    assert f"entry points: {name}" in causes(findings.bugs)
    assert {finding.cause.kind for finding in findings} <= {
        "entry points",
        "text around a special token",
    }


def test_the_smallest_text_is_found(check_texts, library):
    dropping = library(
        count=lambda tokenizer: lambda text: len(tokenizer.plain(text.replace("\u200b", "")))
    )
    (bug,) = check_texts(CODE, dropping, ["word", "some\u200bword"])
    assert (str(bug.cause), bug.text) == ("entry points: count", "\u200b")


def test_an_entry_point_that_raises_differs(check_texts, library):
    raising = library(encode_bytes=lambda _: lambda data: data.decode("ascii") and list(data))
    (bug,) = check_texts(CODE, raising)
    assert str(bug.cause) == "entry points: encode_bytes"
    assert "encode_bytes raises UnicodeDecodeError" in bug.cause.message


def refuse(ids):
    raise OverflowError(str(ids))


def test_decode_bytes_that_raises_is_not_said_to_give_bytes(check_texts, library):
    (bug,) = check_texts(CODE, library(decode_bytes=lambda _: refuse), ["a", "words"])
    assert str(bug.cause) == "entry points: decode_bytes"
    assert bug.cause.message == "decode_bytes raises OverflowError"


def several(encode_batch):
    return lambda tokenizer: lambda texts: encode_batch(tokenizer.plain, texts)


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
        lambda plain, texts: ([n for text in texts for n in plain(text)], list(map(len, texts))),
    ],
)
def test_a_batch_that_differs_is_one_bug(check_texts, library, encode_batch):
    findings = check_texts(CODE, library(encode_batch=several(encode_batch)), ["a", "abc"])
    assert causes(findings) == ["entry points: encode_batch"]


def test_a_batch_may_refuse_special_text(check_texts, library):
    def encode_batch(plain, texts):
        if any("<|end|>" in text for text in texts):
            raise ValueError
        return [plain(text) for text in texts]

    tokenizer = library(encode_batch=several(encode_batch))
    assert check_texts(CODE, tokenizer, ["a<|end|>", "b"]) == []


def refusing(plain):
    def encode(text):
        text.encode()
        return plain(text)

    return encode


@pytest.mark.parametrize("name", ["encode", "encode_special"])
def test_a_surrogate_that_only_one_entry_point_refuses_is_a_bug(check_texts, library, name):
    tokenizer = library(**{name: lambda tokenizer: refusing(getattr(tokenizer, name))})
    findings = check_texts(CODE, tokenizer, TEXTS)
    assert causes(findings.bugs) == [f"lone surrogates: {name}"]


def test_a_surrogate_that_all_but_one_refuse_is_a_bug(check_texts, library):
    def refuse(tokenizer):
        return refusing(tokenizer.plain)

    tokenizer = library(
        encode_ordinary=refuse,
        encode=refuse,
        encode_special=lambda tokenizer: refusing(tokenizer.encode_special),
        encode_with_offsets=lambda tokenizer: lambda text: (refusing(tokenizer.plain)(text), []),
        encode_batch=lambda tokenizer: lambda texts: list(map(refusing(tokenizer.plain), texts)),
    )
    assert causes(check_texts(CODE, tokenizer, TEXTS)) == ["lone surrogates: count"]


def test_surrogates_refused_everywhere_pass(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer()
    tokenizer.encode = refusing(tokenizer.encode)
    tokenizer.encode_batch = lambda texts: list(map(tokenizer.encode, texts))
    assert check_texts(CODE, tokenizer, TEXTS) == []


def test_surrogate_pairs_are_joined_at_every_entry_point(check_texts, library):
    tokenizer = library(encode=lambda tokenizer: lambda text: tokenizer.plain(scalar_text(text)))
    assert check_texts(CODE, tokenizer, ["\ud83d\ude00", "\ud83d"]) == []


@pytest.mark.parametrize("name", ["count", "encode_with_offsets"])
def test_entry_points_built_on_encode_may_refuse_special_text(check_texts, library, name):
    of_ids = {"count": len, "encode_with_offsets": lambda ids: (ids, [])}[name]
    tokenizer = library(**{name: lambda tokenizer: lambda text: of_ids(tokenizer.encode(text))})
    assert check_texts(CODE, tokenizer, ["<|end|>"]) == []


@pytest.mark.parametrize("nothing", [None, 7])
def test_an_encode_special_that_returns_no_list_is_a_bug(check_texts, library, nothing):
    findings = check_texts(CODE, library(encode_special=lambda _: lambda _text: nothing), ["a"])
    assert set(causes(findings)) == {
        "entry points: encode_special",
        "special token: encode_special",
    }


def test_an_encode_that_returns_no_list_for_special_text_is_no_internal_error(check_texts, library):
    def make(tokenizer):
        return lambda text: None if "<|end|>" in text else tokenizer.plain(text)

    def encode_batch(plain, texts):
        return [[300] if "<|end|>" in text else plain(text) for text in texts]

    tokenizer = library(encode=make, encode_batch=several(encode_batch))
    assert causes(check_texts(CODE, tokenizer, ["a<|end|>"])) == ["entry points: encode_batch"]


@pytest.mark.parametrize(
    "make",
    [
        lambda tokenizer: (
            lambda text: zip(*[(i, (0, 0)) for i in tokenizer.plain(text)], strict=True)
        ),
        lambda tokenizer: lambda text: (iter(part) for part in (tokenizer.plain(text), [])),
    ],
)
def test_offsets_that_can_be_read_only_once_pass(check_texts, library, make):
    assert check_texts(CODE, library(encode_with_offsets=make), TEXTS) == []


def with_variants(encode=None, decode=None):
    """Give a library two further entry points, one to encode and one to decode."""

    def row(name, call, item):
        try:
            return [(name, call(item), "")]
        except Exception as error:
            return [(name, None, repr(error))]

    return {
        "encode_variants": lambda tokenizer: (
            lambda texts: [row("to_array", encode or tokenizer.plain, text) for text in texts]
        ),
        "decode_variants": lambda tokenizer: (
            lambda rows: [row("join", decode or tokenizer.decode, ids) for ids in rows]
        ),
    }


def test_further_entry_points_that_agree_pass(check_texts, library):
    tokenizer = library(**with_variants(decode=lambda ids: bytes(i for i in ids if i < 256)))
    assert check_texts(CODE, tokenizer, [*TEXTS, "a<|end|>b"]) == []


@pytest.mark.parametrize(
    ("variants", "name"),
    [
        (with_variants(encode=lambda text: [*text.strip().encode()]), "to_array"),
        (with_variants(decode=lambda ids: bytes(ids).strip()), "join"),
        (with_variants(encode=lambda text: 1 // ("z" not in text)), "to_array"),
    ],
)
def test_a_further_entry_point_that_differs_is_one_bug(check_texts, library, variants, name):
    findings = check_texts(CODE, library(**variants), ["a", " a", "z"])
    assert causes(findings.bugs) == [f"entry points: {name}"]


def test_chunks_of_normalized_text_that_lose_its_end_are_found_without_texts(check_texts, library):
    def encode(text):
        chunks = -(-len(text) // 64)  # as many as the text has, of a longer normalized text
        kept = len(text) if chunks < 2 else 512 * chunks
        return [*text.encode()] if len(normalize("NFKC", text)) <= kept else [1]

    findings = check_texts(CODE, library(**with_variants(encode=encode)))
    assert causes(findings.bugs) == ["entry points: to_array"]


def test_a_further_entry_point_that_reads_special_tokens_ignores_the_setting(check_texts, library):
    setting = {"plain_setting": lambda _: "split_special_tokens=True"}
    special = library().encode_special
    variants = with_variants(encode=special, decode=library().decode)
    (bug,) = check_texts(CODE, library(**variants, **setting), ["<|end|>"]).bugs
    assert str(bug.cause) == "entry points: to_array"
    assert "to_array ignores split_special_tokens=True: it reads" in bug.message


@pytest.mark.parametrize(
    ("known", "wanted"),
    [
        ("a", "risk unknown text as a special token: EncodeAsPieces"),
        ("a<PAD>", "bug entry points: EncodeAsPieces"),
    ],
)
def test_a_piece_of_unknown_text_that_has_the_id_of_a_special_token_is_a_risk(
    check_texts, known, wanted
):
    unknown, pad = 1, 0

    def ids_of(text):
        return [2 + known.index(char) if char in known else unknown for char in text]

    def encode(text):
        ids = ids_of(text)
        return [one for at, one in enumerate(ids) if one != unknown or ids[at - 1 : at] != [one]]

    def variants(texts):
        return [[("EncodeAsPieces", [pad] if one == "<PAD>" else encode(one), "")] for one in texts]

    library = SimpleNamespace(
        encode=encode,
        decode=lambda ids: "".join(("<PAD>", "\u2047", *known)[number] for number in ids),
        encode_variants=variants,
        special_tokens={"<PAD>": pad, "<unk>": unknown},
        unknown_id=unknown,
    )
    found = check_texts(CODE, library, ["<PAD>"])
    assert [f"{row.verdict.value} {row.cause}" for row in found] == [wanted]
    assert not check_texts(CODE, library, ["<a>"])
    library.encode_variants = lambda texts: [[("EncodeAsPieces", [pad], "")] for _ in texts]
    assert [row.verdict for row in check_texts(CODE, library, ["<"])] == ["bug"]


def test_a_further_entry_point_that_drops_a_row_is_a_bug(check_texts, library):
    drops = {"encode_variants": lambda _: lambda texts: [[("a", [], "")] for _ in texts[1:]]}
    findings = check_texts(CODE, library(**drops), ["a"])
    assert causes(findings.bugs) == ["entry points: encode_variants"]


def test_a_further_entry_point_may_refuse_surrogates_with_a_risk(check_texts, library):
    def refuse(text):
        return [*text.encode()]

    findings = check_texts(CODE, library(**with_variants(encode=refuse)), TEXTS)
    assert causes(findings) == ["lone surrogates: to_array"]
    assert findings.bugs == []


def test_a_text_that_no_batch_encodes_right_is_the_text_of_the_finding(check_texts, byte_tokenizer):
    target = byte_tokenizer()
    plain = target.encode
    target.encode_batch = lambda texts: [plain(text) if text else [32] for text in texts]
    findings = check_texts(CODE, target, ("\u00e9<n>", "ab", "a"))
    (bug,) = [one for one in findings.bugs if one.cause.kind == "entry points"]
    assert (bug.text, bug.evidence["given"]) == ("", [32])

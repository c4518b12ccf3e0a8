"""Each answer about a random small vocabulary agrees with the ids of all short texts."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness_tokenizers.reference import tokenizer_json
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.byte_characters import CHARACTER_OF
from tokharness_tokenizers.reference.longest_match import LongestMatch
from tokharness_tokenizers.reference.models.byte_trie import ByteTrie
from tokharness_tokenizers.reference.sentencepiece import reading
from tokharness_tokenizers.reference.sentencepiece.model_file import (
    ModelFile,
    ModelKind,
    NormalizerSpec,
    Piece,
    PieceKind,
    TrainerSpec,
)
from tokharness_tokenizers.reference.subword_nmt import SubwordNMT
from tokharness_tokenizers.reference.subword_nmt.codes import END, Codes, vocabulary_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MARK = "\u2581"
FEW = settings(max_examples=10, deadline=None)
BYTES = [bytes([byte]) for byte in range(256)]


def assert_agrees(
    tokenizer: Any, encode: Callable[[str], list[int]], numbers: Iterable[int], alphabet: str
) -> None:
    """Check the answer for each id against all texts of some characters, up to four of them."""
    produced: set[int] = set()
    for size in range(5):
        for chars in product(alphabet, repeat=size):
            produced.update(ids_of(encode, "".join(chars)))
    numbers = list(numbers)
    for number, (text, reason) in zip(numbers, tokenizer.reach(numbers), strict=True):
        assert not (reason and number in produced), (number, reason)
        assert not (text and number not in encode(text)), (number, text)
        assert not (text and reason)


def ids_of(encode: Callable[[str], list[int]], text: str) -> list[int]:
    try:
        return encode(text)
    except KeyError:
        return []


def few(parts: list[Any], size: int = 8) -> st.SearchStrategy[list[Any]]:
    return st.lists(st.sampled_from(parts), min_size=1, max_size=size, unique=True)


def words(alphabet: str, longest: int = 4) -> list[str]:
    sizes = range(1, longest + 1)
    return ["".join(chars) for size in sizes for chars in product(alphabet, repeat=size)]


PATTERNS = [r" ?\p{L}+|\s+|.", r"\p{L}{1,2}|.|\n", r"\s?a+|[^a]", "a(?=a)|[^a]+|a"]
SMALL = [b"a", b" ", b"\xc3", b"\xa9", b"\xaa"]


@pytest.mark.slow
@FEW
@given(few(["".join(p) for p in words("01234", 3)], 10), st.sampled_from(PATTERNS))
def test_byte_level_bpe(chosen: list[str], pattern: str) -> None:
    tokens = [b"".join(SMALL[int(digit)] for digit in one) for one in chosen]
    ranks = {token: rank for rank, token in enumerate(dict.fromkeys([*BYTES, *tokens]))}
    tokenizer = ByteBPE("small", pattern, ranks)
    assert_agrees(tokenizer, tokenizer.encode_ordinary, ranks.values(), "a \u00e9\u00ea")


@FEW
@given(few(words("01234", 3), 10), st.sets(st.sampled_from(SMALL), max_size=2))
def test_longest_match(chosen: list[str], missing: set[bytes]) -> None:
    tokens = [b"".join(SMALL[int(digit)] for digit in one) for one in chosen]
    every = dict.fromkeys([*(byte for byte in BYTES if byte not in missing), *tokens])
    ids = {token: number for number, token in enumerate(every)}
    tokenizer = LongestMatch("small", ByteTrie(ids), other_ids={len(ids): tokens[0]})
    assert_agrees(tokenizer, tokenizer.encode, [*ids.values(), len(ids)], "a \u00e9\u00ea")


NORMALIZERS: list[Any] = [
    None,
    {"type": "Lowercase"},
    {"type": "NFC"},
    {"type": "NFKD"},
    {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True}
    | {"strip_accents": None, "lowercase": True},
    {"type": "Replace", "pattern": {"String": "a"}, "content": "b"},
    {"type": "Sequence", "normalizers": [{"type": "Lowercase"}, {"type": "NFC"}]},
    {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]},
    {"type": "Prepend", "prepend": "b"},
]


def metaspace(scheme: str, *, split: bool) -> dict[str, Any]:
    return {"type": "Metaspace", "replacement": MARK, "prepend_scheme": scheme, "split": split}


PRE_TOKENIZERS: list[Any] = [
    None,
    {"type": "BertPreTokenizer"},
    {"type": "Whitespace"},
    {"type": "WhitespaceSplit"},
    {"type": "Punctuation", "behavior": "MergedWithNext"},
    {"type": "Punctuation", "behavior": "MergedWithPrevious"},
    {"type": "UnicodeScripts"},
    {"type": "FixedLength", "length": 2},
    {"type": "Digits", "individual_digits": True},
    metaspace("always", split=True),
    metaspace("first", split=True),
    metaspace("never", split=False),
    {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}]},
]
PRE_TOKENIZERS[-1]["pretokenizers"].append(metaspace("always", split=True))
ADDED = st.sampled_from([[], ["ab"], ["b"], ["ab", "bb"]])


def check_pipeline(model: dict[str, Any], stages: tuple[Any, Any], added: list[str]) -> None:
    size = len(model["vocab"])
    tokens = [
        {"id": size + at, "content": text, "single_word": at == 1, "normalized": bool(at)}
        for at, text in enumerate(added)
    ]
    record = {"model": model, "normalizer": stages[0], "pre_tokenizer": stages[1]}
    tokenizer = tokenizer_json.read(record | {"added_tokens": tokens}, "small")
    ids = [number for number in range(size) if number in tokenizer.texts]
    assert_agrees(tokenizer, tokenizer.encode_ordinary, ids, "aB b\u00e9\u4e2d!1")


STAGES = st.tuples(st.sampled_from(NORMALIZERS), st.sampled_from(PRE_TOKENIZERS))
TEXTS = words("aB\u00e9\u4e2d! 1", 2) + words("ab" + MARK, 3)


@pytest.mark.slow
@FEW
@given(
    few([*TEXTS, *(f"##{text}" for text in TEXTS)], 16),
    STAGES,
    ADDED,
    st.sampled_from(["##", "a"]),
    st.integers(2, 5),
)
def test_wordpiece(
    tokens: list[str], stages: tuple[Any, Any], added: list[str], prefix: str, longest: int
) -> None:
    vocabulary = {token: number for number, token in enumerate(dict.fromkeys(["[UNK]", *tokens]))}
    model: dict[str, Any] = {"type": "WordPiece", "vocab": vocabulary, "unk_token": "[UNK]"}
    model |= {"continuing_subword_prefix": prefix, "max_input_chars_per_word": longest}
    check_pipeline(model, stages, added)


@pytest.mark.slow
@FEW
@given(few(TEXTS, 16), STAGES, ADDED)
def test_word_level(tokens: list[str], stages: tuple[Any, Any], added: list[str]) -> None:
    vocabulary = {token: number for number, token in enumerate(dict.fromkeys(["?", *tokens]))}
    check_pipeline({"type": "WordLevel", "vocab": vocabulary, "unk_token": "?"}, stages, added)


BYTE_NAMES = [f"<0x{byte:02X}>" for byte in "a\u00e9!".encode()]


@pytest.mark.slow
@FEW
@given(
    few([*TEXTS, *BYTE_NAMES, *"aBb! "], 16),
    st.lists(st.sampled_from([-1.0, -2.0, -3.0, -4.5, -0.25, -9.0, 2.0]), min_size=20, max_size=20),
    STAGES,
    ADDED,
    st.booleans(),
)
def test_unigram(
    tokens: list[str], scores: list[float], stages: tuple[Any, Any], added: list[str], falls: bool
) -> None:
    pieces = [[token, score] for token, score in zip(["<unk>", *tokens], scores, strict=False)]
    model = {"type": "Unigram", "vocab": pieces, "unk_id": 0, "byte_fallback": falls}
    check_pipeline(model, stages, added)


@st.composite
def bpe_models(draw: st.DrawFn, alphabet: str) -> dict[str, Any]:
    suffix, prefix = draw(st.sampled_from([("", ""), ("</w>", ""), ("", "##"), ("b", "")]))
    known = draw(few([*alphabet], 6))
    befores, afters = {"", prefix}, {"", suffix}
    tokens = sorted(one + char + end for char in known for one in befores for end in afters)
    merges = []
    for _ in range(draw(st.integers(1, 8))):
        left, right = draw(st.sampled_from(tokens)), draw(st.sampled_from(tokens))
        made = left + right.removeprefix(prefix)
        if (suffix and left.endswith(suffix)) or (prefix and not right.startswith(prefix)):
            continue
        merges.append([left, right])
        tokens = [*tokens, *([] if made in tokens else [made])]
    extra = draw(few([*BYTE_NAMES, "abab", "aa", "?"], 4))
    vocabulary = {one: number for number, one in enumerate(dict.fromkeys([*tokens, *extra]))}
    return {
        "type": "BPE",
        "vocab": vocabulary,
        "merges": draw(st.permutations(merges)),
        "unk_token": draw(st.sampled_from(["?", None])) if "?" in vocabulary else None,
        "continuing_subword_prefix": prefix,
        "end_of_word_suffix": suffix,
        "byte_fallback": draw(st.booleans()),
        "ignore_merges": draw(st.booleans()),
        "fuse_unk": draw(st.booleans()),
    }


@pytest.mark.slow
@FEW
@given(bpe_models("aBb!\u00e9 \u4e2d" + MARK), STAGES, ADDED)
def test_bpe_over_characters(
    model: dict[str, Any], stages: tuple[Any, Any], added: list[str]
) -> None:
    check_pipeline(model, stages, added)


AS_BYTES = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}


def cut_as_bytes(pattern: str, behavior: str, *, invert: bool = False) -> dict[str, Any]:
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior}
    return {"type": "Sequence", "pretokenizers": [split | {"invert": invert}, AS_BYTES]}


BYTE_STAGES = st.tuples(
    st.sampled_from(NORMALIZERS),
    st.sampled_from(
        [
            AS_BYTES,
            AS_BYTES | {"use_regex": False},
            cut_as_bytes(r"\p{L}{1,2}|\p{N}", "Removed", invert=True),
            cut_as_bytes(r"b", "Isolated"),
            cut_as_bytes(r"\s", "MergedWithNext"),
        ]
    ),
)


@pytest.mark.slow
@FEW
@given(bpe_models("ab1\u0120\xc3\xa9\xa8"), BYTE_STAGES, ADDED)
def test_bpe_over_bytes_with_marks_of_words(
    model: dict[str, Any], stages: tuple[Any, Any], added: list[str]
) -> None:
    check_pipeline(model, stages, added)


@pytest.mark.slow
@pytest.mark.nightly
@FEW
@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=8),
    BYTE_STAGES,
    ADDED,
    st.booleans(),
)
def test_bpe_over_all_bytes(
    chosen: list[tuple[int, int]], stages: tuple[Any, Any], added: list[str], takes: bool
) -> None:
    tokens, merges = [*"ab\u0120\xc3\xa9\xa8"], []
    for left, right in chosen:
        merges.append([tokens[left % len(tokens)], tokens[right % len(tokens)]])
        tokens.append("".join(merges[-1]))
    every = dict.fromkeys([*CHARACTER_OF, *tokens, "bbab"])
    vocabulary = {token: number for number, token in enumerate(every)}
    model = {"type": "BPE", "vocab": vocabulary, "merges": merges, "ignore_merges": takes}
    check_pipeline(model, stages, added)


@st.composite
def piece_models(draw: st.DrawFn) -> ModelFile:
    falls = draw(st.booleans())
    kinds = [*[PieceKind.NORMAL] * 6, PieceKind.USER_DEFINED, PieceKind.UNUSED]
    texts = draw(few([*words("ab" + MARK, 3), *"aab", MARK], 14))
    scores = st.sampled_from([-1.0, -2.0, -3.0, -4.5, -0.25, -9.0])
    pieces = [Piece("<unk>", 0.0, PieceKind.UNKNOWN), Piece("<s>", 0.0, PieceKind.CONTROL)]
    pieces += [Piece(text, draw(scores), draw(st.sampled_from(kinds))) for text in texts]
    if falls:
        pieces += [Piece(f"<0x{byte:02X}>", 0.0, PieceKind.BYTE) for byte in range(256)]
    trainer = TrainerSpec(
        draw(st.sampled_from(ModelKind)),
        treat_whitespace_as_suffix=draw(st.booleans()),
        byte_fallback=falls,
    )
    normalizer = NormalizerSpec(
        add_dummy_prefix=draw(st.booleans()),
        remove_extra_whitespaces=draw(st.booleans()),
        escape_whitespaces=draw(st.booleans()),
    )
    return ModelFile(tuple(pieces), trainer, normalizer)


@pytest.mark.slow
@FEW
@given(piece_models())
def test_sentencepiece(model: ModelFile) -> None:
    tokenizer = reading.read(model, "small")
    assert_agrees(tokenizer, tokenizer.encode, range(len(model.pieces)), f"ab c\u00e9{MARK}")


@FEW
@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=8),
    st.sampled_from(["0.1", "0.2"]),
    st.sampled_from(["", "x@@ab@@"]),
)
def test_subword_nmt(chosen: list[tuple[int, int]], version: str, more: str) -> None:
    symbols, merges = ["a", "b", f"a{END}", f"b{END}", END, "@"], []
    for left, right in chosen:
        pair = symbols[left % len(symbols)], symbols[right % len(symbols)]
        if not pair[0].endswith(END):
            merges.append(pair)
            symbols.append("".join(pair))
    if not merges:
        return
    codes = Codes(tuple(merges), version)
    subwords = (*vocabulary_of(codes), "ab@@", "ba", "@@", more or "abb", "ab@@")
    tokenizer = SubwordNMT("small", codes, subwords)
    assert_agrees(tokenizer, tokenizer.encode, range(len(subwords)), "ab @x")

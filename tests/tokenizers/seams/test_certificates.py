"""No text contradicts a certificate: all short texts of revealing characters, and random cuts."""

import json
import os
import random
from itertools import chain, product
from pathlib import Path

import pytest

from tokharness.diagnosis.ids.distant_text import Cuts
from tokharness_tokenizers.adapters import reference_target
from tokharness_tokenizers.reference import tokenizer_json

ALPHABETS = (
    "a1 \n'\u0301",
    "aA'l.\u4e2d",
    "\uac00\u1161\u11a8 .\r",
    "e\u0338<\u0338\u200d\u00a0",
    "\ufb01\u2581\u0130\u00bd\u3000a",
)
FRAGMENTS = (
    *"aestlrvdmLARE19 '.-/|<>_\n\r\t",
    *"\u00a0\u0301\u0338\u00e9\u4e2d\uac00\u1100\u1161\u11a8\u200d\u200b\ufeff\u3000\U0001f600",
    *"\u0f73\u0f71\u0344\u1e9b\u017f\u0130\u03a3\u00bd\u2167\u2581\ufffd\x00\x85\u2028\u0e33\u00a8",
    *"\u0958\u309a\u3099\uff76\u304b\ufb01\ufdfa\u00ad\u0345\U0001d165\u302a\u0307\u212b\U0001f468",
)


def _ids(encode, text):
    try:
        return encode(text)
    except KeyError:  # a character without a token
        return None


class Certified:
    """A reference with its certificate."""

    def __init__(self, reference):
        self.data = reference.seams(0)
        self.cuts = Cuts.of(self.data)
        names = ("encode_ordinary", "encode_special")
        found = [getattr(reference, name, None) for name in names]
        self.encoders = [one for one in found if one] or [reference.encode]
        self.plain = self.encoders[0]

    def refuted_by_all(self, alphabet, size):
        """Return the texts of an alphabet that contradict the certificate."""
        known, found = {}, []
        pairs = map("".join, product(alphabet, repeat=2))
        safe = set(filter(self.cuts.is_safe, pairs))
        for length in range(1, size + 1):
            for text in map("".join, product(alphabet, repeat=length)):
                known[text] = _ids(self.plain, text)
                for place in range(1, length):
                    if text[place - 1 : place + 1] in safe:
                        parts = known[text[:place]], known[text[place:]]
                        if None not in (*parts, known[text]) and parts[0] + parts[1] != known[text]:
                            found.append((ascii(text), place))
        return found

    def refuted_at_random(self, times, seed=1):
        """Return random texts, some with parts of added tokens, that contradict it."""
        choose, found = random.Random(seed), []
        added = [one["text"] for one in self.data["added"][:50]]
        parts = [text[:size] for text in added for size in range(1, len(text) + 1)] or ["a"]
        for _ in range(times):
            pool = choose.sample(FRAGMENTS, 7)
            text = "".join(
                choose.choice(parts if choose.random() < 0.15 else pool)
                for _ in range(choose.randint(2, 14))
            )
            for encode in self.encoders:
                pieces = self.cuts.parts(text)
                rows = [_ids(encode, one) for one in (text, *pieces)]
                if None not in rows and [*chain.from_iterable(rows[1:])] != rows[0]:
                    found.append(ascii(pieces))
        return found


SMALL = ("embedded", "byte-level-bpe", "character-bpe", "sentencepiece-bpe", "unigram", "wordpiece")


@pytest.fixture(scope="module")
def certified():
    known = {}

    def get(name):
        if name not in known:
            known[name] = Certified(reference_target.load(name))
        return known[name]

    return get


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_no_short_text_contradicts_a_certificate(certified, name):
    one = certified(name)
    for alphabet in ALPHABETS:
        assert not one.refuted_by_all(alphabet, 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_no_random_text_contradicts_a_certificate(certified, name):
    assert not certified(name).refuted_at_random(200)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["embedded", "unigram"])
def test_each_text_of_a_certificate_shows_what_it_says(certified, name):
    encode, data = certified(name).plain, reference_target.load(name).seams(2)
    assert data["witnesses"]
    for last, first, before, after in data["witnesses"]:
        assert data["verdicts"][last][first] == "changes"
        assert encode(before) + encode(after) != encode(before + after)


@pytest.mark.slow
def test_a_family_of_texts_changes_as_many_tokens_as_it_says():
    encode = reference_target.load("embedded").encode_ordinary
    family = reference_target.load("embedded").seams(1)["prepend"]["family"]
    for times, changed in zip(family["times"], family["changed"], strict=True):
        text = family["before"] + family["repeated"] * times + family["after"]
        alone, joined = encode(text), encode(family["added"] + text)
        kept = len(alone) - changed
        assert joined[len(joined) - kept :] == alone[len(alone) - kept :]
        assert joined[-kept - 1] != alone[-kept - 1]


ALL_BYTES = "".join(map(chr, range(0x21, 0x7F)))


def _file(model=None, **stages):
    """Return a tokenizer.json of merges over characters, with an unknown token."""
    tokens = ["<unk>", *ALL_BYTES, "\u2581", "\u00e9", "\uac00", "ab", "a.", ".a", "\u2581a", "aa"]
    vocabulary = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
    merges = [["a", "b"], ["a", "."], [".", "a"], ["\u2581", "a"], ["a", "a"]]
    own = {"type": "BPE", "vocab": vocabulary, "merges": merges, "unk_token": "<unk>"}
    empty = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
    record = {"version": "1.0", **dict.fromkeys(empty), "added_tokens": [], "model": own}
    return {**record, "model": {**own, **(model or {})}, **stages}


def _merging(left, right, **settings):
    """Return a tokenizer.json with a merge of two tokens that are not the text of characters."""
    record = _file(settings)
    own = record["model"]
    for token in ("<0xCC>", "<0x81>", left, right, left + right):
        own["vocab"].setdefault(token, len(own["vocab"]))
    own["merges"].append([left, right])
    return record


def _added(content, **flags):
    names = ("single_word", "lstrip", "rstrip", "normalized", "special")
    return {"id": 500, "content": content, **dict.fromkeys(names, False), **flags}


def _sequence(kind, *parts):
    return {"type": "Sequence", kind: list(parts)}


NUMBERS = {"type": "Digits", "individual_digits": False}
PUNCTUATION = {"type": "Punctuation", "behavior": "Isolated"}
WRITTEN = {
    "type": "ByteLevel",
    "add_prefix_space": False,
    "trim_offsets": False,
    "use_regex": False,
}
METASPACE = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always"}
REMOVE = {"type": "Replace", "pattern": {"Regex": "[\u200b\u200d]"}, "content": ""}
SPACES = {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "}
FILES = {
    "nothing": _file(),
    "fused unknown": _file({"fuse_unk": True}),
    "NFC and digits": _file(normalizer={"type": "NFC"}, pre_tokenizer=NUMBERS),
    "NFD": _file(normalizer={"type": "NFD"}),
    "NFKC": _file(normalizer={"type": "NFKC"}, pre_tokenizer=PUNCTUATION),
    "removed characters, NFC": _file(
        normalizer=_sequence("normalizers", REMOVE, {"type": "NFC"}), pre_tokenizer=PUNCTUATION
    ),
    "lower case, spaces": _file(
        normalizer=_sequence("normalizers", SPACES, {"type": "Lowercase"}),
        pre_tokenizer={"type": "Whitespace"},
    ),
    "Metaspace": _file(pre_tokenizer=METASPACE),
    "Metaspace, first": _file(pre_tokenizer={**METASPACE, "prepend_scheme": "first"}),
    "Metaspace without a split": _file(pre_tokenizer={**METASPACE, "split": False}),
    "BERT": _file(
        normalizer={
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        pre_tokenizer={"type": "BertPreTokenizer"},
    ),
    "two pre-tokenizers": _file(pre_tokenizer=_sequence("pretokenizers", NUMBERS, PUNCTUATION)),
    "an added token": _file(added_tokens=[_added("<ab>")]),
    "an added token in normalized text": _file(
        normalizer={"type": "Lowercase"}, added_tokens=[_added("<ab>", normalized=True)]
    ),
    "added tokens that take white space": _file(
        added_tokens=[_added("<a>", lstrip=True, rstrip=True)], pre_tokenizer={"type": "Whitespace"}
    ),
    "an added token that is a word": _file(
        added_tokens=[_added("ab", single_word=True)], pre_tokenizer=PUNCTUATION
    ),
    "unknown characters that are left out": _file({"unk_token": None}),
    "merges of the unknown token": _merging("<unk>", "a"),
    "merges of bytes": _merging("<0x81>", "a", byte_fallback=True),
    "the first piece of several": _file(
        pre_tokenizer=_sequence("pretokenizers", NUMBERS, {**METASPACE, "prepend_scheme": "first"})
    ),
    "written bytes that are cut": {
        **_merging("\u0120", "a"),
        "pre_tokenizer": _sequence("pretokenizers", WRITTEN, {"type": "WhitespaceSplit"}),
    },
    "an added token that a normalizer changes": _file(
        normalizer={"type": "Lowercase"},
        pre_tokenizer=PUNCTUATION,
        added_tokens=[_added("<AB>", normalized=True)],
    ),
    "ignored merges": _file({"ignore_merges": True}),
    "a suffix": _file({"end_of_word_suffix": "</w>"}, pre_tokenizer={"type": "Whitespace"}),
}


@pytest.mark.parametrize("name", FILES)
def test_no_text_contradicts_the_certificate_of_a_file(name, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(FILES[name]), encoding="utf-8")
    one = Certified(tokenizer_json.load(path))
    assert not one.refuted_by_all("ab. <>", 4)
    for alphabet in ALPHABETS:
        assert not one.refuted_by_all(alphabet, 3)
    assert not one.refuted_at_random(100)


def test_truncation_and_padding_are_assumed_to_be_off(tmp_path):
    truncation = {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(_file(truncation=truncation)), encoding="utf-8")
    data = tokenizer_json.load(path).seams(0)
    assert "at most 2 ids" in " ".join(data["assumptions"])
    assert Cuts.of(data).parts("b.b") == ["b", ".", "b"]


@pytest.mark.parametrize(
    ("stages", "reason"),
    [
        ({"normalizer": {"type": "Prepend", "prepend": "\u2581"}}, "each text gets"),
        ({"normalizer": {"type": "Strip", "strip_left": True, "strip_right": True}}, "Strip"),
        ({"pre_tokenizer": {"type": "UnicodeScripts"}}, "UnicodeScripts"),
        (
            {
                "pre_tokenizer": {
                    "type": "Split",
                    "pattern": {"Regex": r"(?<=a)b"},
                    "behavior": "Isolated",
                    "invert": False,
                }
            },
            "the pattern of a split",
        ),
    ],
)
def test_what_is_not_proven_is_said_not_to_be(stages, reason, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(_file(**stages)), encoding="utf-8")
    data = tokenizer_json.load(path).seams(2)
    assert reason in data["reason"]
    assert not any("safe" in row for row in data["verdicts"])


def test_a_space_after_a_letter_is_a_seam_of_the_embedded_vocabulary(certified):
    cuts = certified("embedded").cuts
    parts = ["the", " word's", " 1234", " end", "\n\n  of"]
    assert cuts.parts("".join(parts)) == parts


REAL = (
    *("hf/qwen3.json", "hf/claude.json", "hf/bert-uncased.json", "hf/mon-unigram.json"),
    *("clip/bpe_simple_vocab_16e6.txt.gz", "rwkv/rwkv_vocab_v20230424.txt"),
    *(f"sentencepiece/{name}.model" for name in ("botchan_en_bpe_1000", "kyoto_ja_unigram_8000")),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_no_text_of_five_characters_contradicts_a_certificate(certified, name):
    for alphabet in ALPHABETS:
        assert not certified(name).refuted_by_all(alphabet, 5)


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base", *REAL])
def test_no_text_contradicts_the_certificate_of_a_published_vocabulary(name):
    spec = name
    if name in REAL:
        folder = os.environ.get("TOKHARNESS_TEST_VOCABULARIES")
        if not folder:
            pytest.skip("TOKHARNESS_TEST_VOCABULARIES is not set")
        spec = str(Path(folder, name))
    elif not os.environ.get("TIKTOKEN_CACHE_DIR"):
        pytest.skip("TIKTOKEN_CACHE_DIR is not set")
    one = Certified(reference_target.load(spec))
    assert one.cuts.has_any
    assert not one.refuted_by_all(ALPHABETS[0], 5)
    assert not one.refuted_at_random(1500)

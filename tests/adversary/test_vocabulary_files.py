"""Vocabulary files that are made to fill memory, to take hours, or to break their reader."""

import base64
import copy
import gzip
import json
import os
import re
import struct
from pathlib import Path

import pytest

from tokharness.errors import VocabularyError
from tokharness.plugins.bare_paths import spec_of
from tokharness.targets.description import describe
from tokharness.targets.loading import load_target
from tokharness_tokenizers.adapters import reference_target
from tokharness_tokenizers.file_formats import tokenizer_json
from tokharness_tokenizers.vocabularies.locate import HEALTHY_FOLDER, SMALL

WORDPIECE = json.loads(SMALL["wordpiece"].read_bytes())
BYTE_LEVEL = json.loads(SMALL["byte-level-bpe"].read_bytes())
UNIGRAM = json.loads(SMALL["unigram"].read_bytes())
TEKKEN = json.loads((HEALTHY_FOLDER / "tekken.json").read_bytes())
RANKS = (HEALTHY_FOLDER / "other.tiktoken").read_bytes()
RWKV = (HEALTHY_FOLDER / "rwkv.txt").read_bytes()
CODES = (HEALTHY_FOLDER / "codes.txt").read_bytes()
CLIP = b'"bpe_simple_vocab_16e6.txt#version: 0.2\n'
WORDS = b"[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n##a\n##b\n"


def json_of(base, **changes):
    return json.dumps({**copy.deepcopy(base), **changes}).encode()


def model(base, **changes):
    return json_of(base, model={**base["model"], **changes})


def pattern(text):
    split = {"type": "Split", "behavior": "Isolated", "invert": False}
    return json_of(BYTE_LEVEL, pre_tokenizer={**split, "pattern": {"Regex": text}})


def replaced(text, content):
    stage = {"type": "Replace", "pattern": {"String": text}, "content": content}
    return json_of(WORDPIECE, normalizer=stage)


def nested(depth):
    stage = {"type": "NFC"}
    for _ in range(depth):
        stage = {"type": "Sequence", "normalizers": [stage]}
    return json_of(WORDPIECE, normalizer=stage)


DOUBLE = {"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}


def replaced_in_turn(*pairs, times=1):
    stages = [{"type": "Replace", "pattern": {"String": old}, "content": new} for old, new in pairs]
    return json_of(WORDPIECE, normalizer={"type": "Sequence", "normalizers": stages * times})


def doubling(depth):
    stage = BYTES
    for _ in range(depth):
        stage = {"type": "Sequence", "pretokenizers": [BYTES, stage]}
    return stage


def padding(**settings):
    return json_of(WORDPIECE, padding={"strategy": "BatchLongest", "pad_id": 0, **settings})


def charsmap(data):
    text = base64.b64encode(data).decode()
    return json_of(UNIGRAM, normalizer={"type": "Precompiled", "precompiled_charsmap": text})


def tekken(**config):
    return json_of(TEKKEN, config={**TEKKEN["config"], **config})


TEXT_TWICE = {"single": [{"Sequence": {"id": "A"}}] * 2, "pair": [], "special_tokens": {}}
TEMPLATES = [{"type": "TemplateProcessing", **TEXT_TWICE}]

JSON = {
    "lists in lists": (lambda: b'{"model": ' + b"[" * 10**6, "is not a vocabulary"),
    "lists in the vocabulary": (
        lambda: b'{"added_tokens": [], "model": {"type": "BPE", "vocab": ' + b"[" * 10**6,
        "is not JSON: it is nested too deep",
    ),
    "eleven million values": (
        lambda: b'{"added_tokens": [], "model": {"type": "BPE", "vocab": [%s0]}}' % (b"0," * 11**7),
        "has 19,487,[0-9]{3} values, more than 10,000,000",
    ),
    "objects of 700 megabytes": (
        lambda: (
            b'{"added_tokens": [], "model": {"type": "BPE", "vocab": [%s0]}}'
            % (b'{"":0},' * 3 * 10**6)
        ),
        # where memory ends depends on what the parent has freed; it may be enough
        "needs? more memory than this process may have|model.vocab is .* not",
    ),
    "a score of 400 digits": (
        lambda: model(UNIGRAM, vocab=[["a", 10**400]]),
        r"model.vocab\[0\] is .* not a piece and its score",
    ),
    "a dropout of 400 digits": (lambda: model(BYTE_LEVEL, dropout=10**400), "model.dropout is"),
    "an id of 4,000 digits": (lambda: model(WORDPIECE, vocab={"a": 10**4000}), "has the id"),
    "a number of 5,000 digits": (
        lambda: json_of(WORDPIECE).replace(b'"version"', b'"x": %s, "version"' % (b"9" * 5000)),
        "is not JSON: it has a number of more than 4,300 digits",
    ),
    "a number that is none": (
        lambda: json_of(WORDPIECE).replace(b'"version"', b'"x": NaN, "version"'),
        "is not JSON: NaN is not a number of JSON",
    ),
    "a prefix of 20 megabytes": (
        lambda: json_of(BYTE_LEVEL, normalizer={"type": "Prepend", "prepend": "x" * 20 * 10**6}),
        "normalizer.prepend has 20,000,000 characters, more than 4,096",
    ),
    "a replacement that is large": (
        lambda: replaced("", "x" * 10**7),
        "normalizer.content has 10,000,000 characters",
    ),
    "a prefix of pieces that is large": (
        lambda: model(WORDPIECE, continuing_subword_prefix="#" * 10**7),
        "model.continuing_subword_prefix has 10,000,000 characters",
    ),
    "padding to four billion": (
        lambda: padding(strategy={"Fixed": 2**32 - 1}),
        "padding.strategy.Fixed is 4294967295, not from 0 to 1048576",
    ),
    "padding to a multiple of four billion": (
        lambda: padding(pad_to_multiple_of=2**32 - 1),
        "padding.pad_to_multiple_of is 4294967295",
    ),
    "a text that is doubled forty times": (
        lambda: json_of(
            WORDPIECE, post_processor={"type": "Sequence", "processors": TEMPLATES * 40}
        ),
        r"post_processor.processors\[9\] has 1,024 parts",
    ),
    "a letter that is doubled forty times": (
        lambda: replaced_in_turn(("a", "aa"), times=40),
        "normalizer: its components make 32,768 characters of a text of 64, and 20,480 at most",
    ),
    "a text of the file that is doubled forty times": (
        lambda: replaced_in_turn(("zq", "zqzq"), times=40),
        "normalizer: its components make [0-9,]+ characters of a text of 128",
    ),
    "long replacements of long replacements": (
        lambda: replaced_in_turn(("a", "b" * 4096), ("b", "c" * 4096), ("c", "d" * 4096)),
        "normalizer: its components make 262,144 characters of a text of 64",
    ),
    "bytes as characters in nested sequences": (
        lambda: json_of(WORDPIECE, pre_tokenizer=doubling(30)),
        "pre_tokenizer: its components make 49,152 characters of a text of 128",
    ),
    "a decoder that doubles sixty times": (
        lambda: json_of(WORDPIECE, decoder={"type": "Sequence", "decoders": [DOUBLE] * 60}),
        "decoder: its components make [0-9,]+ characters of a text of",
    ),
    "stages in stages": (lambda: nested(400), "is nested too deep"),
    "a repeat of repeats": (
        lambda: pattern("(?:(?:a{1000}){1000}){1000}"),
        "pre_tokenizer.pattern: the pattern has more than 100,000 parts, as its repeats are copied",
    ),
    "a pattern of a megabyte": (
        lambda: pattern("a" * 10**6),
        "the pattern has 1,000,000 characters, more than 16,384",
    ),
    "groups in groups": (
        lambda: pattern("(" * 3000 + "a" + ")" * 3000),
        "the pattern is nested too deep",
    ),
    "classes in classes": (
        lambda: pattern("[" * 5000 + "a" + "]" * 5000),
        "the pattern is nested too deep",
    ),
    "classes of all characters": (lambda: pattern("[\\x{0}-\\x{10ffff}]" * 850), ""),
    "thousands of classes": (
        lambda: pattern("".join(map(chr, range(0x4E00, 0x8000)))),
        "more than 1,000 different classes and characters",
    ),
    "a merge of spaces": (
        lambda: model(BYTE_LEVEL, merges=[" " * 3 * 10**7]),
        r"model.merges\[0\] is .* not a pair of tokens",
    ),
    "a merge of words": (
        lambda: model(BYTE_LEVEL, merges=["ab " * 10**7]),
        r"model.merges\[0\] is .* not a pair of tokens",
    ),
    "a table of a charsmap that is short": (
        lambda: charsmap(struct.pack("<I", 2**32 - 4) + bytes(100)),
        "a charsmap with a trie of 4294967292 bytes in 104 bytes",
    ),
    "a table of a charsmap that is noise": (
        lambda: charsmap(struct.pack("<I", 4096) + b"\xff" * 4096 + b"a\0"),
        "a charsmap whose trie is damaged",
    ),
    "a component with a name of megabytes": (
        lambda: json_of(WORDPIECE, decoder={"type": "x" * 10**7}),
        r"decoder is the decoder '.* \.\.\. .*which is not known",
    ),
}

TEKKEN_FILES = {
    "four billion special tokens": (
        lambda: tekken(default_num_special_tokens=2**32 - 1),
        "config.default_num_special_tokens is 4,294,967,295, which is damaged",
    ),
    "a million special tokens": (
        lambda: tekken(default_num_special_tokens=2**20),
        "config.default_num_special_tokens is 1,048,576, which is damaged",
    ),
    "a pattern of groups": (
        lambda: tekken(pattern="(" * 9000),
        "the pre-token pattern is nested too deep",
    ),
}


def gguf(*pairs, keys=None):
    count = len(pairs) if keys is None else keys
    return b"GGUF" + struct.pack("<IQQ", 3, 0, count) + b"".join(pairs)


def key(name, kind, value):
    return struct.pack("<Q", len(name)) + name.encode() + struct.pack("<I", kind) + value


def array(kind, size, items=b""):
    return struct.pack("<IQ", kind, size) + items


GGUF = {
    "2^60 keys": (lambda: gguf(keys=2**60), "the keys: [0-9,]+ bytes are needed, and 0 are left"),
    "a text of 2^63 bytes": (
        lambda: gguf(key("a", 8, struct.pack("<Q", 2**63))),
        "9,223,372,036,854,775,808 bytes are needed, and 0 are left",
    ),
    "an array of 2^32 numbers": (
        lambda: gguf(key("a", 9, array(4, 2**32))),
        "17,179,869,184 bytes are needed, and 0 are left",
    ),
    "arrays in arrays": (
        lambda: gguf(key("a", 9, array(9, 1) * 8000)),
        "has the unknown type 9",
    ),
    "three million empty texts": (
        lambda: gguf(key("a", 9, array(8, 3 * 10**6, bytes(24 * 10**6)))),
        "more than 2,097,152 texts are not read",
    ),
    "sixty million truth values": (
        lambda: gguf(key("a", 9, array(7, 6 * 10**7, bytes(6 * 10**7)))),
        "more than 8,388,608 numbers are not read",
    ),
}


def field(number, data):
    size, length = len(data), bytearray()
    while size > 0x7F:
        length.append(size & 0x7F | 0x80)
        size >>= 7
    return bytes([number << 3 | 2]) + bytes([*length, size]) + data


def piece(text, kind=1):
    return field(1, field(1, text) + b"\x15" + struct.pack("<f", -1) + bytes([0x18, kind]))


PIECES = b"".join([piece(b"<unk>", 2), piece(b"<s>", 3), piece(b"</s>", 3), piece(b"a")])

MODELS = {
    "a length of four billion": (
        lambda: PIECES + b"\x0a\xff\xff\xff\xff\x0f",
        "is damaged: the field at byte [0-9]+ exceeds its end",
    ),
    "a number without end": (
        lambda: PIECES + b"\xff" * 20,
        "the number at byte [0-9]+ does not end",
    ),
    "a group": (lambda: PIECES + b"\x0b", "has a field of the unknown wire type 3"),
    "two million empty pieces": (
        lambda: PIECES + b"\x0a\x00" * 2 * 10**6,
        "the SentencePiece model has more than 1,048,576 fields",
    ),
    "two million empty settings": (
        lambda: PIECES + b"\x12\x00" * 2 * 10**6,
        "the SentencePiece model has more than 1,048,576 fields",
    ),
    "a type of 2^63": (
        lambda: PIECES + field(1, field(1, b"b") + b"\x18" + b"\x80" * 8 + b"\x01"),
        "the piece 4 has the unknown type",
    ),
    "a text for what is unknown that is large": (
        lambda: PIECES + b"\x12\x86\xad\xe2\x04\xe2\x02\x80\xad\xe2\x04" + b"x" * 10**7,
        "the unk_surface of the trainer's settings has 10,000,000 characters",
    ),
}


def rwkv(line):
    return RWKV + line + b"\n"


LISTS = {
    "a list of numbers as a literal": (
        lambda: rwkv(b"9999 [" + b"0," * 10**7 + b"0] 1"),
        "line 1001: .* is not a string or bytes as Python writes them",
    ),
    "many literals as one": (
        lambda: rwkv(b"9999 " + b"'a' " * 5 * 10**6 + b"'a' 1"),
        "line 1001: .* is not a string or bytes as Python writes them",
    ),
    "brackets around a literal": (
        lambda: rwkv(b"9999 " + b"(" * 10**5 + b"'a'" + b")" * 10**5 + b" 1"),
        "line 1001: .* is not a string or bytes as Python writes them",
    ),
    "an id of ten digits": (lambda: rwkv(b"9999999999 'zz' 2"), "the id 9999999999 is not"),
    "codes of one long line": (
        lambda: CODES + b"ab " * 10**7,
        "line 813: 'ab ab .* is not two symbols and a space",
    ),
    "a merge of megabytes": (lambda: CODES + b"a" * 2 * 10**7 + b" b\n", ""),
    "codes of spaces": (lambda: CODES + b" " * 3 * 10**7 + b"x", "is not two symbols and a space"),
    "a token of 40 megabytes": (
        lambda: WORDS + "\U0001f600".encode() + b"x" * 4 * 10**7,
        "cannot read .*list.txt: it is larger than 32 MB",
    ),
    "tokens that are empty": (lambda: WORDS + b"\n" * 5 * 10**6, "more than 1,048,576 line ends"),
}

MERGES = {
    "hundreds of megabytes of zeros": (
        lambda: gzip.compress(CLIP + bytes(2 * 10**8), 1),
        r"line 2 is b'\\x00.*, not two tokens",
    ),
    "a line of words": (
        lambda: gzip.compress(CLIP + b"ab " * 2 * 10**7, 1),
        "line 2 is b'ab ab .*, not two tokens",
    ),
    "a million empty parts": (
        lambda: gzip.compress(CLIP) + gzip.compress(b"", 1) * 10**6,
        "it is not complete gzip: Compressed file ended",
    ),
    "gzip that ends": (
        lambda: gzip.compress(CLIP + b"a b\n" * 9)[:-20],
        "it is not complete gzip: Compressed file ended",
    ),
    "gzip with another sum": (
        lambda: gzip.compress(CLIP + b"a b\n" * 9)[:-8] + bytes(8),
        "is not a vocabulary of a known format",
    ),
}

RANK_FILES = {
    "a rank of a hundred digits after zeros": (
        lambda: RANKS + b"enp6eg== " + b"0" * 25 + b"9" * 100 + b"\n",
        "line 1001: the rank .* is not a whole number",
    ),
    "a rank of megabytes": (
        lambda: RANKS + b"enp6eg== " + b"1" * 5 * 10**6 + b"\n",
        "line 1001: the rank .* is not a whole number",
    ),
    "ranks of one long line": (
        lambda: RANKS + b"ab " * 10**7 + b"\n",
        "line 1001: .* is not a base64 token and a rank",
    ),
}

FORMATS = {
    "tokenizer.json": JSON,
    "tekken.json": TEKKEN_FILES,
    "model.gguf": GGUF,
    "tokenizer.model": MODELS,
    "list.txt": LISTS,
    "merges.txt.gz": MERGES,
    "ranks.tiktoken": RANK_FILES,
}
LARGE = re.compile("mega|million|values|of (words|spaces)|as one|settings|long line|tokens that")
ATTACKS = [
    pytest.param(
        name, *attack, id=f"{name}: {words}", marks=[pytest.mark.slow][: bool(LARGE.search(words))]
    )
    for name, attacks in FORMATS.items()
    for words, attack in attacks.items()
]


def read_all(path):
    """Read a file as `show reference:FILE` and an audit do."""
    spec = f"reference:{path}"
    load_target(spec).encode("a b")
    describe(spec)


@pytest.fixture(scope="module", autouse=True)
def loaded():
    """Import the readers before the first fork."""
    for one in ("reference:wordpiece", f"reference:{HEALTHY_FOLDER / 'bpe.model'}"):
        read_all(one.partition(":")[2])


@pytest.mark.parametrize(("name", "content", "said"), ATTACKS)
def test_a_file_is_refused_in_one_sentence(name, content, said, tmp_path, sentence_of):
    path = tmp_path / name
    path.write_bytes(content())
    if name == "ranks.tiktoken":
        side = {"name": "a", "pattern": "a", "special_tokens": {}, "allow_holes": True}
        Path(f"{path}.json").write_text(json.dumps(side), encoding="ascii")
    sentence = sentence_of(lambda: read_all(path))
    assert re.search(said, sentence) if said else sentence == ""
    assert not said or name.partition(".")[0] in sentence


@pytest.mark.parametrize("name", ["x.json", "x.model", "x.gguf", "x.txt", "x.gz", "x.tiktoken"])
def test_what_is_no_file_is_refused(name, tmp_path, sentence_of):
    path = tmp_path / name
    Path(f"{path}.json").write_text("{}", encoding="ascii")
    os.mkfifo(path)
    said = "it is a (pipe|device), not a file|there is no vocabulary"
    assert re.search(said, sentence_of(lambda: read_all(path)))
    path.unlink()
    path.symlink_to("/dev/zero")
    assert re.search(said, sentence_of(lambda: read_all(path)))


def text_of(value):
    return struct.pack("<Q", len(value)) + value


TEMPLATE = "tokenizer.chat_template"


@pytest.mark.parametrize("content", [gguf(keys=2**60), gguf(key("a", 13, b"")), b"GGUF", b"no"])
def test_a_template_in_a_damaged_file_is_refused_with_its_name(content, tmp_path):
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(VocabularyError, match=re.escape(str(path))):
        reference_target.chat_templates(str(path))


@pytest.mark.parametrize("other", [f"{TEMPLATE}.default", f"{TEMPLATE}.", f"{TEMPLATE}..default"])
@pytest.mark.parametrize("is_first", [True, False])
def test_no_other_template_hides_the_default_one(other, is_first, tmp_path):
    rows = [key(TEMPLATE, 8, text_of(b"taken")), key(other, 8, text_of(b"other"))]
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf(*(rows if is_first else rows[::-1])))
    found = reference_target.chat_templates(str(path))
    assert found["default"] == "taken"
    assert sorted(found.values()) == ["other", "taken"]


@pytest.mark.parametrize("rest", ["tokenizer.json", ""])
def test_memory_that_ends_while_a_file_is_recognized_is_said(rest, tmp_path, monkeypatch):
    def end(*_):
        raise MemoryError

    (tmp_path / "tokenizer.json").write_bytes(json_of(WORDPIECE))
    monkeypatch.setattr(tokenizer_json, "has_members", end)
    with pytest.raises(VocabularyError, match=f"cannot read .*{tmp_path}.*Cannot allocate memory"):
        read_all(tmp_path / rest)


def test_a_path_that_is_none_is_refused(tmp_path, sentence_of):
    (tmp_path / "tokenizer.json").symlink_to("tokenizer.json")
    assert "has no file" in sentence_of(lambda: spec_of(str(tmp_path)))
    assert "embedded null byte" in sentence_of(lambda: read_all("/a\0b.json"))

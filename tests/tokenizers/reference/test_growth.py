"""A text that the components of a file make too long: on probes, and on any text."""

import pytest

from tokharness_tokenizers.reference.splitting import LargeError
from tokharness_tokenizers.reference.tokenizer_json.fields import Fields, Tables
from tokharness_tokenizers.reference.tokenizer_json.normalizers import read_normalizer
from tokharness_tokenizers.reference.tokenizer_json.post_processors import read_decoder
from tokharness_tokenizers.reference.tokenizer_json.pre_tokenizers import read_pre_tokenizer

BYTES = {"type": "ByteLevel", "add_prefix_space": True, "use_regex": False}


def normalizer(*records):
    fields = Fields("normalizer", {"type": "Sequence", "normalizers": list(records)})
    return read_normalizer(fields, Tables())


def replace(pattern, content, kind="String"):
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}


def test_a_growth_that_no_probe_shows_is_refused_on_the_text_that_has_it():
    grows = normalizer(*[replace("z(q)", "zqzq", "Regex")] * 20)
    assert grows.normalize("a") == "a"
    with pytest.raises(LargeError, match="its components make"):
        grows.normalize("zq")


@pytest.mark.parametrize("text", ["\ufdfa" * 1000, "\u0130" * 1000, "\u2026" * 1000, "a" * 100000])
def test_normalizers_in_use_may_make_a_text_longer(text):
    rules = (replace("\u2026", "..."), replace(" ", "\u2581\u2581"))
    forms = ({"type": "NFKC"}, {"type": "Lowercase"}, {"type": "NFKD"}, {"type": "Nmt"})
    stages = [*rules, *forms, {"type": "Prepend", "prepend": "\u2581"}, {"type": "ByteLevel"}]
    assert len(normalizer(*stages).normalize(text)) > len(text)


def test_three_components_that_write_bytes_are_read():
    words = {"type": "Metaspace", "replacement": "\u2581"}
    record = {"type": "Sequence", "pretokenizers": [words, BYTES, BYTES]}
    stage = read_pre_tokenizer(Fields("pre_tokenizer", record), Tables())
    assert sum(map(len, stage.pieces("\U0001f600" * 5000, at_start=True))) > 20000


def test_a_decoder_that_puts_spaces_between_tokens_and_replaces_them_is_read():
    words = {"type": "WordPiece", "prefix": "##", "cleanup": True}
    record = {"type": "Sequence", "decoders": [words, replace(" ", "  "), replace("\u2581", " ")]}
    decoder = read_decoder(Fields("decoder", record), Tables())
    assert decoder.decode(["a", "b"] * 1000)[1] == "  b"

"""Metaspace with the scheme ``first`` puts a mark where Hugging Face's library does."""

import json
from base64 import b64encode
from itertools import product

import pytest
from planted._sentencepiece_models import RULES

from tokharness_tokenizers.hugging_face.loaded import stage_versions
from tokharness_tokenizers.reference import tokenizer_json
from tokharness_tokenizers.reference.sentencepiece.generate_nmt_nfkc import charsmap_bytes

pytestmark = pytest.mark.needs("tokenizers", "0")

CHARSMAP = {
    "type": "Precompiled",
    "precompiled_charsmap": b64encode(charsmap_bytes(RULES)).decode(),
}
STRIP = {"type": "Strip", "strip_left": True, "strip_right": False}
NORMALIZERS = {
    "a charsmap": CHARSMAP,
    "a charsmap, then Strip": {"type": "Sequence", "normalizers": [CHARSMAP, STRIP]},
    "Strip, then a charsmap": {"type": "Sequence", "normalizers": [STRIP, CHARSMAP]},
    "Strip": STRIP,
    "Nmt": {"type": "Nmt"},
    "Replace": {"type": "Replace", "pattern": {"String": "b"}, "content": ""},
}
CHARACTERS = "ab \ufeff\u3000\x01\u0301\xb4"
TEXTS = ["".join(text) for size in (1, 2, 3) for text in product(CHARACTERS, repeat=size)]


@pytest.mark.parametrize("name", NORMALIZERS)
def test_a_mark_is_put_where_the_library_puts_one(name):
    import tokenizers

    record = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": NORMALIZERS[name],
        "pre_tokenizer": {
            "type": "Metaspace",
            "replacement": "\u2581",
            "prepend_scheme": "first",
            "split": True,
        },
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "Unigram",
            "unk_id": 0,
            "vocab": [["<unk>", 0.0], *([char, -1.0] for char in "\u2581ab\u0301")],
        },
    }
    source = json.dumps(record)
    library = tokenizers.Tokenizer.from_str(source)
    own = tokenizer_json.read(record, "")
    versions = stage_versions()
    own = own.with_stage_versions({one: versions[one] for one in own.stage_versions})
    assert [library.encode(text).ids for text in TEXTS] == [own.plain(text) for text in TEXTS]

"""What exceeds a bound of our reader is refused before a library gets the file, which has none."""

import base64
import json

import pytest

from tokharness.errors import VocabularyError
from tokharness.targets.loading import load_target
from tokharness_tokenizers import libraries
from tokharness_tokenizers.adapters import auto_tokenizer
from tokharness_tokenizers.hugging_face import bounds, engine
from tokharness_tokenizers.reference.sentencepiece.generate_nmt_nfkc import charsmap_bytes
from tokharness_tokenizers.vocabularies.locate import HEALTHY_FOLDER, SMALL

WORDPIECE = json.loads(SMALL["wordpiece"].read_bytes())
PREPEND = {"type": "Prepend", "prepend": "x" * 5000}
SPLIT = {"type": "Split", "behavior": "Isolated", "invert": False}
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
TWICE = {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}}] * 2}

RECORDS = {
    "normalizer.prepend has 5,000 characters, more than 4,096": {"normalizer": PREPEND},
    "normalizer.normalizers[1].prepend has 5,000 characters": {
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "Unheard"}, PREPEND]}
    },
    "decoder.content has 5,000 characters": {
        "decoder": {"type": "Replace", "pattern": {"String": "a"}, "content": "x" * 5000}
    },
    "pre_tokenizer.pattern: the pattern has more than 100,000 parts": {
        "pre_tokenizer": {**SPLIT, "pattern": {"Regex": "(?:(?:a{999}){999}){999}"}}
    },
    "model.continuing_subword_prefix has 5,000 characters": {
        "model": {**WORDPIECE["model"], "continuing_subword_prefix": "#" * 5000}
    },
    "pre_tokenizer: its components make 49,152 characters of a text of 128": {
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [{"type": "Unheard"}] * 2 + [BYTE_LEVEL] * 200,
        }
    },
    "normalizer.precompiled_charsmap: a charsmap has a replacement of more than 4,096 bytes": {
        "normalizer": {
            "type": "Precompiled",
            "precompiled_charsmap": base64.b64encode(charsmap_bytes({"a": "x" * 5000})).decode(),
        }
    },
    "decoder has more than 1,000 components": {
        "decoder": {"type": "Sequence", "decoders": [{"type": "Fuse"}] * 1001}
    },
    "padding.strategy.Fixed is 4294967295, not from 0 to 1048576": {
        "padding": {"strategy": {"Fixed": 2**32 - 1}, "pad_id": 0}
    },
    "post_processor.processors[9] has 1,024 parts": {
        "post_processor": {"type": "Sequence", "processors": [TWICE] * 12}
    },
}


@pytest.fixture
def unreached(monkeypatch):
    """Fail if a library is given a file."""

    def fail(*_, **__):
        pytest.fail("the library was given the file")

    monkeypatch.setattr(libraries, "require", lambda *_: None)
    monkeypatch.setattr(engine, "_make", fail)
    monkeypatch.setattr(auto_tokenizer, "_load", fail)


@pytest.mark.parametrize("said", RECORDS)
@pytest.mark.parametrize("scheme", ["hf", "transformers"])
def test_a_tokenizer_json_that_is_too_large_is_refused(scheme, said, tmp_path, unreached):
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps({**WORDPIECE, **RECORDS[said]}))
    with pytest.raises(VocabularyError) as caught:
        load_target(f"{scheme}:{path if scheme == 'hf' else tmp_path}")
    assert f"{path}: {said}" in str(caught.value)


def test_settings_that_name_a_file_outside_of_the_folder_are_refused(tmp_path, unreached):
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "tokenizer.json").write_text(json.dumps(WORDPIECE))
    (tmp_path / "secret").write_text("[UNK]\n")
    (folder / "tokenizer_config.json").write_text(json.dumps({"vocab_file": "../secret/../x"}))
    bounds.refuse_outside(folder)  # it leads nowhere
    content = {"vocab_file": str(tmp_path / "secret")}
    (folder / "tokenizer_config.json").write_text(json.dumps(content))
    with pytest.raises(VocabularyError, match=r"secret' as vocab_file, which is not in the folder"):
        load_target(f"transformers:{folder}")


@pytest.mark.needs("sentencepiece")
def test_a_sentencepiece_model_that_is_too_large_is_refused(tmp_path, monkeypatch):
    import sentencepiece

    monkeypatch.setattr(sentencepiece, "SentencePieceProcessor", None)
    path = tmp_path / "tokenizer.model"
    surface = b"\xe2\x02\x88\x27" + b"x" * 5000  # field 44 of the trainer's settings, field 2
    path.write_bytes((HEALTHY_FOLDER / "bpe.model").read_bytes() + b"\x12\x8c\x27" + surface)
    with pytest.raises(VocabularyError, match=r"the unk_surface of .* has 5,000 characters"):
        load_target(f"sentencepiece:{path}")


@pytest.mark.needs("tokenizers")
def test_what_is_below_the_bounds_is_given_to_the_library(tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps({**WORDPIECE, "normalizer": {**PREPEND, "prepend": "x" * 4096}}))
    assert load_target(f"hf:{path}").can("encode_ordinary")

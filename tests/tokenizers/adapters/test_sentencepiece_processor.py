from __future__ import annotations

import os
import random
import re
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from planted._sentencepiece_models import MODELS, healthy

from tokharness import extras, plugins
from tokharness.errors import TargetError, VocabularyError
from tokharness.model import TargetFacts, target_of
from tokharness_tokenizers import libraries
from tokharness_tokenizers.adapters import reference_target, sentencepiece_processor
from tokharness_tokenizers.reference.sentencepiece.model_file import model_bytes
from tokharness_tokenizers.reference.splitting import join_surrogates

REAL = Path(os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "/no/such/folder"), "sentencepiece")
FILES = ("botchan_en_bpe_1000", "botchan_en_unigram_1000", "kyoto_ja_unigram_8000")
FAMILIES = ("white-space", "combining-stacks", "normal-forms", "emoji", "code", "hangul")

needs_library = pytest.mark.needs("sentencepiece", "0.2")
needs_files = pytest.mark.skipif(
    not REAL.is_dir(), reason="TOKHARNESS_TEST_VOCABULARIES is not a folder"
)


@pytest.fixture
def path(tmp_path):
    """A model that is not called ``tokenizer.model``."""
    path = tmp_path / "mine.spm"
    path.write_bytes(model_bytes(MODELS["sp_defined"]))
    return path


@needs_library
def test_a_target_has_what_the_library_and_the_file_show(path):
    target = target_of("sentencepiece", sentencepiece_processor.load(str(path)))
    assert target.special_tokens == {"<unk>": 0, "<s>": 1, "</s>": 2}
    assert target.added_tokens == healthy("sp_defined").added_tokens
    assert target.n_vocab == len(MODELS["sp_defined"].pieces)
    assert target.normalizer == healthy("sp_defined").normalizer
    assert target.entry_point == "encode"
    wanted = {"encode_batch", "encode_with_offsets", "decode_batch", "normalize", "stages"}
    assert wanted <= set(target.capabilities)


@needs_library
def test_methods_of_one_and_of_many_agree(path):
    engine = sentencepiece_processor.load(str(path))
    texts = ["the value", "", " 12\u3000"]
    rows = engine.encode_batch(texts)
    assert rows == [engine.encode(text) for text in texts]
    assert engine.decode_batch(rows) == [engine.decode(ids) for ids in rows]


@needs_library
def test_stages_are_those_of_the_reference(path):
    engine, ours = sentencepiece_processor.load(str(path)), healthy("sp_defined")
    assert engine.stages(" the\ufb01  12") == ours.stages(" the\ufb01  12")


@needs_library
def test_an_unknown_id_is_an_error_of_the_library(path):
    engine = sentencepiece_processor.load(str(path))
    for call in (engine.decode, lambda ids: engine.token_text(ids[0])):
        with pytest.raises((IndexError, KeyError)):
            call([engine.n_vocab])


@needs_library
def test_a_folder_is_its_model(path):
    with pytest.raises(TargetError, match="there is no file"):
        sentencepiece_processor.load(str(path.parent))
    model = path.rename(path.with_name("tokenizer.model"))
    assert sentencepiece_processor.load(str(path.parent)).name == str(model)
    assert sentencepiece_processor.reference(str(path.parent)) == f"reference:{model}"


@needs_library
def test_a_file_that_the_library_refuses_is_an_error_with_its_message(path):
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(TargetError, match=f"sentencepiece refuses the file {path}: ") as caught:
        sentencepiece_processor.load(str(path))
    assert caught.value.failure == "RuntimeError"
    assert "\n" not in str(caught.value)


def test_a_damaged_file_is_an_error_of_the_reference(path):
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(VocabularyError, match=r"mine\.spm: the SentencePiece model is damaged"):
        reference_target.load(str(path))


def test_a_file_is_recognized_by_its_content(path):
    assert sentencepiece_processor.recognize(path) == str(path)
    path.write_bytes(b"\x0a\x02no model")
    assert sentencepiece_processor.recognize(path) is None


def test_the_reference_reads_the_same_file(path):
    assert reference_target.load(str(path)).encode("the 12") == healthy("sp_defined").encode(
        "the 12"
    )


@needs_library
def test_the_library_is_what_the_reference_is_compared_with(path):
    assert reference_target.reference(str(path)) == f"sentencepiece:{path}"


def test_without_the_library_it_says_what_to_install(path, monkeypatch):
    monkeypatch.setattr(libraries, "version", not_installed)
    with pytest.raises(TargetError, match=re.escape(extras.what_installs("sentencepiece"))):
        sentencepiece_processor.load(str(path))
    assert sentencepiece_processor.versions() == {}


def not_installed(name: str) -> str:
    raise PackageNotFoundError(name)


@pytest.fixture(scope="module")
def texts():
    facts = TargetFacts(profile="quick")
    families = (list(plugins.families()[name].texts(facts)) for name in FAMILIES)
    chosen = random.Random(0)
    samples = [text for texts in families for text in chosen.sample(texts, min(150, len(texts)))]
    short = [join_surrogates(text) for text in samples]
    scalars = map(chr, chosen.sample((*range(0xD800), *range(0xE000, 0x30000)), 500))
    return [*short, *(f"e{char}\u0301 {char}.a" for char in scalars), " ".join(short) * 4]


@pytest.mark.slow
@needs_library
@needs_files
@pytest.mark.parametrize("name", FILES)
def test_real_models_give_the_same_ids_texts_and_offsets(name, texts):
    path = str(REAL / f"{name}.model")
    library, ours = sentencepiece_processor.load(path), reference_target.load(path)
    for text in texts:
        ids = library.encode(text)
        assert ours.encode(text) == ids, ascii(text)
        assert ours.decode(ids) == library.decode(ids), ascii(text)
        assert ours.encode_with_offsets(text) == library.encode_with_offsets(text), ascii(text)

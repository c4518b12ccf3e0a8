"""Published ``tokenizer.json`` files give the ids and the text of Hugging Face's library."""

from __future__ import annotations

import os
import random
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.model import target_of
from tokharness.model.cases import TargetFacts
from tokharness.targets.stage_versions import detect_stage_versions
from tokharness.unicode.versions import VERSIONS
from tokharness_tokenizers.adapters import hugging_face
from tokharness_tokenizers.hugging_face.engine import Engine
from tokharness_tokenizers.reference import tokenizer_json
from tokharness_tokenizers.reference.pipeline import Pipeline

FOLDER = "TOKHARNESS_TEST_VOCABULARIES"
FILES = (
    *("bert-uncased", "claude", "llama2"),
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("mon-unigram", "qwen3")),
)
pytestmark = [
    pytest.mark.skipif(FOLDER not in os.environ, reason=f"{FOLDER} is no folder of vocabularies"),
    pytest.mark.needs("tokenizers"),
]

TEXTS_OF_A_FAMILY, LONGEST = 10, 300
FACTS = TargetFacts(special_tokens=("<s>", "[MASK]", "<|im_end|>", "<EOT>"))
WORDS = (
    *("the", " and", "\u2581", "<s>", "</s>", "[MASK]", "<|im_end|>", " ", "  ", "\n", "123"),
    *("ing", "e\u0301", "\u1e9b\u0323", "\u4e2d\u6587", "<0x41>", "<unk>", "\U0001f600"),
)


Pair = tuple[Engine, Pipeline]


@pytest.fixture(scope="module", params=FILES)
def pair(request: pytest.FixtureRequest) -> Pair:
    """The library, and the reference at the Unicode versions of the library."""
    path = Path(os.environ[FOLDER], "hf", f"{request.param}.json")
    if not path.is_file():
        pytest.skip(f"{FOLDER} has no {path.name}")
    library, reference = hugging_face.load(str(path)), tokenizer_json.load(path)
    used = {table: library.stage_versions[table] for table in reference.stage_versions}
    return library, reference.with_stage_versions(used)


@cache
def hostile_texts() -> list[str]:
    """Return some texts of each family, and random ones."""
    rng = random.Random(0)
    texts = []
    for family in plugins.families().values():
        if family.compared and family.name not in ("very-long-inputs", "scalar-sweep"):
            some = islice(family.texts(FACTS), 0, None, 7)
            short = (text for text in some if len(text) <= LONGEST)
            texts += islice(short, TEXTS_OF_A_FAMILY)
    for _ in range(200):
        units = [
            chr(rng.choice((rng.randint(0, 0x36F), rng.randint(0, 0x3FFFF)))) for _ in range(6)
        ]
        texts.append("".join(rng.choices([*units, *WORDS], k=rng.randint(1, 10))))
    return [text for text in texts if not any("\ud800" <= char <= "\udfff" for char in text)]


def test_ids_and_decoded_text(pair: Pair) -> None:
    library, reference = pair
    assert len(hostile_texts()) > 300
    for text in hostile_texts():
        ids = library.encode_ordinary(text)
        assert reference.encode_ordinary(text) == ids, ascii(text)
        assert reference.encode_with_offsets(text)[0] == ids, ascii(text)
        assert reference.decode(ids) == library.decode(ids), ascii(text)


def test_the_default_reads_special_tokens_and_adds_some(pair: Pair) -> None:
    library, reference = pair
    for text in hostile_texts():
        ids = library.encode(text)
        assert reference.encode(text) == ids, ascii(text)
        special = library.encode_special(text)
        assert reference.encode_special(text) == special, ascii(text)


def test_facts_are_the_same(pair: Pair) -> None:
    library, reference = pair
    assert library.special_tokens == reference.special_tokens
    assert library.added_tokens == reference.added_tokens
    assert library.n_vocab == reference.n_vocab
    assert library.normalizer == reference.normalizer


@pytest.mark.slow
def test_at_the_detected_versions_the_reference_has_the_ids_of_the_library(pair: Pair) -> None:
    library, reference = pair
    newest = reference.with_stage_versions(dict.fromkeys(reference.stage_versions, VERSIONS[-1]))
    detected = detect_stage_versions(target_of("hf:x", library), target_of("reference:x", newest))
    pinned = reference.with_stage_versions(detected)
    for text in hostile_texts():
        assert pinned.encode_ordinary(text) == library.encode_ordinary(text), ascii(text)

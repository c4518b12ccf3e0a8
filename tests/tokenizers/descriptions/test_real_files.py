"""Real vocabularies: described, packed and written without loss, in little space."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tokharness import plugins
from tokharness.packing import pack, unpack
from tokharness.targets import description as of_target
from tokharness_tokenizers.adapters import reference_target
from tokharness_tokenizers.vocabularies.locate import NAMES, PUBLISHED, SMALL

FOLDER = Path(os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "/no/such/folder"))
SUFFIXES = {".json", ".gguf", ".model", ".txt", ".gz"}
FAMILIES = ("sentences", "code", "white-space", "emoji", "special-tokens", "digits", "normal-forms")
FILES = [path for path in sorted(FOLDER.glob("*/*")) if path.suffix in SUFFIXES]
LISTED = [str(path.relative_to(FOLDER)) for path in FILES if path.name != "botchan.txt"]

pytestmark = pytest.mark.slow


def spec_of(name: str) -> str:
    if name in PUBLISHED and not PUBLISHED[name].cache_path.exists():
        pytest.skip(f"{name} is not in tiktoken's cache: set TIKTOKEN_CACHE_DIR")
    return name if name in {*NAMES, *SMALL} else str(FOLDER / name)


def texts() -> list[str]:
    families = map(plugins.family, FAMILIES)
    return [case.text for family in families for case in [*family.cases()][:500]]


def results(rest: str) -> list[Any]:
    tokenizer: Any = reference_target.load(rest)
    rows: list[Any] = []
    for text in texts():
        for name in ("encode", "encode_ordinary", "encode_special"):
            if (encode := getattr(tokenizer, name, None)) is None:
                continue
            try:
                rows.append((ids := encode(text), tokenizer.decode(ids)))
            except (KeyError, ValueError) as error:
                rows.append(type(error))
    return rows


@pytest.mark.slow(every=4)
@pytest.mark.parametrize("name", [*NAMES, *SMALL, *LISTED])
def test_a_real_vocabulary_is_written_as_it_is(name: str, tmp_path: Path) -> None:
    rest = spec_of(name)
    before = of_target.describe(f"reference:{rest}")
    assert before is not None
    assert unpack(pack(before)) == before
    spec = of_target.write(before, tmp_path)
    assert spec is not None
    after = of_target.describe(spec)
    assert after is not None
    shown = {stage: value for stage, value in after.stages.items() if stage in before.stages}
    assert replace(after, format=before.format, stages=shown) == before
    assert results(spec.partition(":")[2]) == results(rest)


@pytest.mark.parametrize(
    ("name", "most_bytes"),
    [
        ("o200k_base", 800_000),
        ("hf/qwen3.json", 700_000),
        ("gguf/ggml-vocab-nomic-bert-moe.gguf", 1_400_000),
    ],
)
def test_a_large_vocabulary_takes_little_space(name: str, most_bytes: int) -> None:
    rest = spec_of(name)
    if name not in {*NAMES, *LISTED}:
        pytest.skip(f"there is no {rest}: set TOKHARNESS_TEST_VOCABULARIES")
    description = of_target.describe(f"reference:{rest}")
    assert description is not None
    assert len(pack(description)) < most_bytes

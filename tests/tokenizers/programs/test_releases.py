"""A release as a program shows all that the release shows next to tokharness."""

from __future__ import annotations

import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tokharness.errors import TargetError, VocabularyError
from tokharness.model import target_of
from tokharness.outcome import Raised
from tokharness_tokenizers import releases
from tokharness_tokenizers.adapters import (
    hugging_face,
    mistral_tokenizer,
    sentencepiece_processor,
    tiktoken_engine,
)
from tokharness_tokenizers.vocabularies.locate import healthy_files

if TYPE_CHECKING:
    from tokharness.model import Target

FILE = str(Path(__file__).parents[1] / "adapters" / "tokenizer.json")
ADAPTERS: dict[str, tuple[Any, str, str]] = {
    "hf": (hugging_face, "tokenizers", FILE),
    "hf, Unigram": (hugging_face, "tokenizers", *healthy_files("unigram/tokenizer.json")),
    "tiktoken": (tiktoken_engine, "tiktoken", "embedded"),
    "sentencepiece": (sentencepiece_processor, "sentencepiece", *healthy_files("unigram.model")),
    "mistral, Tekken": (mistral_tokenizer, "mistral-common", *healthy_files("tekken.json")),
    "mistral, a model": (mistral_tokenizer, "mistral-common", *healthy_files("bpe.model")),
}
TEXTS = ["", "ab cd", "e\u0301 \u4f60<s>", "\U0001f600\u0301 \n", "a" * 40]
OTHER_RELEASES = {
    "0.20": "TOKHARNESS_TEST_TOKENIZERS_0_20",
    "0.2": "TOKHARNESS_TEST_TOKENIZERS",
    "1.0": "TOKHARNESS_TEST_TOKENIZERS_1_0",
}


@pytest.fixture
def python(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The Python that is taken for the environment of each release."""
    pythons = [Path(sys.executable)]
    monkeypatch.setattr(releases, "python_of", lambda _program, _release: pythons[-1])
    return pythons


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name.startswith("mistral") else [])
        for name in ADAPTERS
    ],
)
def test_a_release_shows_no_less_than_the_adapter(name: str, python: list[Path]) -> None:
    adapter, library, rest = ADAPTERS[name]
    if not adapter.versions():
        pytest.skip(f"{library} is not installed")
    here = target_of("here", adapter.load(rest))
    there = target_of("there", adapter.load_release(version(library), rest))
    try:
        assert_equal(here, there)
    finally:
        there.close()


def assert_equal(here: Target, there: Target) -> None:
    """Both have the same attributes and entry points, which give the same."""
    assert set(here.capabilities) == set(there.capabilities)
    for attribute in (
        *("special_tokens", "added_tokens", "n_vocab", "algorithm", "unknown_id"),
        *("normalizer", "plain_setting", "stage_versions", "read_from_file"),
    ):
        assert getattr(here, attribute) == getattr(there, attribute), attribute
    ids = list(map(here.encode, TEXTS))
    assert ids == list(map(there.encode, TEXTS))
    assert list(map(here.decode, ids)) == list(map(there.decode, ids))
    numbers = [*range(300), 1 << 22]
    arguments: dict[str, list[Any]] = {
        "encode_special": TEXTS,
        "encode_with_offsets": TEXTS,
        "normalize": TEXTS,
        "stages": TEXTS,
        "decode_bytes": ids,
        "decode_stream": ids,
        "decode_stream_calls": [[ids[0], *ids]],
        "decode_single_token_bytes": numbers,
        "token_text": numbers,
    }
    for method in set(here.capabilities) & arguments.keys():
        rows = (one.call_each(method, arguments[method]) for one in (here, there))
        for argument, ours, theirs in zip(arguments[method], *rows, strict=True):
            assert plain(ours) == plain(theirs), (method, argument)
            assert plain(there.call(method, argument)) == plain(ours), (method, argument)
    of_all = {
        "encode_batch": TEXTS,
        "encode_variants": TEXTS,
        "decode_batch": ids,
        "decode_variants": ids,
        "load_differences": 1000,
        "merges": 1000,
        "scores": 1000,
        "bytes_inside": range(5),
    }
    for method in set(here.capabilities) & of_all.keys():
        ours, theirs = (one.call(method, of_all[method]) for one in (here, there))
        assert plain(ours) == plain(theirs), method


def plain(value: Any) -> Any:
    """Return a result without the difference of tuples, iterators and lists."""
    if isinstance(value, Raised):
        return "raised"
    is_one = isinstance(value, str | bytes | int | float)
    return value if is_one else list(map(plain, value))


@pytest.mark.parametrize("release", OTHER_RELEASES)
def test_another_release_gives_the_ids_of_the_reference(release: str, python: list[Path]) -> None:
    from tokharness_tokenizers.adapters import reference_target

    named = os.environ.get(OTHER_RELEASES[release])
    if not named:
        pytest.skip(f"{OTHER_RELEASES[release]} is no Python with tokenizers {release}")
    python.append(Path(named))
    target = target_of("there", hugging_face.load_release(f"{release}.0", FILE))
    reference = target_of("reference", reference_target.load(FILE))
    try:
        assert list(map(target.encode, TEXTS)) == list(map(reference.encode, TEXTS))
        assert target.special_tokens == {"<s>": 258}
        assert target.can("encode_with_offsets") is target.can("load_differences")
        assert target.can("load_differences") is (release != "1.0")
        assert target.call("stages", "a")
    finally:
        target.close()


def test_what_the_release_refuses_is_a_failure_in_one_sentence(
    tmp_path: Path, python: list[Path]
) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text('{"model": {"type": "Mystery", "vocab": {}}, "added_tokens": []}')
    with pytest.raises(TargetError, match=r"^tokenizers 0\.2 refuses the file ") as caught:
        hugging_face.load_release("0.2", str(path))
    assert caught.value.failure
    assert "\n" not in str(caught.value)


def test_a_file_of_another_format_is_an_error_that_names_what_reads_it(python: list[Path]) -> None:
    (model,) = healthy_files("bpe.model")
    with pytest.raises(TargetError, match=r"which hf@0\.2 does not read: use sentencepiece:"):
        hugging_face.load_release("0.2", model)
    with pytest.raises((TargetError, VocabularyError), match="no file /no/such"):
        hugging_face.load_release("0.2", "/no/such.json")

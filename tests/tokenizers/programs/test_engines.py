"""The programs of engines: the table of them, and each with the real package."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokharness.errors import TargetError, TokharnessError
from tokharness.model import target_of
from tokharness_tokenizers import file_formats
from tokharness_tokenizers.adapters import reference_target, shipped_engine
from tokharness_tokenizers.programs import known_engines, known_releases
from tokharness_tokenizers.programs.starting import require
from tokharness_tokenizers.vocabularies.locate import PUBLISHED, healthy_files

if TYPE_CHECKING:
    from tokharness.targets.processes.remote import Remote

ROOT = Path(__file__).parents[3]
TEXTS = ["hello world", "a b", "1 2 3"]
FILES = {
    "tokenizer_json": healthy_files("byte-level-bpe/tokenizer.json"),
    "tiktoken_ranks": healthy_files("other.tiktoken"),
    "sentencepiece_model": healthy_files("bpe.model"),
    "tekken_json": healthy_files("tekken.json"),
}

UNFIT = {
    ("gigatoken", "sentencepiece_model"),  # it reads models with byte fallback only
    ("kitoken", "tekken_json"),  # it has 14 special tokens, whatever the file says
}
"""Formats of which an engine reads no small file."""

ENGINES = pytest.mark.parametrize("name", [*known_engines()])


@ENGINES
def test_an_engine_is_installed_in_ci(name: str) -> None:
    engine = known_engines()[name]
    installed = (ROOT / ".ci/run").read_text("utf-8")
    package = rf"(?<![\w-]){re.escape(engine.package)}(?![\w-])"
    assert re.search(package, installed), "add its package to engines_of_npm or _pypi of .ci/run"
    assert {*engine.formats} <= {one.__name__.rpartition(".")[2] for one in file_formats.formats()}
    assert {*engine.published} <= PUBLISHED.keys()
    assert engine.formats or engine.names


def test_the_program_of_a_release_says_what_pip_installs() -> None:
    for release in known_releases().values():
        assert any("==RELEASE" in argument for argument in release.pip)


def vocabularies() -> list[tuple[str, str]]:
    """Return each engine with a small file of each format that it reads, and with one name."""
    return [
        (engine.name, word)
        for engine in known_engines().values()
        for word in (
            *(path for form in engine.formats for path in _files(engine.name, form)),
            *engine.names[:1],
            *engine.published[:1],
        )
    ]


def _files(name: str, form: str) -> list[str]:
    return [] if (name, form) in UNFIT else FILES.get(form, [])


def load(name: str, vocabulary: str) -> Remote:
    try:
        require(known_engines()[name])
    except TargetError as error:
        pytest.skip(str(error))
    if vocabulary in PUBLISHED and not PUBLISHED[vocabulary].cache_path.exists():
        pytest.skip(f"TIKTOKEN_CACHE_DIR does not have {vocabulary}")
    return shipped_engine.load(f"{name}:{vocabulary}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "vocabulary"),
    [pytest.param(*one, id=f"{one[0]}:{Path(one[1]).name}") for one in vocabularies()],
)
def test_an_engine_gives_the_ids_of_the_reference_for_plain_words(
    name: str, vocabulary: str
) -> None:
    remote = load(name, vocabulary)
    try:
        target = target_of(f"engine:{name}:{vocabulary}", remote)
        ids = list(map(target.encode, TEXTS))
        assert [target.decode(row) for row in ids] == TEXTS
        spec = shipped_engine.reference(f"{name}:{vocabulary}")
        if spec is not None:
            reference = target_of(spec, reference_target.load(spec.partition(":")[2]))
            assert ids == list(map(reference.encode, TEXTS))
        version = str(remote.version)
        assert re.search(r"[0-9]\.[0-9]", version)
    finally:
        remote.close()


@pytest.mark.slow
@ENGINES
def test_an_engine_refuses_a_file_of_another_format_in_one_sentence(name: str) -> None:
    (path,) = healthy_files("rwkv.txt")
    with pytest.raises(TokharnessError, match=r"^no vocabulary of .*|.* does not read: use rwkv:"):
        load(name, path)


def test_a_path_alone_is_no_engine_that_also_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped_engine, "is_installed", lambda engine: engine.name != "kitoken")
    path = Path(*FILES["sentencepiece_model"])
    assert shipped_engine.recognize(path) == []
    assert shipped_engine.also_reads(path) == [f"gigatoken:{path}"]
    assert shipped_engine.also_reads(ROOT / "pyproject.toml") == []

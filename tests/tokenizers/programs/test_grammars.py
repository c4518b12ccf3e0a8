"""The tables of grammar libraries: errors, and each library with small files."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tokharness.diagnosis.vocabulary.token_tables import table_differences, table_of
from tokharness.errors import TargetError, TokharnessError
from tokharness.model import Verdict, target_of
from tokharness.targets.subject import Subject
from tokharness_tokenizers.adapters import grammar_table, reference_target
from tokharness_tokenizers.programs import known_grammars
from tokharness_tokenizers.programs.starting import PYTHON_VARIABLE, require
from tokharness_tokenizers.vocabularies.locate import healthy_files

ROOT = Path(__file__).parents[3]
(BPE,) = healthy_files("byte-level-bpe/tokenizer.json")
LIBRARIES = pytest.mark.parametrize("name", [*known_grammars()])


@LIBRARIES
def test_a_library_is_documented_and_installed_in_ci(name: str) -> None:
    package = known_grammars()[name].package
    assert f"``{name}``" in str(grammar_table.__doc__)
    assert f"`grammar:{name}:" in (ROOT / "docs/targets.md").read_text("utf-8")
    installed = (ROOT / ".ci/run").read_text("utf-8")
    assert re.search(rf"(?<![\w-]){re.escape(package)}(?![\w-])", installed)


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        ("", "grammar: names no library"),
        ("xgramar:x.json", "did you mean 'xgrammar'"),
        ("xgrammar", "grammar:xgrammar has no file"),
    ],
)
def test_a_spec_that_names_nothing_says_what_to_write(rest: str, words: str) -> None:
    with pytest.raises(TokharnessError, match=words):
        grammar_table.load(rest)


def test_a_library_that_is_not_installed_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(PYTHON_VARIABLE, "/no/such/python")
    words = "grammar:xgrammar needs the package xgrammar, which is not installed: pip install"
    with pytest.raises(TargetError, match=words):
        grammar_table.load(f"xgrammar:{BPE}")


def table(name: str, path: str) -> tuple[Subject, Subject]:
    """Return a library, and the reference that reads the same file."""
    try:
        require(known_grammars()[name])
    except TargetError as error:
        pytest.skip(str(error))
    spec = f"{name}:{path}"
    target = target_of(f"grammar:{spec}", grammar_table.load(spec))
    reference = grammar_table.reference(spec)
    return Subject(target), Subject(target_of(reference, reference_target.load(path)))


KNOWN = {
    "bytes that no text has are left out",
    "special tokens stand for text",
    "added tokens stand for no text",
}
"""Differences that each were seen with the library alone: see docs/parity.md."""


@pytest.mark.slow
@LIBRARIES
@pytest.mark.parametrize("path", [BPE, *healthy_files("byte-fallback-unigram/tokenizer.json")])
def test_a_library_takes_the_ordinary_tokens_of_a_file_for_the_same_bytes(
    name: str, path: str
) -> None:
    subject, reference = table(name, path)
    try:
        found = table_differences(table_of(subject), table_of(reference))
        assert {one.name for one in found} <= KNOWN
        assert {one.verdict for one in found if one.aspect == "token bytes"} <= {Verdict.FACT}
        assert len(table_of(subject).tokens) > 200
    finally:
        subject.target.close()


@pytest.mark.slow
def test_the_end_of_a_text_is_what_the_folder_of_the_file_names(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    shutil.copy(BPE, path)
    special = reference_target.load(BPE).special_tokens
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"eos_token": next(iter(special))}))
    subject, _ = table("outlines-core", str(path))
    try:
        assert [*subject.target.special_tokens.values()] == [next(iter(special.values()))]
    finally:
        subject.target.close()

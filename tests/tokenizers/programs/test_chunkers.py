"""The splitters of packages, where they are installed, on texts that were split by hand."""

import os
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.chunking.chunker import Chunker
from tokharness.chunking.examination import examine
from tokharness.chunking.splitting import Splitting
from tokharness.chunking.texts import Trial
from tokharness.errors import TargetError
from tokharness.targets.loading import load_target
from tokharness_tokenizers.programs import known_chunkers
from tokharness_tokenizers.programs.starting import (
    PYTHON_VARIABLE,
    is_installed,
    version_of_package,
)
from tokharness_tokenizers.vocabularies import locate

ENGLISH = "The quick brown fox jumps over the lazy dog. It has a second sentence, with a comma."
EMOJI = "a \U0001f984\U0001f984\U0001f984 b"
SPECIAL = "a <|endoftext|> b"
LONG = "a sentence of many words that has no point and more words than the limit has tokens for"
NAMES = [(package, word) for package, program in known_chunkers().items() for word in program.names]


@pytest.fixture(scope="module")
def chunkers():
    """Return the chunker of a package, started once; skip the test if it is not installed."""
    started = {}

    def start(package, word):
        program = known_chunkers()[package]
        if not is_installed(program):
            pytest.skip(f"{program.package} is not installed")
        if not locate.PUBLISHED["cl100k_base"].cache_path.is_file():
            pytest.skip("cl100k_base is not in the cache of tiktoken")
        if (package, word) not in started:
            try:
                started[package, word] = Chunker(f"chunker:{package}:{word}")
            except TargetError as error:
                if "ModuleNotFoundError" in str(error):
                    pytest.skip(str(error))
                raise
        return started[package, word]

    yield start
    for one in started.values():
        one.close()


@pytest.fixture
def causes(chunkers):
    def run(package, word, *trials):
        chunker = chunkers(package, word)
        tokenizer = load_target(chunker.counts_with) if chunker.counts_with else None
        view = Splitting(chunker, [Trial(*one) for one in trials], tokenizer)
        checks = [one for one in plugins.chunk_checks().values() if one.code < "TOK611"]
        found = examine(view, checks, [chunker.spec]).findings
        return {(one.code, str(one.cause)) for one in found if one.verdict == "bug"}

    return run


@pytest.mark.needs("tokenizers")
def test_a_package_is_found_in_the_second_of_two_pythons(monkeypatch):
    monkeypatch.setenv(PYTHON_VARIABLE, os.pathsep.join(("/no/such/python", sys.executable)))
    program = known_chunkers()["tokenizers"]
    assert is_installed(program)
    assert version_of_package(program) == version("tokenizers")


@pytest.mark.slow
@pytest.mark.parametrize(("package", "word"), NAMES)
def test_each_splitter_splits_english(causes, chunkers, package, word):
    chunker = chunkers(package, word)
    assert version_of_package(known_chunkers()[package]) in chunker.version
    found = causes(package, word, (ENGLISH, 64), ("", 64), ("word", 64))
    assert found == set()


SPECIAL_RAISES = ("TOK601", "raises: text of a special token")
REPLACED = ("TOK602", "cut inside a character: U+FFFD")

FOUND_BY_HAND = {
    ("chonkie", "fast", ("caf\u00e9 caf\u00e9 caf\u00e9", 5, 0)): (
        "TOK601",
        "raises: U+00E9 LATIN SMALL LETTER E WITH ACUTE",
    ),
    ("chonkie", "recursive", (EMOJI, 8, 0)): REPLACED,
    ("chonkie", "sentence", (LONG, 8, 0)): ("TOK604", "limit exceeded: a sentence is not split"),
    ("chonkie", "token", (EMOJI, 4, 0)): REPLACED,
    ("chonkie", "token", (SPECIAL, 8, 0)): SPECIAL_RAISES,
    ("langchain-text-splitters", "recursive-tokens", (SPECIAL, 8, 0)): SPECIAL_RAISES,
    ("langchain-text-splitters", "recursive-tokens", (ENGLISH, 8, 4)): (
        "TOK606",
        "span differs: a negative start",
    ),
    ("langchain-text-splitters", "tokens", (EMOJI, 4, 0)): REPLACED,
    ("langchain-text-splitters", "tokens", (SPECIAL, 8, 0)): SPECIAL_RAISES,
    ("langchain-text-splitters", "tokens", (ENGLISH, 8, 4)): (
        "TOK606",
        "span differs: a negative start",
    ),
    ("llama-index-core", "sentences", (" lone", 1, 0)): ("TOK604", "limit exceeded: stripped"),
    ("llama-index-core", "tokens", (SPECIAL, 8, 0)): (
        "TOK610",
        "count differs: less, text of a special token",
    ),
    ("semchunk", "characters", ("a a", 2, 1)): ("TOK604", "limit exceeded: with an overlap"),
    ("semchunk", "tokens", ("\u061c", 2, 1)): ("TOK601", "raises: an overlap"),
    ("@langchain/textsplitters", "characters", ("\U0001f600" * 3, 3, 0)): (
        "TOK602",
        "cut inside a character: surrogate",
    ),
    ("@langchain/textsplitters", "tokens", (EMOJI, 4, 0)): REPLACED,
    ("@langchain/textsplitters", "tokens", (SPECIAL, 8, 0)): SPECIAL_RAISES,
    ("@langchain/textsplitters", "tokens", ("\ufeffa", 8, 0)): (
        "TOK603",
        "text is lost: U+FEFF ZERO WIDTH NO-BREAK SPACE",
    ),
}
"""A fault of a splitter, each seen with the package alone, on a text that shows it."""


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("row", FOUND_BY_HAND, ids=lambda row: f"{row[0]}:{row[1]} {row[2][1]}")
def test_a_fault_that_was_seen_by_hand_is_found(causes, row):
    package, word, trial = row
    assert FOUND_BY_HAND[row] in causes(package, word, trial)


@pytest.mark.parametrize("name", known_chunkers())
def test_a_chunker_is_documented(name):
    page = (Path(__file__).parents[3] / "docs/chunkers.md").read_text("utf-8")
    assert f"`chunker:{name}:" in page
    for word in known_chunkers()[name].names:
        assert f":{word}`" in page

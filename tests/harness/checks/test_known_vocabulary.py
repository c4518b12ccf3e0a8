"""A vocabulary is recognized by the bytes of its tokens, whatever the format and the name."""

import os
import random
from pathlib import Path

import pytest

from tokharness.checks import known_vocabulary
from tokharness.diagnosis.vocabulary import known
from tokharness.diagnosis.vocabulary.known import Known, fingerprint
from tokharness.engine.worker.findings import run_audits
from tokharness.model import target_of
from tokharness.targets.loading import load_target
from tokharness.targets.subject import Subject

SIZE = 5000


class Vocabulary:
    """A tokenizer of some tokens."""

    def __init__(self, tokens, special=()):
        self.tokens = dict(enumerate(tokens))
        self.n_vocab = len(self.tokens)
        self.special_tokens = {text: self.n_vocab + number for number, text in enumerate(special)}
        self.n_vocab += len(special)

    def encode(self, text):
        return []

    def decode(self, ids):
        return ""

    def decode_single_token_bytes(self, number):
        return self.tokens[number]


def words(seed, number=SIZE):
    generator = random.Random(seed)
    letters = b"abcdefghijklmnopqrstuvwxyz"
    found = {bytes(generator.choices(letters, k=6)): None for _ in range(number)}
    return list(found)


@pytest.fixture
def published(monkeypatch):
    """Two published vocabularies, of which nothing is alike."""
    both = {name: words(name) for name in ("Ada", "Bel")}
    table = tuple(
        Known(name, (f"{name.lower()}7b",), "a test", fingerprint(dict(enumerate(tokens))))
        for name, tokens in both.items()
    )
    monkeypatch.setattr(known, "known", lambda: table)
    return both


@pytest.fixture
def found(published):
    """Return a function that gives the kind and the parameters of what is found."""

    def audit(tokens, path="vocabulary.json", scheme="reference", **settings):
        subject = Subject(target_of(f"{scheme}:{path}", Vocabulary(tokens, **settings)))
        failures = known_vocabulary.audit(subject)
        return [(one.cause.kind, *(value for _, value in one.cause.parameters)) for one in failures]

    return audit


def test_a_published_vocabulary_is_known_by_its_tokens_in_order(found, published):
    assert found(published["Ada"]) == [("known vocabulary", "Ada")]
    assert found(published["Ada"], special=["<s>", "</s>"]) == [("known vocabulary", "Ada")]


def test_a_vocabulary_that_was_made_longer_is_near(found, published):
    longer = [*published["Ada"], *words("more", 500)]
    assert found(longer) == [("near to a known vocabulary", "Ada")]


def test_the_same_tokens_with_different_ids_are_near(found, published):
    (near,) = found(published["Ada"][::-1])
    assert near == ("near to a known vocabulary", "Ada")


def test_an_unknown_vocabulary_is_nothing_to_report(found):
    assert found(words("Cho")) == []
    assert found(words("Ada")[:100]) == []  # too few tokens to compare


def test_a_name_of_another_vocabulary_is_a_risk(found, published):
    assert found(published["Bel"], "hub/ada-7b/tokenizer.json") == [
        ("known vocabulary", "Bel"),
        ("another vocabulary than its name says", "Ada", "Bel"),
    ]
    assert found(words("Cho"), "Ada_7B.json")[-1][1:] == ("Ada", "another model")


@pytest.mark.parametrize(
    "path", ["bel-7b.json", "ada-7b-and-bel-7b.json", "ada-7b/x/vocabulary.json", "ada.json"]
)
def test_a_name_that_fits_or_says_nothing_is_no_risk(found, published, path):
    assert found(published["Bel"], path) == [("known vocabulary", "Bel")]


def test_the_name_of_a_program_says_nothing_of_its_vocabulary(found, published):
    assert found(published["Bel"], "ada-7b.py:make", "python") == [("known vocabulary", "Bel")]


def test_a_vocabulary_that_was_made_of_the_named_one_is_no_risk(found, published):
    kinds = [kind for kind, *_ in found([*published["Ada"], *words("more")], "ada-7b-more.json")]
    assert kinds == ["near to a known vocabulary"]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 1.0])
def test_a_share_is_estimated_within_four_standard_errors(published, share):
    common = int(SIZE * share)
    own = fingerprint(dict(enumerate([*published["Ada"][:common], *words("other", SIZE - common)])))
    estimated = known.likeness(own, known.known()[0]).places
    assert abs(estimated - share) < 4 * (0.5 / known.SKETCH_SIZE**0.5)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("Qwen3-4B/tokenizer.json", "Qwen 2 to 3"),
        ("qwen2.5-7b/tokenizer.json", "Qwen 2 to 3"),
        ("Llama-2-7b-hf/tokenizer.json", "Llama 2"),
        ("mistral-7b-instruct-v0.2.gguf", "Mistral 7B v0.1"),
        ("Qwen3.5-9B/tokenizer.json", None),
        ("llama-2048/tokenizer.json", None),
        ("Pixtral-Large-Instruct-2411/tokenizer.model", None),
        ("someone+protGPT2/tokenizer.json", None),
        ("codellama2/tokenizer.model", None),
        ("my_gpt2/tokenizer.json", "GPT-2"),
    ],
)
def test_a_longer_word_or_version_is_another_name(path, name):
    assert [one.name for one in known.named_in(path)] == ([name] if name else [])


FILES = os.environ.get("TOKHARNESS_TEST_VOCABULARIES")


@pytest.mark.slow(every=3)
@pytest.mark.skipif(not FILES, reason="TOKHARNESS_TEST_VOCABULARIES names no folder")
@pytest.mark.parametrize(
    ("name", "files"),
    {
        "Llama 2": ("hf/llama2.json", "gguf/ggml-vocab-llama-spm.gguf"),
        "Qwen 2 to 3": ("hf/qwen3.json", "gguf/ggml-vocab-qwen2.gguf"),
        "BERT, uncased": (
            *("hf/bert-uncased.json", "wordpiece/bert-uncased-vocab.txt"),
            "gguf/ggml-vocab-bert-bge.gguf",
        ),
    }.items(),
)
def test_all_forms_of_a_vocabulary_have_one_fingerprint(name, files):
    for file in files:
        subject = Subject(load_target(f"reference:{Path(FILES) / file}"))
        (fact,) = run_audits([known_vocabulary_check()], subject)["TOK413"]
        assert dict(fact.cause.parameters) == {"of": name}


def known_vocabulary_check():
    from tokharness import plugins

    return plugins.checks()["TOK413"]


class Decoded:
    """A vocabulary that only decodes; its last tokens are parts of characters."""

    def __init__(self, tokens):
        self.tokens, self.n_vocab = tokens, len(tokens) + 100

    def encode(self, text):
        return []

    def decode(self, ids):
        return b"".join([*self.tokens, *[b"\xe4"] * 100][i] for i in ids).decode("utf-8", "replace")


@pytest.mark.parametrize(("scheme", "kinds"), [("python", ["known vocabulary"]), ("hf", [])])
def test_a_program_is_recognized_by_the_texts_of_its_ids(published, scheme, kinds):
    failures = list(
        known_vocabulary.audit(Subject(target_of(f"{scheme}:x", Decoded(published["Ada"]))))
    )
    assert [one.cause.kind for one in failures] == kinds
    assert all("--against" in one.cause.message for one in failures)


def test_a_program_with_another_vocabulary_is_near_to_none(published):
    subject = Subject(target_of("python:x", Decoded(words("Cid"))))
    assert list(known_vocabulary.audit(subject)) == []

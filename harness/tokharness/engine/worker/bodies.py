"""Bodies of texts of which a snapshot keeps digests: tokens, ordinary texts, and a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.diagnosis.probes.running_text import page, snippets
from tokharness.diagnosis.vocabulary.corpus import texts_of_corpus
from tokharness.edits import writing_of
from tokharness.engine.worker.vocabularies import token_texts
from tokharness.model import TargetFacts
from tokharness.unicode.languages import all_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.model import Description
    from tokharness.targets.subject import Subject

__all__ = ["CORPUS", "ORDINARY", "TOKENS", "bodies"]

TOKENS, ORDINARY, CORPUS = "tokens' own texts", "ordinary texts", "lines of the corpus"

FAMILIES = ("sentences", "code", "plain-words", "code-switching")
"""Families whose texts people write; of each, every text counts, in whatever profile."""

MAX_LENGTH = 1000
"""Characters of a token; a longer one belongs to no vocabulary that people use."""

MAX_LINE = 2000
"""Characters of a text of a corpus; a longer line is cut."""


def bodies(
    subject: Subject, description: Description | None
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the name and the texts of each body, without repetition, always in one order.

    The tokens are those of a description, so that another engine with the same file has the same
    texts. Without a description they are the tokens of the target, or else of its reference.
    """
    if description is not None:
        tokens = tuple(_described_tokens(description))
    else:
        tokens = token_texts(subject)
    yield TOKENS, list(dict.fromkeys(tokens))
    yield ORDINARY, list(dict.fromkeys(_ordinary_texts()))
    if subject.corpus is not None:
        yield CORPUS, list(dict.fromkeys(_lines(subject.corpus)))


def _described_tokens(description: Description) -> Iterator[str]:
    """Yield the tokens that are text; one that continues a word stands behind its first token."""
    writing = writing_of(description)
    for entry in description.tokens:
        text = writing.text(entry.token)
        if text and "\ufffd" not in text and len(text) <= MAX_LENGTH:
            yield _beginning(text) + text if writing.continues(entry.token) else text


def _beginning(text: str) -> str:
    """Return a character that makes no longer token with the text behind it, as a rule."""
    return "q" if text[0].isdigit() else "7"


def _ordinary_texts() -> Iterator[str]:
    """Yield names of CLDR in every language, sentences, code, and each of their words."""
    yield from all_names()
    for name in FAMILIES:
        if name in plugins.families():
            yield from plugins.families()[name].texts(TargetFacts(profile="quick"))
    for text in (page(), *snippets().values()):
        for line in text.splitlines():
            yield line
            yield from (f" {word}" for word in line.split())


def _lines(corpus: str) -> Iterator[str]:
    for text, _, _ in texts_of_corpus(corpus):
        for line in text.splitlines():
            yield from (line[start : start + MAX_LINE] for start in range(0, len(line), MAX_LINE))

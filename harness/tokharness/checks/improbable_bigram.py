"""Two incomplete tokens form a character between scripts that never stand together.

Why it matters: a model knows a token that ends inside a character only next to the tokens that
usually complete it. In a text that joins it to another script, no training text is like it. Jang et
al. (2024), "Improbable Bigrams Expose Vulnerabilities of Incomplete Tokens in Byte-Level
Tokenizers", found that models often cannot repeat such a text, and fail far less often if the same
text is encoded as other tokens. So a short text makes a model fail, and no filter expects it.

Oracle: static, over the vocabulary, and then the target itself. Of two tokens the first one ends
inside a character and the second one begins there, the bytes between them are an assigned
character, and the whole characters of both have no script in common (Script_Extensions; Han stands
together with kana, Hangul and Bopomofo, and Latin with all scripts). A pair is counted only if
the target encodes the text of both to exactly these two ids.

How it works: if there are more than 3,000 pairs, an even sample of them is encoded, and the message
says so. The table has the most frequent pairs of scripts, each with a text and its ids.

Verdicts: *fact*, once. Every vocabulary of byte-level byte-pair encoding that has incomplete tokens
of several scripts has such pairs, and encodes them as it should: no text is lost. What a model does
with them is no property of its tokenizer.

Example: the vocabulary o200k_base, with a text of two Georgian letters and a Telugu one::

    TOK410 fact  improbable bigrams   1,913 of 2,717 pairs, among them the ids 671 and 13,981

What to do: use the texts of the table when the model is evaluated. Before a vocabulary is trained,
forbid merges that end inside a character, except those within one character. In production, reject
words that join two scripts, or encode them character by character.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.token_content.texts import PARTIAL, content_texts
from tokharness.diagnosis.vocabulary.bigrams import pairs_of, produced
from tokharness.diagnosis.vocabulary.byte_table import byte_table
from tokharness.model import Cause, Failure, Verdict
from tokharness.unicode.scripts import script_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.diagnosis.vocabulary.bigrams import Bigram
    from tokharness.targets.subject import Subject

CODE = "TOK410"
NAME = "improbable-bigram"
REQUIRES = ("decode_single_token_bytes or bytes_inside", "n_vocab")

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]

MOST_TRIED = 3000
MOST_SHOWN = 20


def audit(subject: Subject) -> Iterator[Failure]:
    """Encode the texts of pairs of incomplete tokens, and count those that give both tokens."""
    vocabulary = byte_table(subject)
    partial = [number for number, text in content_texts(subject).items() if PARTIAL in text]
    pairs = pairs_of({number: vocabulary[number] for number in partial if number in vocabulary})
    tried = pairs[:: -(-len(pairs) // MOST_TRIED)] if pairs else []
    found = produced(tried, subject)
    if found:
        shortest = min(found, key=lambda pair: (len(pair.text), pair.ids))
        first, second = shortest.ids
        sample = f", an even sample of {len(pairs):,}" if len(pairs) > len(tried) else ""
        message = (
            "pairs of incomplete tokens that the encoder gives for a text of two scripts: "
            f"{len(found):,} of {len(tried):,}{sample}; for example ids {first:,} and {second:,}"
        )
        yield Failure(
            Cause("improbable bigrams", (), Verdict.FACT, message),
            count=len(found),
            text=shortest.text,
            evidence={"pairs": len(pairs), "tried": len(tried), "scripts": _rows(found)},
            tokens={"": {number for pair in found for number in pair.ids}},
        )


def _rows(found: Sequence[Bigram]) -> list[dict[str, Any]]:
    """Return a row for each of the most frequent pairs of scripts."""
    counts = Counter(pair.scripts for pair in found)
    examples = {pair.scripts: pair for pair in reversed(found)}
    return [
        {
            "scripts": " and ".join(map(script_name, scripts)),
            "pairs": count,
            "example": examples[scripts].text,
            "its ids": examples[scripts].ids,
        }
        for scripts, count in counts.most_common(MOST_SHOWN)
    ]

"""The vocabulary uses tokens only to make one longer token each.

Why it matters: byte-pair encoding keeps each merge as a token. If "Fan" always follows
"TheNitrome", the token of the longer name takes every place of the shorter one, which is then never
trained. Such tokens are among the best known glitch tokens: a model cannot repeat them, and writes
something else. They also cost rows of the embedding matrix.

Oracle: static, over the vocabulary, without a corpus. A token is reported if other tokens hold it
only as the start, or only as the end, of one longer token, which is this token and another one, and
which was made right after it: at most ten tokens later, and at most a thousandth of its id. Ids are
in the order of merges, most frequent first, and frequencies fall as ranks grow: so at most about
one in a thousand of the places of the token was left for it alone.

How it works: ids count as the order of merges if at least 98% of the tokens are two tokens with
smaller ids. Nothing is reported for other vocabularies, such as those of Unigram. Parts of
characters (TOK402), runs of one character and words to which the longer token only adds a space are
left out. The eleven tokens that the report of Land and Bartolo (2024, "Fishing for Magikarp") on
GPT-2 medium lists as under-trained are all among the 15 that are reported for its vocabulary.

Verdicts: *risk*, one finding for all such tokens. A token may be produced all the same, by a text
that the longer token does not fit; TOK401 says by which text.

Example: the vocabulary of GPT-2, in which only id 42,090 uses id 42,089, " TheNitrome"::

    TOK409 risk  scaffold tokens   15 of 50,256 tokens, among them "cloneembedreportprint" (30,899)

What to do: before a model is trained, remove these tokens from the vocabulary, or train it on a
corpus without the texts that are repeated so often. Afterwards mask their ids when sampling, reject
them in inputs, and look at their embeddings. A vocabulary that was extended with a list of words
has such steps for each word, and they may be frequent: count them in a corpus (TOK411).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.token_content.texts import content_texts
from tokharness.diagnosis.vocabulary.scaffolds import scaffolds
from tokharness.diagnosis.vocabulary.taken_tokens import risk_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.model import Failure
    from tokharness.targets.subject import Subject

CODE = "TOK409"
NAME = "scaffold-token"
REQUIRES = ("decode_single_token_bytes or token_text", "n_vocab")

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]


def audit(subject: Subject) -> Iterator[Failure]:
    """Report the tokens that are only used by one other token, which was made just after them."""
    texts = content_texts(subject)
    found = list(scaffolds(texts))
    if found:
        longest = max(found, key=lambda one: len(one.text))
        message = (
            "the vocabulary uses tokens only to make one longer token each, right after them: "
            f"{len(found):,} of {len(texts):,}, for example id {longest.number:,} for id "
            f"{longest.user:,}"
        )
        yield risk_of("scaffold tokens", message, found, texts)

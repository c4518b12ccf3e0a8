r"""The space before a word joins some words and not others.

Why it matters: a prompt that ends in a space, a word at the start of a line and the same word
within a sentence are different tokens to the model. A model can learn one consistent policy; a
policy that changes from word to word makes prompts brittle.

Oracle: metamorphic, a word compared with the same word after a space. The policy is inferred from
outside, over words of the vocabulary, or over a few dozen common words if the vocabulary cannot be
read.

Verdicts: *fact*, once, for the policy (the space joins the word; it stands alone; mixed) and
the shares of words that are one token with and without the space. *Risk*, once, for the words that
break the target's own policy, with their number. A space that is added or lost shows as a lossy
round trip (TOK101).

Example: a vocabulary in which nearly every word has a token with the space, and one does not::

    TOK301 risk  space stands alone   " |\u4e2d\u6587"

What to do: do not end prompts with a space; to change the policy, train with another pre-tokenizer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.ids.token_texts import token_texts
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK301"
NAME = "leading-space-inconsistency"

__all__ = ["CODE", "NAME", "audit"]

COMMON_WORDS = [
    *("the", "of", "and", "to", "in", "is", "was", "for", "on", "are", "as", "with", "they", "at"),
    *("be", "this", "have", "from", "or", "one", "had", "by", "word", "but", "not", "what", "all"),
    *("were", "we", "when", "your", "can", "said", "there", "use", "an", "each", "which", "she"),
    *("do", "how", "their", "if", "will", "up", "other", "about", "out", "many", "then", "them"),
    *("these", "so", "some", "her", "would", "make", "like", "him", "into", "time", "has", "look"),
    "two",
]
MOST_WORDS = 5000
POLICY_SHARE = 0.9
JOINS, ALONE = "the space joins the word", "the space stands alone"


def audit(subject: Subject) -> Iterator[Failure]:
    """Report the policy, then the words that break it."""
    spaced = token_texts([" " + word for word in _words(subject)], subject)
    parts = {text.removeprefix(" "): tokens for text, tokens in spaced.items()}
    if not parts:
        return
    joined = [word for word, tokens in parts.items() if tokens[0] != " "]
    alone = [word for word, tokens in parts.items() if tokens[0] == " "]
    share = len(joined) / len(parts)
    policy = JOINS if share >= POLICY_SHARE else ALONE if share <= 1 - POLICY_SHARE else "mixed"
    yield Failure(
        Cause(
            "leading-space policy",
            (("is", policy),),
            Verdict.FACT,
            f"{policy}: {share:.1%} of {len(parts):,} words join the space before them"
            f"{_shares_of_single_tokens(parts, subject)}",
        ),
        text=" " + next(iter(parts)),
        evidence={"policy": policy, "words": len(parts), "joined": len(joined)},
    )
    exceptions = sorted({JOINS: alone, ALONE: joined}.get(policy, []), key=lambda w: (len(w), w))
    if exceptions:
        behavior = "stands alone" if policy == JOINS else "joins the word"
        yield Failure(
            Cause(
                f"space {behavior}",
                (),
                Verdict.RISK,
                f"the space {behavior} for {len(exceptions):,} of {len(parts):,} words, against "
                "the target's own policy",
            ),
            count=len(exceptions),
            text=" " + exceptions[0],
            evidence={"words": exceptions[:20]},
        )


def _words(subject: Subject) -> list[str]:
    """Words of the vocabulary, sampled evenly, or common English ones if it cannot be read."""
    target = subject.target
    if not target.can("decode_single_token_bytes") or not target.n_vocab:
        return COMMON_WORDS
    words = set()
    for data in subject.vocabulary().values():
        text = data.decode("utf-8", "ignore")
        word = text.removeprefix(" ")
        if len(word) > 1 and word.isalpha() and text.encode() == data:
            words.add(word)
    ordered = sorted(words)
    return ordered[:: -(-len(ordered) // MOST_WORDS) or 1] or COMMON_WORDS


def _shares_of_single_tokens(parts: dict[str, list[str]], subject: Subject) -> str:
    """Shares of words that are one token without the space, with it, or both, in words."""
    bare = {**dict.fromkeys(parts, ()), **token_texts(list(parts), subject)}
    both = sum(len(bare[word]) == 1 and len(tokens) == 1 for word, tokens in parts.items())
    only_bare = sum(len(bare[word]) == 1 and len(tokens) > 1 for word, tokens in parts.items())
    only_spaced = sum(len(bare[word]) > 1 and len(tokens) == 1 for word, tokens in parts.items())
    count = len(parts)
    return (
        f"; {both / count:.0%} are one token with and without the space, {only_bare / count:.0%} "
        f"only without it, {only_spaced / count:.0%} only with it"
    )

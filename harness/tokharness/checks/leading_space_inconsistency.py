r"""The space before a word joins some words and not others.

Why it matters: a word after a prompt that ends in a space, at the start of a line, and within a
sentence becomes different tokens for the model. A model can learn one consistent policy; a policy
that changes from word to word makes prompts brittle.

Oracle: metamorphic, a word at the start of a text compared with the same word after another word
and a space. A space at the start of a text is not used, since SentencePiece adds a space there. The
policy is inferred from the tokens of words of the vocabulary, or of a few dozen common words if the
vocabulary cannot be read.

Verdicts: *fact*, once, for the policy (the space joins the word; it stands alone; mixed; it is not
encoded), the scripts whose words follow the opposite policy, the shares of words that are one token
after a space and at the start of a text, and whether words get the same tokens in both places, as
they do if the tokenizer adds a space at the start. A word without a token for itself and the space
is by design of the vocabulary: the word may only occur inside longer words. *Risk*, once, for words
that break the target's own policy. Either the space stands alone although the vocabulary has a
token for the space and the word, or, in a large vocabulary, before a common word whose initial no
joined word has; or the space joins where it otherwise stands alone. Fewer than one in 500 words are
not a risk: such exceptions come from merges and scores, which TOK401 reports, not from a rule. An
added or lost space is reported as a lossy round trip (TOK101).

Example: a pattern that cuts the space off before one letter::

    TOK301 risk  space stands alone   "x| |you"

What to do: find the rule of the pre-tokenizer that treats these words differently. Train again
without that rule, or keep it for a model that has learned it. Do not end prompts with a space.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.ids.token_texts import FIRST_WORD, token_texts, tokens_after_space
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.diagnosis.probes.id_sequences import whole_texts
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised
from tokharness.unicode.properties import main_script, script_name

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
LARGE_VOCABULARY = 4096
"""Smallest size of a vocabulary that has each common word after a space, or a part of it."""

FEWEST_SHARE = 0.002
"""Smallest share of words breaking the policy that is taken for a rule."""

JOINS, ALONE, MIXED = "the space joins the word", "the space stands alone", "mixed"
NOT_ENCODED = "the space is not encoded"
SPACE_MARKS = (" ", "\u2581", "\u0120")
"""First characters of the texts of tokens with a space."""
MIN_WORDS = 20
"""Smallest number of words that show a policy of their script."""


def audit(subject: Subject) -> Iterator[Failure]:
    """Report the policy, then the words that break it."""
    parts = tokens_after_space(_words(subject), subject)
    if not parts:
        return
    if _is_not_encoded(list(parts), subject):
        message = f"{NOT_ENCODED}: the tokens of {len(parts):,} words are the same without it"
        cause = Cause("leading-space policy", (("is", NOT_ENCODED),), Verdict.FACT, message)
        evidence = {"policy": NOT_ENCODED, "words": len(parts), "joined": 0}
        yield Failure(cause, text=f"{FIRST_WORD} {next(iter(parts))}", evidence=evidence)
        return
    joined = [word for word, tokens in parts.items() if tokens[0] != " "]
    alone = [word for word, tokens in parts.items() if tokens[0] == " "]
    share = len(joined) / len(parts)
    policy = JOINS if share >= POLICY_SHARE else ALONE if share <= 1 - POLICY_SHARE else MIXED
    yield Failure(
        Cause(
            "leading-space policy",
            (("is", policy),),
            Verdict.FACT,
            f"{policy}: {share:.1%} of {len(parts):,} words join the space before them"
            f"{'' if policy == MIXED else _other_scripts(policy, joined, alone)}"
            f"{_shares_of_single_tokens(parts, subject)}{_same_at_start(list(parts), subject)}",
        ),
        text=f"{FIRST_WORD} {next(iter(parts))}",
        evidence={"policy": policy, "words": len(parts), "joined": len(joined)},
    )
    exceptions = {JOINS: _against_vocabulary(alone, parts, subject), ALONE: joined}.get(policy, [])
    if len(exceptions) > len(parts) * FEWEST_SHARE:
        exceptions.sort(key=lambda word: (len(word), word))
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
            text=f"{FIRST_WORD} {exceptions[0]}",
            evidence={"words": exceptions[:20]},
        )


def _against_vocabulary(
    words: list[str], parts: dict[str, list[str]], subject: Subject
) -> list[str]:
    """Words that have a token together with the space, or are so common that they should have."""
    vocabulary = set(subject.vocabulary().values())
    is_small = (subject.target.n_vocab or LARGE_VOCABULARY) < LARGE_VOCABULARY
    initials = {word[0] for word, tokens in parts.items() if tokens[0] != " "}
    expected = () if is_small else [word for word in COMMON_WORDS if word[0] not in initials]
    return [word for word in words if f" {word}".encode() in vocabulary or word in expected]


def _other_scripts(policy: str, joined: list[str], alone: list[str]) -> str:
    """Describe the scripts whose words follow the opposite policy; "" if there are none."""
    ours, others = (joined, alone) if policy == JOINS else (alone, joined)
    counts, opposite = (Counter(map(main_script, words)) for words in (ours, others))
    scripts = [
        script_name(code)
        for code, count in opposite.most_common()
        if count >= MIN_WORDS and count >= POLICY_SHARE * (count + counts[code])
    ]
    return f", but not before words in {', '.join(scripts)}" if scripts else ""


def _words(subject: Subject) -> list[str]:
    """Words of the vocabulary, sampled evenly, or common English words if it cannot be read."""
    target = subject.target
    if not target.can("decode_single_token_bytes") or not target.n_vocab:
        return COMMON_WORDS
    words = set()
    for text in whole_texts(subject).values():
        word = text.removeprefix(" ")
        if len(word) > 1 and word.isalpha():
            words.add(word)
    ordered = sorted(words)
    return ordered[:: -(-len(ordered) // MOST_WORDS) or 1] or COMMON_WORDS


def _shares_of_single_tokens(parts: dict[str, list[str]], subject: Subject) -> str:
    """Shares of words that are one token at the start of a text, after a space, or both."""
    first = {**dict.fromkeys(parts, ()), **token_texts(list(parts), subject)}
    both = sum(len(first[word]) == 1 and len(tokens) == 1 for word, tokens in parts.items())
    only_first = sum(len(first[word]) == 1 and len(tokens) > 1 for word, tokens in parts.items())
    only_spaced = sum(len(first[word]) != 1 and len(tokens) == 1 for word, tokens in parts.items())
    count = len(parts)
    return (
        f"; {both / count:.0%} are one token after a space and at the start of a text, "
        f"{only_first / count:.0%} only at the start, {only_spaced / count:.0%} only after a space"
    )


def _is_not_encoded(words: list[str], subject: Subject) -> bool:
    """Whether no word has a mark for the space before it, as in WordPiece, where words are split.

    The decoded text has spaces between words, too.
    """
    if not subject.target.can("token_text") or not _same_at_start(words, subject):
        return False
    rows = encode_all([f"{FIRST_WORD} {word}" for word in words], subject)
    numbers = {number for ids in rows if not isinstance(ids, Raised) for number in ids}
    texts = subject.target.call_each("token_text", sorted(numbers))
    return not any(isinstance(text, str) and text.startswith(SPACE_MARKS) for text in texts)


def _same_at_start(words: list[str], subject: Subject) -> str:
    """Say that words get the same ids at the start of a text and after a space; "" if not."""
    texts = [FIRST_WORD, *words, *(f"{FIRST_WORD} {word}" for word in words)]
    rows = encode_all(texts, subject)
    if any(isinstance(ids, Raised) for ids in rows):
        return ""
    first, *ids_of_words = (without_affixes(list(ids), subject) for ids in rows)
    at_start, after_space = ids_of_words[: len(words)], ids_of_words[len(words) :]
    same = [[*first, *ids] for ids in at_start] == after_space
    return "; words get the same tokens at the start of a text as after a space" if same else ""

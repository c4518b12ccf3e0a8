"""The vocabulary has tokens that only serve to make one longer token.

Why it matters: byte-pair encoding keeps each merge as a token. If "Fan" always follows
"TheNitrome", the token of the longer name takes every occurrence of "TheNitrome", which is then
never trained. Such tokens are among the best known glitch tokens: a model cannot repeat them, and
writes something else. They also waste rows of the embedding matrix.

Oracle: static, over the vocabulary, without a corpus. A token is reported if other tokens hold it
only as the start, or only as the end, of one longer token. The longer token must consist of this
token and another token, and must have been made right after it: at most ten tokens later, and at
most a thousandth of its id. Ids are in the order of merges, most frequent first, and frequencies
fall as ranks grow: so the token kept at most about one in a thousand of its occurrences.

How it works: ids count as the order of merges if at least 98% of the tokens consist of two tokens
with smaller ids. Nothing is reported for other vocabularies, such as Unigram vocabularies. Parts of
characters (TOK402), runs of one character and words to which the longer token only adds a space are
left out. The eleven tokens that the report of Land and Bartolo (2024, "Fishing for Magikarp") on
GPT-2 medium lists as under-trained are all among the 15 that are reported for its vocabulary.

Verdicts: *risk*, one finding for all such tokens. A text that the longer token does not fit may
still produce the token; TOK401 names such a text.

Example: the vocabulary of GPT-2, in which only id 42,090 uses id 42,089, " TheNitrome"::

    TOK409 risk  scaffold tokens   15 of 50,256 tokens, among them "cloneembedreportprint" (30,899)

What to do: before a model is trained, remove these tokens from the vocabulary, or train it on a
corpus without the texts that are repeated so often. Afterwards mask their ids when sampling, reject
them in inputs, and look at their embeddings. A vocabulary that was extended with a list of words
has such tokens for each word, and they may be frequent: count them in a corpus (TOK411).
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from tokharness.diagnosis.token_content.texts import PARTIAL, content_texts
from tokharness.diagnosis.vocabulary.taken_tokens import TakenToken, risk_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from tokharness.model import Failure
    from tokharness.targets.subject import Subject

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]


# Tokens in the order of their ids, and whether the ids follow the order of merges.

SAMPLE = 2000
"""Number of tokens that show whether ids follow the order of merges."""

ENOUGH = 0.98
"""Share of tokens that consist of two tokens with smaller ids, if ids follow the order of merges.

The share is 0.99 and more for vocabularies of merges, and at most 0.85 for Unigram and BERT's
WordPiece.
"""

BORDER = "\ufdd0"
"""Separator around each token, a noncharacter."""


class OrderedTokens:
    """The texts of tokens in the order of their ids, with U+FFFD for parts of characters.

    ``places`` has the first place of each text.
    """

    def __init__(self, texts: Mapping[int, str]) -> None:
        self.ids = sorted(texts)
        self.tokens = [texts[number] for number in self.ids]
        backwards = range(len(self.ids) - 1, -1, -1)
        self.places = dict(zip(reversed(self.tokens), backwards, strict=True))
        self._joined = _joined(self.tokens)
        lengths = (len(text) + len(BORDER) for text in self.tokens)
        self._starts = [*accumulate(lengths, initial=len(BORDER))]

    def inside_next(self, most: int) -> list[int]:
        """Return the places of tokens of two or more characters that one of the next tokens holds.

        ``most`` is the number of next tokens that are searched.
        """
        find = self._joined.find
        starts = self._starts + self._starts[-1:] * most
        return [
            place
            for place, text in enumerate(self.tokens)
            if len(text) > 1 and find(text, starts[place + 1], starts[place + 1 + most]) >= 0
        ]

    def holding(self, texts: Collection[str]) -> Mapping[str, str]:
        """Return the joined tokens that hold a text's first two characters, by these characters."""
        found: dict[str, list[str]] = {text[:2]: [] for text in texts}
        for token in self.tokens:
            for pair in found.keys() & {token[at : at + 2] for at in range(len(token) - 1)}:
                found[pair].append(token)
        return {pair: _joined(tokens) for pair, tokens in found.items()}

    def follow_merges(self) -> bool:
        """Whether nearly every token is two earlier tokens; a character counts as a token."""
        step = max(1, len(self.tokens) // SAMPLE)
        sample = [
            place
            for place in range(0, len(self.tokens), step)
            if len(self.tokens[place]) > 1 and PARTIAL not in self.tokens[place]
        ]
        return sum(map(self._is_merged, sample)) >= ENOUGH * len(sample) > 0

    def _is_merged(self, place: int) -> bool:
        text = self.tokens[place]
        return any(
            self._is_before(place, text[:cut]) and self._is_before(place, text[cut:])
            for cut in range(1, len(text))
        )

    def _is_before(self, place: int, text: str) -> bool:
        return len(text) == 1 or self.places.get(text, place) < place


def is_only_inside(text: str, longer: str, joined: str) -> bool:
    """Whether joined tokens hold a text only as the start or the end of ``longer``.

    The token that is the text itself does not count.
    """
    ahead = 0 if longer.startswith(text) else len(longer) - len(text)
    itself = f"{BORDER}{text}{BORDER}"
    at = joined.find(text)
    while at >= 0:
        if not joined.startswith(longer, max(0, at - ahead)) and not joined.startswith(
            itself, at - 1
        ):
            return False
        at = joined.find(text, at + 1)
    return True


def _joined(tokens: Iterable[str]) -> str:
    return f"{BORDER}{BORDER.join(tokens)}{BORDER}"


# Tokens that are only a step towards one longer token, which was made just after them.

MOST_BETWEEN = 10
"""Largest number of tokens from a token to the token that uses it."""

RANKS = 1000
"""Smallest number of merges before a token, per token from it to the token that uses it.

Frequencies fall as ranks grow (Zipf's law): if merge 5,005 uses merge 5,000, only about one in a
thousand occurrences of merge 5,000 is left over.
"""


def scaffolds(texts: Mapping[int, str]) -> Iterator[TakenToken]:
    """Yield the scaffolds among tokens, by their ids; none if ids are not in the order of merges.

    Parts of characters, single characters, runs of one character, and words that are only used by
    the word after a space (without the space, such a word stands at the start of a line) are left
    out.
    """
    tokens = OrderedTokens(texts)
    if not tokens.follow_merges():
        return
    users: dict[int, int] = {}
    for place in tokens.inside_next(MOST_BETWEEN):
        text = tokens.tokens[place]
        if PARTIAL not in text and len(set(text.strip())) > 1:
            user = _first_user(place, tokens)
            users |= {} if user is None else {place: user}
    joined = tokens.holding([tokens.tokens[place] for place in users])
    for place, user in users.items():
        text, longer = tokens.tokens[place], tokens.tokens[user]
        if is_only_inside(text, longer, joined[text[:2]]):
            yield TakenToken(tokens.ids[place], text, tokens.ids[user], longer)


def _first_user(place: int, tokens: OrderedTokens) -> int | None:
    """Return the place of the next token that holds a token, if it is that and another token."""
    text = tokens.tokens[place]
    most = min(MOST_BETWEEN, place // RANKS)
    for later in range(place + 1, min(place + 1 + most, len(tokens.tokens))):
        longer = tokens.tokens[later]
        if text in longer and longer != text:
            rest = longer.removeprefix(text)
            rest = longer.removesuffix(text) if rest == longer else rest
            is_merged = tokens.places.get(rest, later) < later
            return later if is_merged and rest != " " else None
    return None


CODE = "TOK409"
NAME = "scaffold-token"
REQUIRES = ("decode_single_token_bytes or token_text", "n_vocab")


def audit(subject: Subject) -> Iterator[Failure]:
    """Report tokens that are only used by one other token, which was made just after them."""
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

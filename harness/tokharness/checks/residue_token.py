"""Tokens occur in a corpus only inside longer tokens.

Why it matters: byte-pair encoding keeps each merge as a token, even if nearly every occurrence of
it is merged again. A model that is trained on such a corpus never sees the token: its embedding
stays as it was initialized, and the effect of an input with it is unknown. The same rows of the
embedding matrix could hold tokens that shorten text.

Oracle: the target encodes the corpus, and its tokens are counted. A token is reported if the target
never gives it, although its text is inside longer tokens at least 100 times. A token that takes 3%
of such places would be missing by chance less than once in twenty cases.

How it works: the corpus is a UTF-8 file, a folder with files named ``*.txt``, or the files of a
pattern. The first 32 MiB are read, and encoded in pieces that end after a line. A corpus is too
small to judge a vocabulary if it has fewer than ten tokens for each token of the vocabulary: then
only the fact is reported. Parts of characters, single characters, and texts that several tokens
share are left out.

Verdicts: *risk*, one finding for all such tokens. *Fact*, once, for the numbers of tokens that the
corpus uses, uses once and never uses. Many tokens are unused if the corpus lacks their language.

Example: the vocabulary of GPT-2, and a corpus of Python programs::

    TOK411 risk  residue tokens   602 of 50,256 tokens, among them " ma" (in " match" and others)

What to do: if the corpus is like the text that the model is trained on, leave these tokens out of
the next vocabulary, or mask their ids when sampling. If not, pass a corpus that is. TOK409 finds
the most certain of these tokens without a corpus.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokharness.diagnosis.token_content.texts import PARTIAL, content_texts
from tokharness.diagnosis.vocabulary.corpus import corpus_use
from tokharness.diagnosis.vocabulary.taken_tokens import TakenToken, risk_of
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.diagnosis.vocabulary.corpus import CorpusUse
    from tokharness.targets.subject import Subject

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]


# Tokens that a corpus never has, although longer tokens that it often has hold their text.

FEWEST = 100
"""Smallest number of times that a text is inside longer tokens.

If a token took 3% of such places, its absence from all of them would have a probability below 5%.
"""

LONGEST = 64
"""Longest token, in characters, that is searched for other tokens."""


def residues(texts: Mapping[int, str], counts: Mapping[int, int]) -> list[TakenToken]:
    """Return the tokens that are never given and whose text is inside other tokens; most first.

    Parts of characters, single characters, and texts that several tokens share are left out.
    """
    several = Counter(texts.values())
    unused = {
        text: number
        for number, text in texts.items()
        if not counts.get(number) and len(text) > 1 and PARTIAL not in text and several[text] == 1
    }
    times: Counter[str] = Counter()
    users: dict[str, int] = {}
    for user in sorted(texts, key=lambda number: -counts.get(number, 0)):
        if not counts.get(user):
            break
        for text in _parts(texts[user]):
            if text in unused:
                times[text] += counts[user]
                users.setdefault(text, user)
    return [
        TakenToken(unused[text], text, users[text], texts[users[text]], number)
        for text, number in times.most_common()
        if number >= FEWEST
    ]


def _parts(text: str) -> set[str]:
    """Return the parts of a text that have two characters or more, without the text itself."""
    if len(text) > LONGEST:
        return set()
    ends = range(len(text) + 1)
    return {text[start:end] for start in ends for end in ends[start + 2 :]} - {text}


CODE = "TOK411"
NAME = "residue-token"
REQUIRES = ("corpus", "decode_single_token_bytes or token_text", "n_vocab")

TOKENS_PER_ENTRY = 10
"""Smallest number of a corpus's tokens per token of a vocabulary for which it is judged."""


def audit(subject: Subject) -> Iterator[Failure]:
    """Count the tokens of the corpus, and find tokens that are only inside longer tokens."""
    texts, use = content_texts(subject), corpus_use(subject)
    enough = sum(use.counts.values()) >= TOKENS_PER_ENTRY * len(texts)
    yield _use_of_the_vocabulary(texts, use, enough=enough)
    found = residues(texts, use.counts) if enough else []
    if found:
        first = found[0]
        message = (
            "tokens that the corpus has only inside of longer tokens: "
            f"{len(found):,} of {len(texts):,}, for example id {first.number:,}, whose text occurs "
            f"{first.times:,} times, mostly in id {first.user:,}"
        )
        yield risk_of("residue tokens", message, found, texts)


def _use_of_the_vocabulary(texts: Mapping[int, str], use: CorpusUse, *, enough: bool) -> Failure:
    """Return the fact of how much of the vocabulary the corpus uses."""
    used = [use.counts[number] for number in texts if use.counts.get(number)]
    once, never, total = used.count(1), len(texts) - len(used), sum(use.counts.values())
    part = "" if use.is_whole else "the first "
    small = "" if enough else ", too few to judge those of the vocabulary"
    raised = f"; texts on which the target raises: {use.raised:,}" if use.raised else ""
    message = (
        f"{part}{use.size:,} bytes of the corpus are {total:,} tokens{small}; of {len(texts):,} "
        f"tokens of the vocabulary {len(used):,} are used, {once:,} of them once, and {never:,} "
        f"are never used{raised}"
    )
    return Failure(
        Cause("use of the vocabulary", (), Verdict.FACT, message),
        count=len(used),
        evidence={
            "bytes": use.size,
            "tokens of the corpus": total,
            "tokens": len(texts),
            "used": len(used),
            "used once": once,
            "never used": never,
        },
        columns={"count": {number: use.counts.get(number, 0) for number in {*texts, *use.counts}}},
    )

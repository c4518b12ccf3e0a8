"""Bodies of texts whose digests a snapshot keeps, and the texts whose ids changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.diagnosis.probes.running_text import page, snippets
from tokharness.diagnosis.reachability.tokens import encode_own_texts
from tokharness.diagnosis.vocabulary.corpus import texts_of_corpus
from tokharness.edits import TOKENS_ALONE, writing_of
from tokharness.engine.worker.vocabularies import token_texts
from tokharness.errors import TargetDeath
from tokharness.model import TargetFacts
from tokharness.outcome import Raised
from tokharness.targets.digests import confirmed, digest_of, first_difference
from tokharness.targets.packed_digests import pack, unpack
from tokharness.targets.snapshot import ChangedText
from tokharness.unicode.languages import all_names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tokharness.engine.worker.changed_ids import EarlierIds
    from tokharness.model import Description
    from tokharness.targets.digests import Difference, Digest
    from tokharness.targets.snapshot import EarlierState, Ids
    from tokharness.targets.subject import Subject

# Bodies of texts whose digests a snapshot keeps: tokens, ordinary texts, and a corpus.

TOKENS, ORDINARY, CORPUS = "tokens' own texts", "ordinary texts", "lines of the corpus"

FAMILIES = ("sentences", "code", "plain-words", "code-switching")
"""Families of texts that people write; all texts of these families count, in every profile."""

MAX_LENGTH = 1000
"""Most characters of a token; vocabularies in use have no longer tokens."""

MAX_LINE = 2000
"""Most characters of a text of a corpus; a longer line is cut."""


def bodies(
    subject: Subject, description: Description | None
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the name and the texts of each body, without repetition, always in one order.

    The tokens come from the description, so that another engine with the same file has the same
    texts. Without a description, they come from the target, or else from its reference.
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
    """Yield the texts of tokens; before a token that continues a word, add a start of the word."""
    writing = writing_of(description)
    for entry in description.tokens:
        text = writing.text(entry.token)
        if text and "\ufffd" not in text and len(text) <= MAX_LENGTH:
            yield _beginning(text) + text if writing.continues(entry.token) else text


def _beginning(text: str) -> str:
    """Return a character that usually forms no token together with the text after it."""
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


MAX_CHANGED = 20_000
"""Most texts of a body that are looked at: the shortest texts."""

MANY, MOST = 50_000, 150_000
"""Tokens of a large and of a very large file, whose digests get fewer bits for each text."""


@dataclass(frozen=True, slots=True)
class Digests:
    """The packed digest and the number of texts of each body, and what changed since.

    ``changed`` has the texts that the digests locate, ``candidates`` all texts of blocks that
    differ, and ``counts`` the number of changed texts of each body.
    """

    packed: Mapping[str, str]
    sizes: Mapping[str, int]
    changed: tuple[ChangedText, ...]
    candidates: tuple[ChangedText, ...]
    counts: Mapping[str, int]
    not_compared: Mapping[str, int]


def take_digests(
    subject: Subject,
    earlier: EarlierState | None,
    description: Description | None,
    earlier_ids: EarlierIds | None = None,
) -> Digests:
    """Encode the texts of each body; for ``description`` see :func:`bodies`.

    If the target shows a file, the reference of the old file finds the changed texts, so that the
    digests of a large file have few bits for each text. If the target shows no file,
    ``earlier_ids`` guesses the earlier ids of a text, and the digests confirm the guess.
    """
    packed, sizes, counts, not_compared = {}, {}, {}, {}
    changed: list[ChangedText] = []
    candidates: list[ChangedText] = []
    for name, texts in bodies(subject, description):
        results = (encode_own_texts if name == TOKENS else encode_all)(texts, subject)
        ids, errors = _ids_and_errors(results)
        digest = digest_of(texts, ids, errors=errors)
        packed[name], sizes[name] = pack(digest, _bits(name, description)), len(texts)
        if earlier is None or name not in earlier.bodies:
            continue
        body = _Body(name, texts, ids, errors, unpack(earlier.bodies[name]))
        difference = first_difference(body.before, digest)
        if difference or difference.not_run:
            blocks = set(_rows_of_blocks(body.before, digest))
            known = {} if earlier_ids is None else _earlier(body, earlier_ids, difference, blocks)
            rows = known.keys() | set(difference.rows)
            located = list(_shortest(body, rows, known))
            changed += located
            candidates += [*located, *_shortest(body, blocks - rows, {})][:MAX_CHANGED]
            if difference:
                counts[name] = len(rows) + sum(
                    rows.isdisjoint(range(*one)) for one in difference.ranges
                )
        if missing := difference.other_texts + difference.not_run:
            not_compared[name] = missing
    return Digests(packed, sizes, tuple(changed), tuple(candidates), counts, not_compared)


def _ids_and_errors(results: Sequence[Any]) -> tuple[list[Any], dict[int, BaseException]]:
    """Return the ids of each text, None if the target raised, and the exceptions by row."""
    ids, errors = list(results), {}
    for row in [row for row, kind in enumerate(map(type, results)) if kind is Raised]:
        ids[row], errors[row] = None, results[row].error
    return ids, errors


def _bits(name: str, description: Description | None) -> int:
    """Return how many bits of the ids of each text are kept."""
    if description is None or len(description.tokens) <= MANY:
        return 8
    if description.format == TOKENS_ALONE:  # which no reference reads
        return 4 if len(description.tokens) <= MOST else 1
    return 0 if name == TOKENS else 2


@dataclass(frozen=True, slots=True)
class _Body:
    """The results of the texts of a body, and the earlier digest of the same texts."""

    name: str
    texts: Sequence[str]
    ids: Sequence[Any]
    errors: Mapping[int, BaseException]
    before: Digest

    def confirmed(
        self, guesses: Mapping[int, Any], *, with_bits: bool
    ) -> dict[int, tuple[int, ...]]:
        """Return the guesses of earlier ids that the digest confirms."""
        known = {row: guess for row, guess in guesses.items() if guess is not None}
        errors = self.errors
        return confirmed(self.before, self.texts, self.ids, known, errors, with_bits=with_bits)


def _earlier(
    body: _Body, earlier_ids: EarlierIds, difference: Difference, blocks: Collection[int]
) -> dict[int, tuple[int, ...]]:
    """Return the earlier ids of located texts, and of others of their blocks, if confirmed.

    A text whose tokens got new ids has changed, although its bits may be equal by chance.
    """
    texts, ids = body.texts, body.ids
    encoded = [row for row in {*difference.rows, *blocks} if _are_ids(ids[row])]
    moved = {row: earlier_ids.of_moved(texts[row], ids[row]) for row in encoded}
    known = body.confirmed(moved, with_bits=True)
    if body.name == TOKENS:  # many texts of tokens may get ids of other tokens
        own = {row: earlier_ids.of_token(texts[row]) for row in difference.rows}
        known |= body.confirmed({**own, **known}, with_bits=False)
    return known


def _are_ids(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(type(number) is int for number in value)


def _shortest(
    body: _Body, rows: Collection[int], known: Mapping[int, tuple[int, ...]]
) -> Iterator[ChangedText]:
    """Yield the shortest texts of these rows, with their ids, and their earlier ids if known."""
    texts = body.texts
    for row in sorted(rows, key=lambda row: (len(texts[row]), texts[row]))[:MAX_CHANGED]:
        after = _ids(body.ids[row], body.errors.get(row))
        yield ChangedText(body.name, texts[row], known.get(row), after)


def _rows_of_blocks(old: Digest, new: Digest) -> list[int]:
    """Return the rows of all blocks with the same texts and different results."""
    rows: list[int] = []
    start = 0
    for before, now in zip(old.blocks, new.blocks, strict=False):
        if before.texts == now.texts and before.results != now.results:
            rows += range(start, start + now.count)
        start += now.count
    return rows


def _ids(ids: Any, error: BaseException | None) -> Ids:
    if error is None:
        return tuple(ids)
    return error.reason if isinstance(error, TargetDeath) else type(error).__name__

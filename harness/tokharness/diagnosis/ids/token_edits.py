"""Differences that an edit of the reference's model explains: missing or exchanged tokens.

Words above a length may be unknown, too.

A token is gone if the reference encodes the token's shortest text to it, and the target does not.
Two tokens are exchanged if the reference gives the target's ids after the tokens swap their ranks
or scores. The reference without the gone tokens, or with the tokens swapped, predicts the ids.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.ids.alterable import (
    changes_by,
    credible_changes,
    explaining,
    ids_altered_further,
    support_of_further,
)
from tokharness.diagnosis.ids.exchanged_tokens import REPLACED, exchanges
from tokharness.diagnosis.ids.stages import MODEL, PARTS_OF_WORDS
from tokharness.diagnosis.probes.id_sequences import is_utf8
from tokharness.outcome import Raised
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from tokharness.diagnosis.ids.alterable import Key
    from tokharness.model import Target
    from tokharness.targets.subject import Subject

# What the tokens that a target never makes have in common: length, first or last characters, ids.

FEW = 3
"""Most gone tokens that are named one by one; a larger number of tokens is counted."""

LONGEST_START = 3
"""Longest common start or end of the gone tokens that is looked for, in characters."""


def name_of_gone(gone: Collection[Any], made: Collection[Any], model: Target) -> str:
    """Describe the tokens of a model that are never made, in contrast to the ``made`` tokens."""
    texts = {number: _text(number, model) for number in {*gone, *made}}
    shown = [_shown(number, texts[number], model) for number in sorted(gone)]
    if len(gone) <= FEW:
        return f"no token {' or '.join(shown)} is made"
    kept = [texts[number] for number in made if texts[number]]
    rule = _rule([texts[number] for number in sorted(gone)], kept)
    if rule:
        return f"no token {rule} is made"
    number = f"{len(gone):,} tokens are not made, such as {shown[0]}"
    return f"the last {number}" if made and min(gone) > max(made) else number


def _rule(gone: list[str], made: list[str]) -> str:
    """Describe the texts of all gone tokens in a way that fits no other token; "" if impossible."""
    longest = max(map(_length, made), default=0)
    if min(map(_length, gone)) > longest > 0:
        return f"of more than {longest} characters"
    for length in range(1, LONGEST_START + 1):
        for side, name in ((slice(length), "begins"), (slice(-length, None), "ends")):
            ends = {text[side] for text in gone}
            if len(ends) == 1 and not any(text[side] in ends for text in made):
                return f"that {name} with {ends.pop()!a}"
    return ""


def _length(text: str) -> int:
    """Return the number of characters of a token without the marks of parts of words."""
    return len(PARTS_OF_WORDS.sub("", text))


def _shown(number: Any, text: str, model: Target) -> str:
    """Show the text of a token, or its bytes if these are no text."""
    if REPLACED not in text and is_scalar(text):
        return ascii(text)
    raw = model.call("decode_single_token_bytes", number)
    if not isinstance(raw, bytes):
        return ascii(text)
    return ascii(raw.decode() if is_utf8(raw) else raw)


def _text(number: Any, model: Target) -> str:
    if model.can("token_text"):
        text = model.call("token_text", number)
    else:
        text = model.call("decode_single_token_bytes", number)
        text = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return "" if isinstance(text, Raised) else str(text)


MOST_CUT = 0.8
"""Share of the gone tokens that a border of pre-tokens explains, if it is the cause."""

ALL_PROBED = 4096
"""Size of the largest vocabulary all of whose tokens are tried once a token is gone."""

SAMPLED = 40
"""Tokens of a large vocabulary that are tried: from the first gone one on, all have to be gone."""

SEARCHES, MOST_FOUND = 8, 12
"""Most texts searched for exchanged tokens, and pairs kept."""

LETTER = "a"
LONGEST_WORD = 1 << 12
"""Characters of the longest word that is tried."""


@dataclass(slots=True)
class _Known:
    """The target's known tokens, made and gone, and the reference with each edit that was found."""

    made: set[Any] = field(default_factory=set)
    gone: set[Any] = field(default_factory=set)
    exchanged: dict[str, Target] = field(default_factory=dict)
    limits: dict[str, Target] = field(default_factory=dict)
    without: tuple[frozenset[Any], Target] | None = None
    names_of_gone: set[str] = field(default_factory=set)
    compared: int = 0
    searches: int = 0
    limit_searches: int = 0


def explaining_edits(
    text: str, ids: Sequence[Any], model: Target, subject: Subject, *, search: bool = True
) -> list[Key]:
    """Return the edits of a model's tokens that explain the target's ids of a text.

    They also give the target's ids of most failing texts that they change. Without a ``search``,
    only edits that other texts have shown are tried.
    """
    wanted = model.encode(text)
    if isinstance(wanted, Raised) or not model.can("with_edited_tokens"):
        return []
    known = _known(subject)
    known.made.update(ids)
    lacking = [number for number in dict.fromkeys(wanted) if search and number not in known.made]
    _find_gone([number for number in lacking if number not in known.gone], model, subject)
    if search and known.limit_searches < SEARCHES and model.unknown_id in {*ids, *wanted}:
        known.limit_searches += 1
        known.limits.update(_longest_words(text, model, subject))
        subject.diagnosis_pass.learned |= bool(known.limits)
    altered = {(MODEL, what): target.encode(text) for what, target in _targets(model, subject)}
    found = credible_changes(text, ids, altered, wanted, subject)
    if search and not found and known.searches < SEARCHES and len(known.exchanged) < MOST_FOUND:
        known.searches += 1
        new = dict(islice(exchanges(text, ids, wanted, model, subject), MOST_FOUND))
        known.exchanged.update(new)
        subject.diagnosis_pass.learned |= bool(new)
        altered = {(MODEL, what): list(ids) for what in new}
        found = credible_changes(text, ids, altered, wanted, subject)
    return found


def edited_ids(what: str, text: str, model: Target, subject: Subject) -> Any:
    """Return the ids of a model for a text with an edit that was found; None if there is none."""
    target = dict(_targets(model, subject)).get(what)
    return None if target is None else target.encode(text)


def is_edit(what: str, subject: Subject) -> bool:
    """Whether this describes an edit that was found."""
    known = _known(subject)
    return what in known.exchanged or what in known.names_of_gone


def _known(subject: Subject) -> _Known:
    return subject.cache.get_or_compute("edits of tokens", _Known)


def _targets(model: Target, subject: Subject) -> Iterator[tuple[str, Target]]:
    """Yield the description of each edit that was found, and the edited model."""
    known = _known(subject)
    if known.gone:
        gone = frozenset(known.gone)
        if known.without is None or known.without[0] != gone:
            target = model.with_edited_tokens({"gone": sorted(gone)})
            known.without = None if isinstance(target, Raised) else (gone, target)
        if known.without is not None:
            what = subject.cache.get_or_compute(
                f"name of gone tokens in pass {subject.diagnosis_pass.number}",
                lambda: name_of_gone(gone, known.made, model),
            )
            known.names_of_gone.add(what)
            yield what, known.without[1]
    yield from (*known.exchanged.items(), *known.limits.items())


def _find_gone(numbers: Iterable[Any], model: Target, subject: Subject) -> None:
    """Find tokens that the target never makes; after the first, search a small vocabulary whole."""
    known = _known(subject)
    first = not known.gone
    found = [number for number in numbers if _is_gone(number, model, subject)]
    if found and first and (model.n_vocab or ALL_PROBED + 1) <= ALL_PROBED:
        others = [number for number in range(model.n_vocab or 0) if number not in known.made]
        found = [number for number in others if _is_gone(number, model, subject)]
    elif found and first:
        found = _all_from(min(found), model, subject) or found
    gone = known.gone.union(found)
    borders = len(explaining(subject))
    if (found or known.compared < borders) and len(gone) <= ALL_PROBED:
        known.compared = borders
        gone -= _cut_at_a_border(gone, model, subject)
    if gone != known.gone:
        known.gone = gone
        subject.diagnosis_pass.learned = True


def _all_from(number: Any, model: Target, subject: Subject) -> list[Any]:
    """Return all ids of a large vocabulary from the first one on that is gone with all later ones.

    None if some later id is made. Reading stopped early, or an id has too few bits.
    """
    special = {*model.special_tokens.values()}
    ids = [one for one in range(model.n_vocab or 0) if one not in special]
    step = -(-len(ids) // SAMPLED) or 1

    def are_gone(start: int) -> bool:
        tried = [one for one in ids[start::step] if _is_made_by(one, model)]
        return len(tried) > 1 and all(_is_gone(one, model, subject) for one in tried)

    first = bisect_left(ids, number)
    if not are_gone(first):
        return []
    start = bisect_left(range(first), 1, key=are_gone)
    # An even sample is this far from the first one.
    near = range(start, min(start + step, len(ids)))
    made = (n for n in near if _is_made_by(ids[n], model) and not _is_gone(ids[n], model, subject))
    gone = ids[max(made, default=start - 1) + 1 :]
    rows = zip(gone, model.call_each("decode", [[one] for one in gone]), strict=True)
    return [one for one, text in rows if not isinstance(text, Raised)]


def _is_made_by(number: Any, model: Target) -> bool:
    """Whether a model makes a token of the token's shortest text."""
    text = _shortest_text(number, model)
    wanted = model.encode(text) if text else []
    return not isinstance(wanted, Raised) and number in wanted


def _cut_at_a_border(gone: Collection[Any], model: Target, subject: Subject) -> set[Any]:
    """Return the tokens that the target lacks since it cuts each between the same two classes.

    The border is one of a further alteration that explains most of them, and that other texts do
    not refute. Of few tokens, other texts have to show it, too.
    """
    likely, least = support_of_further(subject), int(len(gone) <= FEW)
    shown = explaining(subject)
    explained: defaultdict[Key, set[Any]] = defaultdict(set)
    for number in gone:
        text = _shortest_text(number, model)
        ids = subject.encode(text)
        if ids is None:
            continue
        for key, explains in changes_by(ids_altered_further, text, ids, model, subject).items():
            if explains and (likely[key] >= least or (key in shown and likely[key] >= 0)):
                explained[key].add(number)
    cut = max(explained.values(), key=len, default=set())
    return cut if len(cut) > len(gone) * MOST_CUT else set()


def _is_gone(number: Any, model: Target, subject: Subject) -> bool:
    """Whether the model makes a token of the token's shortest text, and the target does not."""
    ids = subject.encode(_shortest_text(number, model)) if _is_made_by(number, model) else None
    if ids is None:
        return False
    _known(subject).made.update(ids)
    return number not in ids


def _shortest_text(number: Any, model: Target) -> str:
    """Return a short text that a model may encode to a token; "" if none is known."""
    rows = model.call("reach", [number]) if model.can("reach") else []
    if not isinstance(rows, Raised) and rows and rows[0][0]:
        return str(rows[0][0])
    text = model.decode([number])
    return "" if isinstance(text, Raised) else text


def _longest_words(text: str, model: Target, subject: Subject) -> Iterator[tuple[str, Target]]:
    """Yield the target's limit on the length of a word, and the model with this limit.

    Longer words become the unknown token. Yield nothing if the target does not know the first
    character of the text's longest word, or if it has no limit.
    """
    pretokens = model.call("pretokens", text) if model.can("pretokens") else []
    if isinstance(pretokens, Raised) or not pretokens:
        return
    word = max(pretokens, key=len)
    known = subject.encode(word[:1])
    if known is None or model.unknown_id in known:
        return
    longer = word + word[:1] * (LONGEST_WORD - len(word))

    def is_unknown(length: int) -> bool:
        ids = subject.encode(longer[:length])
        return ids is not None and model.unknown_id in ids

    # Lengths up to the limit are known, and all others are not.
    most = bisect_left(range(1, LONGEST_WORD + 1), 1, key=is_unknown)
    ascii_ids = subject.encode(LETTER * (most + 1)) if not word.isascii() else None
    if ascii_ids is not None and model.unknown_id not in ascii_ids:
        return  # the limit does not count characters
    if 0 < most < LONGEST_WORD:
        target = model.with_edited_tokens({"longest": [most]})
        if not isinstance(target, Raised):
            yield f"words of more than {most:,} characters are unknown", target

"""Whether encoding keeps the text around special and added tokens.

``encode_special`` reads the special tokens, and the entry point for plain text the added ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, TypeVar

from tokharness.diagnosis.comparisons import compared
from tokharness.diagnosis.entry_points.affixes import affix_ids, without_affixes
from tokharness.diagnosis.entry_points.contracts import is_of_the_file
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.diagnosis.special.added import LOST as ADDED_LOST
from tokharness.diagnosis.special.added import never_encoded, own_added_tokens, setting_of
from tokharness.edits.added_tokens import added_token_edits
from tokharness.errors import TokharnessError
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised
from tokharness.targets.description import describe
from tokharness.targets.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

Item = TypeVar("Item")

SURROUNDINGS = (
    ("a", "b"),
    ("Hello", " world"),
    (" a ", " b "),
    ("a\n", "\nb"),
    ("", "b"),
    ("a", ""),
    # What a pattern cuts by looking ahead: it must not see the token.
    ("a  ", "  b"),
    ("a \n ", "\n\n b"),
    ("it'", "s"),
)
MAX_TOKENS, MAX_PAIRS = 48, 16

LOST = Cause(
    "text around a special token",
    (("is", "lost"),),
    message="encode_special loses or changes the text around a special token",
)
SPLIT = Cause(
    "text around a special token",
    (("is", "split differently"),),
    Verdict.RISK,
    "encode_special splits text around a special token differently than the text alone",
)
HIDDEN = Cause(
    "text around a special token",
    (("is", "read with the token"),),
    message="next to some text, encode_special does not give the id of a special token",
)
ADDED_HIDDEN = Cause(
    "text around an added token",
    HIDDEN.parameters,
    message="next to some text, the text of an added token does not get its id",
)
ADDED_SPLIT = Cause(
    "text around an added token",
    SPLIT.parameters,
    Verdict.RISK,
    "the text around an added token is split differently than it is alone",
)
NO_ID = Cause(
    "special token",
    (("at", "encode_special"),),
    message="encode_special does not give the id of a special token",
)


Parts = tuple[list[str], list[str]]
"""Texts, and the special tokens between them: one fewer than texts."""


@dataclass(frozen=True)
class Reading:
    """Tokens that an entry point reads, with the causes of faults around them."""

    entry_point: str
    tokens: Mapping[str, int]
    lost: Cause
    hidden: Cause
    split: Cause
    no_id: Cause | None


def surroundings_failures(subject: Subject) -> Iterator[Failure]:
    """Encode special tokens between texts; one failure for each kind of fault."""
    if subject.target.can("encode_special"):
        tokens = subject.target.special_tokens
        reading = Reading("encode_special", tokens, LOST, HIDDEN, SPLIT, NO_ID)
        yield from _failures(reading, subject)


def added_surroundings_failures(subject: Subject) -> Iterator[Failure]:
    """Encode added tokens between texts, as plain text; one failure for each kind of fault."""
    never = never_encoded(subject)
    tokens = {text: n for text, n in own_added_tokens(subject).items() if text not in never}
    causes = (ADDED_LOST, ADDED_HIDDEN, ADDED_SPLIT, None)
    yield from _failures(Reading(subject.target.entry_point, tokens, *causes), subject)


def parity_surroundings_failures(subject: Subject) -> Iterator[Failure]:
    """Compare the ids of texts around special tokens with the ids of the named reference.

    Texts that both sides encode otherwise without the token prove nothing, and TOK110 reports text
    that the target loses. The message names what the files say of the token, if they differ in it.
    """
    reference, name = subject.reference, "encode_special"
    if reference is None or not subject.claims_parity:
        return
    if not subject.target.can(name) or not reference.can(name):
        return
    tokens, other = subject.target.special_tokens, Subject(reference)
    shared = [one for one in tokens if reference.special_tokens.get(one) == tokens[one]]
    reading = Reading(name, tokens, LOST, HIDDEN, SPLIT, NO_ID)
    failing = [
        parts
        for parts in _single_tokens(shared)
        if _alone(parts[0], subject) == _alone(parts[0], other)
        and _core(parts, other) not in (None, _core(parts, subject))
        and _cause(*parts, reading, subject) is None
    ]
    if failing:
        parts = min(failing, key=_size)
        text, token = _interleave(*parts), parts[1][0]
        message = f"the ids of {name} around {token} differ from the reference's"
        if edits := _edits_of(token, subject.target.spec, reference.spec):
            message += f"; {edits}"
        cause = Cause(LOST.kind, (("is", "unlike the reference"),), message=message)
        given, wanted = _core(parts, subject), _core(parts, other)
        evidence = {"entry point": name, **compared(given, wanted, subject)}
        yield Failure(cause, count=len(failing), text=text, evidence=evidence)


def _core(parts: Parts, subject: Subject) -> list[int] | None:
    (ids,) = encode_all([_interleave(*parts)], subject, "encode_special")
    return None if isinstance(ids, Raised) else without_affixes(ids, subject, "encode_special")


def _edits_of(token: str, spec: str, reference: str) -> str:
    """Return the edits of an added token by which the file of a target differs from another one."""
    try:
        old, new = describe(reference), describe(spec)
    except TokharnessError:
        return ""
    if old is None or new is None or old.format != new.format:
        return ""
    return "; ".join(str(edit) for edit in added_token_edits(old, new) if token in edit.about)


def _failures(reading: Reading, subject: Subject) -> Iterator[Failure]:
    failed: dict[Cause, list[Parts]] = {}
    tokens = [*reading.tokens]
    for samples in (_single_tokens(tokens), _conversations(tokens)):
        for texts, specials in samples:
            cause = _cause(texts, specials, reading, subject)
            if cause is not None:
                failed.setdefault(cause, []).append((texts, specials))
        # Conversations would show the same fault differently.
        if not failed.keys().isdisjoint((reading.no_id, reading.lost, reading.hidden)):
            break
    for cause, failing in _by_setting(failed, reading, subject).items():
        texts, specials = min(failing, key=_size)
        text = _interleave(texts, specials)
        (given,) = encode_all([text], subject, reading.entry_point)
        expected = _with_added_ids(
            _expected(texts, specials, reading, subject) or [], reading, subject
        )
        evidence = {"entry point": reading.entry_point, **compared(given, expected, subject)}
        if subject.reference is not None and subject.reference.can("stages"):
            evidence["stage"] = "added tokens"
        yield Failure(cause, count=len(failing), text=text, evidence=evidence)


def _by_setting(
    failed: Mapping[Cause, list[Parts]], reading: Reading, subject: Subject
) -> dict[Cause, list[Parts]]:
    """Group failures by the setting of the reference that gives the ids of added tokens."""
    groups: dict[Cause, list[Parts]] = {}
    for cause, failing in failed.items():
        text = _interleave(*min(failing, key=_size))
        setting = (
            None if reading.no_id else setting_of(text, subject)
        )  # of special tokens, or added
        groups.setdefault(setting or cause, []).extend(failing)
    return groups


def _size(parts: Parts) -> tuple[int, str]:
    text = _interleave(*parts)
    return len(text), text


def _expected(
    texts: list[str], specials: list[str], reading: Reading, subject: Subject
) -> list[int] | None:
    """Return the ids of the texts alone, with the special ids between them; None if one raises."""
    alone = _alone(texts, subject)
    if len(alone) < len(texts):
        return None
    numbers = [reading.tokens[special] for special in specials]
    pairs = zip(numbers, alone[1:], strict=True)
    return [*alone[0], *(i for number, row in pairs for i in (number, *row))]


def _with_added_ids(ids: list[int], reading: Reading, subject: Subject) -> list[int]:
    prefix, suffix = affix_ids(subject, reading.entry_point)
    return [*prefix, *ids, *suffix]


def _alone(texts: list[str], subject: Subject) -> list[list[int]]:
    """Return the ids of each text without affixes; none for a refused text."""
    rows = map(subject.encode, texts)
    return [without_affixes(row, subject) for row in rows if row is not None]


def _single_tokens(tokens: list[str]) -> Iterator[Parts]:
    """One token between texts."""
    for special in _sample_evenly(tokens, MAX_TOKENS):
        for before, after in (*SURROUNDINGS, *_partial_tokens(special)):
            yield [before, after], [special]


def _partial_tokens(special: str) -> Iterator[tuple[str, str]]:
    """A token after its own start, or before its own end, either of which may mislead a search."""
    for size in sorted({1, 2, len(special) // 2, len(special) - 1} & {*range(1, len(special))}):
        if (special[:size] + special).find(special) == size:
            yield special[:size], ""
            yield "", special[-size:]


def _conversations(tokens: list[str]) -> Iterator[Parts]:
    """Pairs of tokens as in the turns of a conversation."""
    pairs = [*zip(tokens, [*tokens[1:], *tokens[:1]], strict=True)]
    for first, second in _sample_evenly(pairs, MAX_PAIRS):
        yield ["", "\n", ""], [first, second]
        yield ["", "", ""], [first, second]
        yield ["", "user\nhi", "\n", ""], [first, second, first]


def _sample_evenly(items: list[Item], most: int) -> list[Item]:
    return items[:: -(-len(items) // most) or 1]


def _interleave(texts: Sequence[str], specials: Sequence[str]) -> str:
    return "".join(chain.from_iterable(zip_longest(texts, specials, fillvalue="")))


def _cause(
    texts: list[str], specials: list[str], reading: Reading, subject: Subject
) -> Cause | None:
    """Cause if the ids of these texts with special tokens between them are wrong."""
    whole, name = _interleave(texts, specials), reading.entry_point
    (ids,) = encode_all([whole], subject, name)
    expected = _expected(texts, specials, reading, subject)
    if expected is None or _has_other_tokens(texts, specials, whole, subject):
        return None
    if isinstance(ids, Raised):
        return reading.no_id
    if ids == _with_added_ids(expected, reading, subject):
        return None
    if is_of_the_file(name, whole, ids, subject):
        return None
    numbers = [reading.tokens[special] for special in specials]
    core = without_affixes(ids, subject, name)
    if any(core.count(number) < expected.count(number) for number in numbers):
        if set(numbers).isdisjoint(core):
            return reading.no_id
        return reading.hidden if subject.decode(core) == whole else reading.lost
    if [i for i in core if i in numbers] != numbers:
        return reading.split  # another of two tokens with a common prefix
    if subject.decode(core) in (whole, subject.expected_text(whole)):
        return reading.split  # a decoder may drop the space at the start of each part
    parts = _split_at(core, numbers)
    pairs = zip(parts, _alone(texts, subject), strict=True)
    same = all(_text(a, subject) == _text(b, subject) for a, b in pairs)
    return reading.split if same else reading.lost


def _has_other_tokens(texts: list[str], specials: list[str], whole: str, subject: Subject) -> bool:
    """Whether the whole text has a token that is not one of ``specials`` where these stand.

    The other token may be in the texts, or made of the end of a token and the start of the next.
    """
    tokens = [*subject.special_tokens, *subject.target.added_tokens]
    forms = {text for text in (*texts, *map(subject.expected_text, texts)) if text}
    if any(token in form for form in forms for token in tokens if token):
        return True
    if any(not any(one in special for special in specials) for one in tokens if one in whole):
        return True
    at = 0
    for text, special in zip(texts, specials, strict=False):
        at += len(text)
        if whole.find(special, at - len(text)) != at:
            return True
        at += len(special)
    return False


def _split_at(ids: list[int], numbers: Collection[int]) -> list[list[int]]:
    """Split ids at the ids of special tokens."""
    parts: list[list[int]] = [[]]
    for number in ids:
        if number in numbers:
            parts.append([])
        else:
            parts[-1].append(number)
    return parts


def _text(ids: list[int], subject: Subject) -> object:
    """Decode ids to text; None if the target raises."""
    return subject.decode(ids)

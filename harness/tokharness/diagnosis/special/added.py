"""What an added token declares: its text gives its id, and its id decodes to its text.

Added tokens that are not special are read from all text, so that a fault of such a token changes
the text of users.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.entry_points.contracts import is_of_the_file
from tokharness.diagnosis.ids.altered_stages import altered_stage_causes
from tokharness.diagnosis.ids.stages import ADDED
from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.diagnosis.special.modes import ITS_TEXT, decoded_modes, sample
from tokharness.diagnosis.special.special_ids import unknown_ids
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokharness.targets.subject import Subject

KIND = "added token"
MOST, MOST_SHOWN = 512, 50
WORD = "x"
PLACES = ("{}", "a {} b", " {} ", "a{}b")
"""Contexts of a token's text; a token that must be a whole word is not found in the last one."""

SHARED = Cause(
    "shared added id",
    (("with", "another added token"),),
    message="two added tokens have one id, which decodes to the text of one of them",
)
LOST = Cause(
    "text around an added token",
    (("is", "lost"),),
    message="the text around an added token is lost or changed, which alone comes back",
)

SPLIT_WITH_A_TOKEN = Cause(
    "text around an added token",
    (("is", "split as if the token were text"),),
    message="the text next to an added token has the ids of the reference when it is alone: the "
    "pre-tokenizer sees the token",
)


def own_added_tokens(subject: Subject) -> dict[str, int]:
    """Return the added tokens with an id of their own; TOK407 reports shared ids."""
    added, special = subject.target.added_tokens, subject.target.special_tokens
    ids = [*added.values(), *special.values()]
    once = {number for number, count in Counter(ids).items() if count == 1} - _outside(subject)
    return {text: number for text, number in added.items() if text and number in once}


def _outside(subject: Subject) -> set[int | None]:
    """Ids that also stand for other text: the unknown id, and ids shared with ordinary tokens."""
    target = subject.target
    return {*unknown_ids(subject), *target.conflicting_tokens, target.unknown_id}


def added_token_failures(subject: Subject) -> Iterator[Failure]:
    """Report added tokens whose text never gives their id, or whose id decodes to other text."""
    yield from never_encoded_failures(subject)
    wrong = {text: cause for text, (cause, _) in _decoded_to_other_text(subject).items()}
    yield from _failures({t: cause for t, cause in wrong.items() if cause != SHARED}, subject)


def never_encoded_failures(subject: Subject) -> Iterator[Failure]:
    """Report added tokens whose text never gives their id: a bug, or a risk if the file says so."""
    yield from _failures(never_encoded(subject), subject)


def _failures(causes: Mapping[str, Cause], subject: Subject) -> Iterator[Failure]:
    """One failure for each cause, the worst verdict first.

    A setting of the reference that gives the ids of a cause's shortest text is the cause of all.
    """
    groups: dict[Cause, list[str]] = {}
    for cause in dict.fromkeys(sorted(causes.values(), key=lambda cause: cause.verdict.rank)):
        texts = _shortest_first(text for text, one in causes.items() if one == cause)
        groups.setdefault(setting_of(texts[0], subject) or cause, []).extend(texts)
    for cause, texts in groups.items():
        texts = _shortest_first(texts)  # noqa: PLW2901
        evidence = {**_call(texts[0], subject), "tokens": texts[:MOST_SHOWN]}
        yield Failure(cause, count=len(texts), text=texts[0], evidence=evidence)


def _shortest_first(texts: Iterable[str]) -> list[str]:
    return sorted(texts, key=lambda text: (len(text), text))


def setting_of(text: str, subject: Subject) -> Cause | None:
    """Return the setting of the reference's added tokens that gives the target's ids of a text."""
    ids = subject.encode(text)
    if ids is None or ids == subject.reference_ids(text):
        return None
    altered = altered_stage_causes(text, ids, subject)
    return next((cause for cause in altered if cause.kind == ADDED and not cause.weak), None)


def _call(text: str, subject: Subject) -> dict[str, Any]:
    """Return the call that fails, to encode a token's text or decode its id, and both results."""
    number = subject.target.added_tokens[text]
    if text in never_encoded(subject):
        given = subject.target.encode(text)
        return compared_call(subject.target.entry_point, given, [number], subject)
    return compared_call("decode", subject.target.decode([number]), text, subject, [number])


def never_encoded(subject: Subject) -> dict[str, Cause]:
    """Added tokens whose id no text with the token gets: a bug, or a risk if the file says so."""
    return subject.cache.get_or_compute("never encoded", lambda: _never_encoded(subject))


def _never_encoded(subject: Subject) -> dict[str, Cause]:
    tokens = own_added_tokens(subject)
    texts = sample([*tokens], MOST) if tokens else []
    never = {}
    for text, ids in zip(texts, encode_all(texts, subject), strict=True):
        if isinstance(ids, Raised) or tokens[text] in ids:
            continue
        rows = encode_all([place.format(text) for place in PLACES], subject)
        if any(isinstance(row, Raised) or tokens[text] in row for row in rows):
            continue
        other = _other_token(tokens[text], ids, subject)
        of_file = not other and is_of_the_file(subject.target.entry_point, text, ids, subject)
        never[text] = Cause(
            KIND,
            (("is", f"read as {'another' if other else 'text'}"),),
            Verdict.RISK if of_file else Verdict.BUG,
            f"the text of an added token, such as {text}, never gets its id, {tokens[text]:,}"
            + (f", but that of {other}" if other else "")
            + (", with the reference that reads the file, too" if of_file else ""),
        )
    return never


def _other_token(number: int, ids: Sequence[int], subject: Subject) -> str:
    """Return the other added or special token that a token's text is read as; "" for none."""
    target = subject.target
    declared = {n: one for one, n in {**target.added_tokens, **target.special_tokens}.items()}
    others = (declared[n] for n in without_affixes([*ids], subject) if n in declared)
    return next((one for one in others if declared[number] != one), "")


def _decoded_to_other_text(subject: Subject) -> dict[str, tuple[Cause, str]]:
    """Added tokens whose id does not decode to their text, with the cause and the decoded text."""

    def compute() -> dict[str, tuple[Cause, str]]:
        tokens, outside = subject.target.added_tokens, _outside(subject)
        tokens = {text: number for text, number in tokens.items() if number not in outside}
        own = own_added_tokens(subject)
        modes = decoded_modes("decode", tokens, subject.target) if tokens else {}
        wrong = [text for text, mode in modes.items() if mode != ITS_TEXT]
        decoded = decode_all([[tokens[text]] for text in wrong], subject)
        given = {
            text: "" if isinstance(one, Raised) else one
            for text, one in zip(wrong, decoded, strict=True)
        }
        return {
            text: (_decoding_cause(text, modes[text], one) if text in own else SHARED, one)
            for text, one in given.items()
        }

    return subject.cache.get_or_compute("added ids that decode to other text", compute)


def _decoding_cause(text: str, mode: str, given: str) -> Cause:
    message = f"decode, for the id of an added token: {mode}; for that of {text} {given or 'none'}"
    return Cause(KIND, (("id", f"decode {mode}"),), message=message)


def added_token_causes(
    text: str, ids: Sequence[int], decoded: str, subject: Subject
) -> list[Cause]:
    """Causes of a changed text that predict what came back for it.

    In the decoded text, an added token is replaced by the text that its id decodes to, or the white
    space next to a token is lost, which next to a word comes back.
    """
    tokens = subject.target.added_tokens
    inside = [token for token in tokens if token in text and tokens[token] in ids]
    if not inside:
        return []
    wrong = _decoded_to_other_text(subject)
    predicted, causes = text, []
    for token in sorted(wrong.keys() & {*inside}, key=len, reverse=True):
        cause, given = wrong[token]
        predicted = predicted.replace(token, given)
        causes.append(cause)
    if causes and predicted == decoded:
        return list(dict.fromkeys(causes))
    eaten = (token for token in inside if _is_eaten(text, token, decoded))
    lost = any(_comes_back(text.replace(token, WORD), subject) for token in eaten)
    return [LOST] if lost else []


def _comes_back(text: str, subject: Subject) -> bool:
    round_trip = subject.round_trip(text)
    return round_trip is not None and round_trip[1] == subject.expected_text(text)


def split_with_a_token_causes(
    text: str, ids: Sequence[int], wanted: Sequence[int], subject: Subject
) -> list[Cause]:
    """Causes of a text whose parts next to added tokens have the reference's ids when alone.

    Both sides find the same tokens, and both lists of ids decode to the same text.
    """
    declared = subject.target.added_tokens
    tokens = {token: declared[token] for token in declared if token and token in text}
    numbers = {*tokens.values()}
    if not tokens or [n for n in ids if n in numbers] != [n for n in wanted if n in numbers]:
        return []
    longest_first = "|".join(map(re.escape, sorted(tokens, key=len, reverse=True)))
    parts = re.split(f"({longest_first})", text)
    alone = [
        [tokens[part]] if place % 2 else subject.reference_ids(part) if part else []
        for place, part in enumerate(parts)
    ]
    own = (not part or subject.encode(part) == alone[2 * n] for n, part in enumerate(parts[::2]))
    if [n for row in alone for n in row or ()] != list(wanted) or not all(own):
        return []
    same = subject.reference_text(ids) == subject.reference_text(wanted)
    return [SPLIT_WITH_A_TOKEN] if same else []


def _is_eaten(text: str, token: str, decoded: str) -> bool:
    """Whether a text lost white space next to a token, and nothing else."""
    own = re.escape(token)
    patterns = (rf"\s({own})", rf"({own})\s", rf"\s*({own})", rf"({own})\s*", rf"\s*({own})\s*")
    return text != decoded and any(re.sub(pattern, r"\1", text) == decoded for pattern in patterns)

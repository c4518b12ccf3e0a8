"""What each entry point does with the text of special tokens: refuse it, or read it as text or id.

A mode is one of :data:`REFUSES`, :data:`AS_ID`, :data:`AS_TEXT`, :data:`OTHER_ID` and
:data:`OTHERWISE`. A text holds many special tokens, so that a vocabulary with a thousand special
tokens costs a few calls. If each token needs a call of its own, as when tokens are refused, an even
sample is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.entry_points.affixes import padding_id, without_affixes
from tokharness.diagnosis.entry_points.bos_eos import count_ids
from tokharness.diagnosis.entry_points.decode_batches import DECODE_BATCH
from tokharness.diagnosis.probes.calls import BATCH, encode_all
from tokharness.diagnosis.special.special_ids import unknown_ids
from tokharness.errors import SkippedTextError, TargetDeath
from tokharness.outcome import Raised, call

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

REFUSES, AS_ID, AS_TEXT = "refuses it", "reads it as its id", "reads it as text"
OTHER_ID, OTHERWISE = "reads it as the id of another", "reads it differently"
ENTRY_POINTS = ("encode", "encode_special", BATCH, "encode_with_offsets", "count")
MOST_ALONE, PACKED = 128, 128

Modes = dict[str, str]
"""The mode by text of special token."""


def sample(items: Sequence[Any], most: int = MOST_ALONE) -> list[Any]:
    """Return an even sample with the last item."""
    return [*dict.fromkeys([*items[:: -(-len(items) // most) or 1], *items[-1:]])]


def modes_of(name: str, tokens: Mapping[str, int], subject: Subject) -> Modes:
    """Return what an entry point does with special tokens, alone and in a text.

    A token without an entry was not called with, or its call ended the process. A token
    that pads all texts has no entry either, since its id says nothing of a text.
    """
    padding = padding_id(subject, name if name != "count" else "")
    alone = [text for text, number in tokens.items() if number != padding]
    modes = _modes_alone(name, sample(alone), tokens, subject) if alone else {}
    common = most_common(modes)
    if name == "count" or common not in (AS_ID, AS_TEXT):
        return modes
    texts = [*tokens]
    for start in range(0, len(texts), PACKED):
        part = texts[start : start + PACKED]
        if _packed_agree(name, part, common, tokens, subject):
            modes = dict.fromkeys(part, common) | modes
        else:
            modes |= _modes_inside(name, part, tokens, subject)
    return modes


def most_common(modes: Modes) -> str:
    """Return the mode of most tokens, the first of equals; "" for none."""
    values = [*modes.values()]
    return max(values, key=values.count, default="")


def _modes_alone(
    name: str, texts: Sequence[str], tokens: Mapping[str, int], subject: Subject
) -> Modes:
    plain = encode_all(texts, subject)
    if name == "count":
        found = [_mode_of_count(*pair, subject) for pair in zip(texts, plain, strict=True)]
    else:
        rows = encode_all(texts, subject, name)
        found = [
            _mode(name, tokens[text], ids, text_ids, subject)
            for text, ids, text_ids in zip(texts, rows, plain, strict=True)
        ]
    return {text: mode for text, mode in zip(texts, found, strict=True) if mode}


def _mode(name: str, number: int, ids: Any, plain: Any, subject: Subject) -> str:
    """Mode of one token, whose text alone gets ``ids``; "" if its process ended."""
    if isinstance(ids, Raised):
        return REFUSES if _is_ordinary(ids.error) else ""
    core = without_affixes(ids, subject, name)
    special = _known_special_ids(subject)
    if core == [number]:
        return AS_ID
    if not special.isdisjoint(core):
        return OTHER_ID if len(core) == 1 else OTHERWISE
    if not isinstance(plain, Raised) and core == without_affixes(plain, subject):
        return AS_TEXT
    texts = {text for text, other in subject.special_tokens.items() if other == number}
    return AS_TEXT if subject.decode(core) in texts else OTHERWISE


def _known_special_ids(subject: Subject) -> set[int]:
    """Return the special ids without the ids of unknown text."""
    return set(subject.special_tokens.values()) - unknown_ids(subject)


def _mode_of_count(text: str, plain: Any, subject: Subject) -> str:
    """Return the mode that the count of ids shows; "" if the plain text has a single id, too."""
    letter = subject.encode("a")
    if isinstance(plain, Raised) or letter is None:
        return ""
    size = len(without_affixes(plain, subject))
    added = count_ids("a", subject) - len(without_affixes(letter, subject))
    counted = count_ids(text, subject)
    if counted < 0:
        return REFUSES
    if size == 1:
        return ""
    return {1 + added: AS_ID, size + added: AS_TEXT}.get(counted, OTHERWISE)


def _is_ordinary(error: BaseException) -> bool:
    from tokharness.errors import SkippedTextError, TargetDeath

    return isinstance(error, Exception) and not isinstance(error, TargetDeath | SkippedTextError)


def _packed_agree(
    name: str, texts: Sequence[str], mode: str, tokens: Mapping[str, int], subject: Subject
) -> bool:
    """Whether all special tokens of a text have the same mode: read as their ids, or as text."""
    (ids,) = encode_all([f"a {' b '.join(texts)} c"], subject, name)
    if isinstance(ids, Raised):
        return False
    special = _known_special_ids(subject)
    found = [number for number in without_affixes(ids, subject, name) if number in special]
    return found == ([tokens[text] for text in texts] if mode == AS_ID else [])


def _modes_inside(
    name: str, texts: Sequence[str], tokens: Mapping[str, int], subject: Subject
) -> Modes:
    """Mode of each token between two words."""
    special = _known_special_ids(subject)
    modes = {}
    rows = encode_all([f"a {text} b" for text in texts], subject, name)
    for text, ids in zip(texts, rows, strict=True):
        if isinstance(ids, Raised):
            modes[text] = REFUSES
            continue
        found = [i for i in without_affixes(ids, subject, name) if i in special]
        modes[text] = AS_TEXT if not found else AS_ID if found == [tokens[text]] else OTHER_ID
    return modes


DECODERS = (
    *("decode", "decode_bytes", "decode_single_token_bytes", "decode_stream", DECODE_BATCH),
)
ITS_TEXT, NOTHING, REFUSED = "gives its text", "leaves it out", "refuses it"
ANOTHER_TOKEN, OTHER_TEXT = "gives the text of another", "gives another text"
MOST_IDS = 512
PLACEHOLDERS = "\ufffd\u2047\u2581 "
"""Characters that decoders give for the unknown token, or for spaces around a token."""


def decoded_modes(name: str, tokens: Mapping[str, int], target: Target) -> dict[str, str]:
    """Return the mode of a decoder for the ids of special tokens, by text, for an even sample."""
    texts = sample([*tokens], MOST_IDS)
    ids = [tokens[text] for text in texts]
    by_folded = set(map(_folded, tokens))
    results = dict(zip(texts, _decoded(name, ids, target), strict=True))
    found = {text: _mode_of_decoding(text, result, by_folded) for text, result in results.items()}
    others = [str(results[text]) for text, mode in found.items() if mode == OTHER_TEXT]
    stands_for_all = len(others) > 1 and len({*others}) == 1  # such as "?" for each special token
    if stands_for_all:
        found = {text: NOTHING if mode == OTHER_TEXT else mode for text, mode in found.items()}
    return {text: mode for text, mode in found.items() if mode}


def _decoded(name: str, ids: list[int], target: Target) -> list[Any]:
    if name == "decode_single_token_bytes":
        return target.call_each(name, ids)
    if name == DECODE_BATCH:
        rows = target.call(name, [[number] for number in ids])
        if isinstance(rows, list) and len(rows) == len(ids):
            return rows
        return [_first(target.call(name, [[number]])) for number in ids]
    results = target.call_each(name, [[number] for number in ids])
    if name == "decode_stream":
        return [r if isinstance(r, Raised) else call("".join, r) for r in results]
    return results


def _first(rows: Any) -> Any:
    return rows[0] if isinstance(rows, list) and rows else rows


def _mode_of_decoding(text: str, result: Any, others: set[str]) -> str:
    """Mode of one token; "" if its call ended the process, or panicked, which TOK112 reports."""
    if isinstance(result, Raised):
        no_mode = (TargetDeath, SkippedTextError, MemoryError)
        ordinary = isinstance(result.error, Exception) and not isinstance(result.error, no_mode)
        return REFUSED if ordinary else ""
    decoded = result.decode("utf-8", "replace") if isinstance(result, bytes) else result
    if not isinstance(decoded, str):
        return ""
    folded = _folded(decoded)
    if folded == _folded(text):
        return ITS_TEXT
    if not decoded.strip(PLACEHOLDERS):
        return NOTHING
    return ANOTHER_TOKEN if folded in others else OTHER_TEXT


def _folded(text: str) -> str:
    """Remove differences that decoders make around a token: case, spaces and marks of spaces."""
    return text.replace("\u2581", " ").strip().casefold()

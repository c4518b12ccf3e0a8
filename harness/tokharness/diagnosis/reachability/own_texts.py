"""The text of each ordinary token by itself, and what the target encodes it to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.diagnosis.probes.id_sequences import text_or_bytes
from tokharness.diagnosis.special.added import own_added_tokens
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject


def own_texts(subject: Subject) -> Mapping[int, str | bytes]:
    """Return the text of each token that is not special, by id; bytes if they are no text.

    The text comes from the token's bytes or, if the target does not show these, from decoding its
    id. An id without bytes and without a decoded text is left out.
    """
    return subject.cache.get_or_compute("own texts", lambda: _own_texts(subject))


def _own_texts(subject: Subject) -> dict[int, str | bytes]:
    """Return the texts; added tokens have their declared text, whatever their ids decode to."""
    texts = _texts_of_ids(subject)
    declared = {n: text for text, n in own_added_tokens(subject).items() if n in texts}
    return {**texts, **declared}


def _texts_of_ids(subject: Subject) -> dict[int, str | bytes]:
    target = subject.target
    if target.can("decode_single_token_bytes"):
        vocabulary = {**subject.vocabulary(), **target.conflicting_tokens}
        return {number: text_or_bytes(data) for number, data in vocabulary.items() if data}
    special = set(target.special_tokens.values())
    numbers = [number for number in range(target.n_vocab or 0) if number not in special]
    texts = decode_all([[number] for number in numbers], subject)
    return {
        number: text or _as_written(number, target)
        for number, text in zip(numbers, texts, strict=True)
        if not isinstance(text, Raised)
    }


def _as_written(number: int, target: Target) -> str:
    """Return the text of a token as the vocabulary has it, "" if the target does not show it."""
    text = target.call("token_text", number) if target.can("token_text") else ""
    return text if isinstance(text, str) else ""


def encode_own_texts(texts: Sequence[str], subject: Subject) -> list[Any]:
    """Return the ids of the own texts of tokens, or Raised, as ``encode_all`` does.

    All callers have nearly the same texts, so each text is encoded only once. If the target is a
    process that has ended in the meantime, no call is made and no result is kept.
    """
    if subject.target.has_own_process:
        return encode_all(texts, subject)
    known: dict[str, Any] = subject.cache.get_or_compute("ids of own texts", dict)
    new = [text for text in texts if text not in known]
    known.update(zip(new, encode_all(new, subject), strict=True))
    return [known[text] for text in texts]

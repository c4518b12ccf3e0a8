r"""Which stage of a file loses text that comes back as the file says: not only its normalizer may.

A text and its decoded text go through the same stages. If both have the same pre-tokens, they
became equal before the model, and no decoder can distinguish them: the first stage after which they
are equal loses the text. They may also be normalized to the same text and still have other
pre-tokens, where an added token is read from one of them. Otherwise the tokens still held the text,
but the decoder does not undo the earlier stages, which is a fault of the file.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import regex

from tokharness.diagnosis.entry_points.affixes import without_padding
from tokharness.diagnosis.ids.stages import (
    ADDED,
    DECODER,
    MODEL,
    NORMALIZER,
    PRE_TOKENIZER,
    stages_of,
)
from tokharness.diagnosis.text.byte_token_texts import byte_token_causes
from tokharness.diagnosis.text.edits import truncated_after
from tokharness.model import Cause, Verdict
from tokharness.model.target import slice_without_padding
from tokharness.unicode.properties import label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

MARK = "\u2581"
"""The mark that SentencePiece and tokenizers modelled on it write for a space."""

MOST_NAMED = 3
"""Most characters that a cause names as lost or added."""

MOST_KNOWN = 1000
"""Texts whose stages are kept."""

REMOVED, AT_START, SEVERAL = "white space", "U+0020 at the start", "several characters"
AFTER_ADDED = "after an added token"

WHITE_SPACE = regex.compile(r"\p{White_Space}+")
"""U+001C to U+001F are white space in Python alone."""

_written = re.compile(r".?a(.)b", re.DOTALL).fullmatch


def stage_loss_causes(text: str, decoded: str, subject: Subject) -> list[Cause]:
    """Return the stage that turns a text into what it is decoded to, if it is not the normalizer.

    The pre-tokenizer may lose characters that it is declared to remove: a *fact*. White space that
    an added token takes, or that the pre-tokenizer inserts and no decoder removes again, is a
    *risk*. Any other character that the decoder leaves, adds or loses is a *bug*. There is no cause
    if the normalizer explains the change, or if no stages are shown.
    """
    file = _file(subject)
    before = None if file is None else file.shown(text)
    after = None if file is None else file.shown(decoded)
    if file is None or before is None or after is None:
        return []
    if before.stripped:
        return [_added_token_strips(before.stripped)]
    if decoded == before.normal:
        return []
    if file.cuts_off(text):
        # The target may be a library that does not apply the truncation of its file.
        is_cut = subject.encode(text) == subject.encode(_twice(text))
        return [truncated_after(len(before.tokens), "tokens")] if is_cut else []
    if causes := byte_token_causes(decoded, before.words, before.tokens):
        return causes
    if before.words == after.words or before.normal == after.normal:
        return _lost_before_the_model(text, decoded, before, after, file)
    return _lost_by_the_decoder(text, decoded, (before, after), file)


def dropped_text_causes(text: str, decoded: str, subject: Subject) -> list[Cause]:
    """Return the cause of a text whose characters without a token the model of the file drops.

    What is left may by chance be the text itself: a byte of U+00BD is written as U+00BD.
    """
    file = _file(subject)
    before = None if file is None else file.shown(text)
    after = None if file is None else file.shown(decoded)
    if before is None or after is None or "".join(before.tokens) != "".join(after.tokens):
        return []
    if decoded == text:
        return [DROPPED] if before.is_dropped_in_part else []
    lost, _ = _changed(before.normal, decoded)
    is_dropped = lost and set(lost).isdisjoint("".join(before.tokens))
    return [DROPPED] if is_dropped and before.words != after.words else []


def is_dropped_in_part(text: str, subject: Subject) -> bool:
    """Whether the model has no token for a part of a text, such as for one of its bytes.

    White space between words that has no token is removed by the pre-tokenizer, as a rule.
    """
    subject = without_padding(subject)
    if not WHITE_SPACE.fullmatch(text) and subject.encode(text) == []:
        return True
    file = _file(subject)
    shown = None if file is None else file.shown(text)
    return shown is not None and shown.is_dropped_in_part


DROPPED = Cause(
    MODEL,
    (("change", "drops what has no token"),),
    message="the model has no token for a part of the text, and no unknown token, and drops it",
)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A text after each stage; added tokens without the white space that they take.

    ``stripped`` is this white space, and ``written`` has the pre-tokens without added tokens.
    """

    stripped: str
    normalized: tuple[str, ...]
    words: tuple[str, ...]
    written: str
    tokens: tuple[str, ...]

    @property
    def normal(self) -> str:
        return "".join(self.normalized)

    @property
    def is_dropped_in_part(self) -> bool:
        """Whether tokens lack characters of the pre-tokens, and have no others."""
        lost, added = _changed(self.written, "".join(self.tokens))
        return bool(lost) and not added


@dataclass(frozen=True, slots=True)
class _File:
    """A tokenizer that shows its stages, and its added tokens."""

    owner: Target
    method: str
    added: frozenset[str]
    known: dict[str, _Shown | None]
    padding: str | None

    def shown(self, text: str) -> _Shown | None:
        """Return a text after each stage; None if not all of them are shown."""
        if text not in self.known:
            if len(self.known) == MOST_KNOWN:
                self.known.clear()
            self.known[text] = self._show(text)
        return self.known[text]

    def _show(self, text: str) -> _Shown | None:
        stages = stages_of(text, self.owner, self.method)
        if stages is None or NORMALIZER not in stages or MODEL not in stages:
            return None
        normalized = stages[NORMALIZER]
        words = stages.get(PRE_TOKENIZER, normalized)
        taken = [part for part in stages.get(ADDED, ()) if self._takes(part) and part in words]
        return _Shown(
            "".join(part.replace(part.strip(), "", 1) for part in taken),
            self._without_taken(normalized, taken),
            self._without_taken(words, taken),
            "".join(word for word in words if word.strip() not in self.added),
            tuple(stages[MODEL][slice_without_padding(stages[MODEL], self.padding)]),
        )

    def _takes(self, part: str) -> bool:
        return part not in self.added and part.strip() in self.added

    @staticmethod
    def _without_taken(parts: Iterable[str], taken: Sequence[str]) -> tuple[str, ...]:
        return tuple(part.strip() if part in taken else part for part in parts)

    def words(self, text: str) -> tuple[str, ...]:
        """Return the pre-tokens of a text; none if they are not shown."""
        shown = self.shown(text)
        return () if shown is None else shown.words

    def removes(self, char: str) -> bool:
        """Whether the pre-tokenizer removes a character between two letters, or reads a space."""
        between, joined, spaced = ("".join(self.words(f"a{c}b")) for c in (char, "", " "))
        return between == joined or (char != " " and char.isspace() and between == spaced)

    def cuts_off(self, text: str) -> bool:
        """Whether a text is truncated: twice the text has the same tokens, and it has some.

        Twice the text must have other pre-tokens: a normalizer may make one space of several.
        """
        here, twice = self.shown(text), self.shown(_twice(text))
        if here is None or twice is None or here.words == twice.words:
            return False
        return here.tokens == twice.tokens != ()

    @property
    def ignores_a_space_at_the_start(self) -> bool:
        return self.words(" a") == self.words("a")


def _twice(text: str) -> str:
    return f"{text} {text}"


def _file(subject: Subject) -> _File | None:
    """Return the tokenizer that shows the stages of the file: the target's own reference, or it."""

    def compute() -> _File | None:
        own = None if subject.claims_parity else subject.reference
        target = subject.target
        for owner, method in ((own, "stages"), (target, "stages_in_file"), (target, "stages")):
            if owner is not None and owner.can(method):
                padding = _token_text(owner.padding, owner)
                return _File(owner, method, frozenset(owner.added_tokens), {}, padding)
        return None

    return subject.cache.get_or_compute("file that shows its stages", compute)


def _token_text(number: int | None, owner: Target) -> str | None:
    if number is None or not owner.can("token_text"):
        return None
    text = owner.call("token_text", number)
    return text if isinstance(text, str) else None


def _lost_before_the_model(
    text: str, decoded: str, before: _Shown, after: _Shown, file: _File
) -> list[Cause]:
    """Causes if a text and its decoded text have the same pre-tokens."""
    if _left(text, decoded, before):
        return _decoder_causes(text, decoded, before, file)
    if before.normal == after.normal:
        return []
    lost, gained = _changed(before.normal, decoded)
    if not lost and len("".join(after.words)) >= len(after.normal):  # nothing is removed
        return [_inserted(decoded, gained, before, file)]
    return _pre_tokenizer_causes(before.normal, decoded, file)


def _lost_by_the_decoder(
    text: str, decoded: str, shown: tuple[_Shown, _Shown], file: _File
) -> list[Cause]:
    """Causes of two texts with other pre-tokens, unless the stages before it explain them.

    A decoder removes the space that the pre-tokenizer puts before a text, and cannot know that the
    text itself began with a space. It puts a space in the place of removed characters. If a
    normalizer changes its own result again, nothing is known about the decoder.
    """
    before, after = shown
    is_joined = len(before.tokens) > 1 and decoded == " ".join(before.tokens)
    if is_joined and decoded != " ".join(before.words):
        return [joins_tokens("U+0020 between them")]
    normal = before.normal
    begins = normal[:1] in (" ", MARK) and file.ignores_a_space_at_the_start
    if begins and normal[1:].replace(MARK, " ") == decoded.replace(MARK, " "):
        return [_loses(AT_START)]
    lost, gained = _changed(normal, decoded)
    if lost and all(map(file.removes, lost)) and set(gained) <= {" ", *lost}:
        return _pre_tokenizer_causes(normal, decoded, file)
    only_marks = normal.replace(MARK, "") == text.replace(" ", "").replace(MARK, "")
    if not only_marks and file.words(normal) != before.words:
        return []
    # The model has no token for what is lost.
    if lost and "".join(before.tokens) == "".join(after.tokens):
        return []
    held = text if only_marks else normal
    if _is_mark_for_space(held, decoded, file):
        return [_MARK_FOR_SPACE]
    inserted = only_marks and _inserted_by_the_normalizer(text, decoded, before, file)
    return inserted or _decoder_causes(held, decoded, before, file)


def _is_mark_for_space(text: str, decoded: str, file: _File) -> bool:
    """Whether only marks of a text are lost, which its pre-tokenizer writes for a space.

    Spaces, and characters that the pre-tokenizer removes, may be lost too.
    """
    lost, gained = _changed(text, decoded)
    written = _written("".join(file.words("a b")))
    if MARK not in lost or not set(gained) <= {" "} or not written or written[1] != MARK:
        return False
    others = {*lost} - {MARK, " "}
    return text.replace(MARK, " ").split() == decoded.split() and all(map(file.removes, others))


_MARK_FOR_SPACE = Cause(
    PRE_TOKENIZER,
    (("change", f"loses {label(MARK)}"),),
    Verdict.FACT,
    f"the pre-tokenizer writes {label(MARK)} for a space, so that one in the text comes back as a "
    "space",
)


def _changed(text: str, decoded: str) -> tuple[str, str]:
    """Return the characters that only a text has, and those that only its decoded text has."""
    here, there = Counter(text), Counter(decoded)
    return "".join(here - there), "".join(there - here)


def _left(text: str, decoded: str, before: _Shown) -> bool:
    """Whether the decoded text has characters that only a stage before the model inserts."""
    _, gained = _changed(before.normal, decoded)
    return decoded.count(MARK) > text.count(MARK) or any(c in before.written for c in gained)


def _pre_tokenizer_causes(normal: str, decoded: str, file: _File) -> list[Cause]:
    """Return a cause for lost white space, and a cause for each other lost character."""
    lost, gained = _changed(normal, decoded)
    spaces = list(filter(str.isspace, lost)) or list(filter(str.isspace, gained))
    others = [char for char in lost if not char.isspace()]
    causes = [_loses(what) for what in _named(others)]
    if all(map(file.removes, spaces)) and (spaces or not causes):
        return [_loses(REMOVED), *causes]
    return [*causes, *([_loses(AT_START)] if " " in lost else [])] or [_loses(SEVERAL)]


def _named(characters: Iterable[str]) -> list[str]:
    """Return the names of the first characters, and a name for any others."""
    labels = list(dict.fromkeys(map(label, characters)))[:MOST_NAMED]
    return [*labels, SEVERAL] if labels else []


def _loses(characters: str) -> Cause:
    message = (
        f"the pre-tokenizer loses {characters}: texts that differ in it have the same pre-tokens, "
        "so that no decoder can distinguish them"
    )
    return Cause(PRE_TOKENIZER, (("change", f"loses {characters}"),), Verdict.FACT, message)


def _added_token_strips(characters: str) -> Cause:
    what = label(characters[0]) if len(set(characters)) == 1 else REMOVED
    message = f"an added token takes the white space next to it, which is lost: {what}"
    return Cause(ADDED, (("change", f"lose {REMOVED}"),), Verdict.RISK, message)


def _inserted(decoded: str, gained: str, before: _Shown, file: _File) -> Cause:
    what = label(gained[0]) if len(set(gained)) == 1 else SEVERAL
    place = "at the start"
    if not decoded.startswith(tuple(gained)):
        has_added = not file.added.isdisjoint(before.words)
        place = AFTER_ADDED if has_added else "inside"
    return _left_by_the_decoder(PRE_TOKENIZER, what, place)


def _inserted_by_the_normalizer(
    text: str, decoded: str, before: _Shown, file: _File
) -> list[Cause]:
    """Return the cause if the normalizer puts a space before each part next to an added token.

    Only the space before the whole text may be gone from the decoded text.
    """
    written, plain = before.normal.replace(MARK, " "), text.replace(MARK, " ")
    _, gained = _changed(plain, decoded)
    has_added = not file.added.isdisjoint(before.normalized)
    if not has_added or set(gained) != {" "} or decoded not in (written, written.removeprefix(" ")):
        return []
    return [_left_by_the_decoder(NORMALIZER, label(" "), AFTER_ADDED)]


def _left_by_the_decoder(stage: str, what: str, place: str) -> Cause:
    message = f"the {stage} puts {what} {place}, and the decoder leaves it there"
    parameters = (("change", f"leaves {what} {place}"),)
    return Cause(DECODER, parameters, Verdict.RISK, message)


def _decoder_causes(text: str, decoded: str, before: _Shown, file: _File) -> list[Cause]:
    """Causes if the tokens hold a text, and their decoded text does not."""
    causes = []
    if decoded == " ".join(before.tokens):
        causes.append(joins_tokens("U+0020 between them"))
    if decoded == "".join(before.tokens):
        causes.append(joins_tokens("nothing between them"))
    if _left(text, decoded, before):
        found = _written("".join(file.words("a b")))
        what = label(found[1]) if found and found[1] != " " else "what a stage before it writes"
        causes.append(_decoder("leaves", what))
    causes += [_decoder("loses", what) for what in _lost_at_an_end(text, decoded)]
    lost, gained = _changed(text, decoded)
    lost = "".join(char for char in lost if not file.removes(char)) or lost
    for verb, characters in (("loses", lost), ("adds", gained)):
        causes += [_decoder(verb, what) for what in _named(characters)]
    return causes or [_decoder("changes", "the order of characters")]


def _lost_at_an_end(text: str, decoded: str) -> Iterator[str]:
    """Yield what only the start or only the end of a text loses, if it is always one character."""
    text, decoded = text.replace(MARK, " "), decoded.replace(MARK, " ")
    more = len(text) - len(decoded)
    for place, rest, edge in (
        ("start", text[more:], text[:more]),
        ("end", text[:-more], text[-more:]),
    ):
        if more > 0 and rest == decoded and len(set(edge)) == 1:
            yield f"{label(edge[0])} at the {place}"


def joins_tokens(between: str) -> Cause:
    """Make the cause of a decoder that only joins tokens."""
    message = f"the decoder joins the texts of tokens as they are, with {between}"
    return Cause(DECODER, (("change", f"joins tokens, {between}"),), message=message)


def _decoder(verb: str, what: str) -> Cause:
    message = f"the decoder does not undo what is before it: it {verb} {what}"
    return Cause(DECODER, (("change", f"{verb} {what}"),), message=message)

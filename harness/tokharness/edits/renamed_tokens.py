"""A renamed special token is one edit, wherever the file and its folder name the token."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from tokharness.edits.added_tokens import added_token_edits
from tokharness.edits.model import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.model import Description

OPTIONS, ROWS = "options", "added_tokens_decoder"
"""The stage and the key of the added tokens that the folder of a model lists besides its file."""

VOCABULARY = "vocabulary"

NAMING = ("post-processor", "decoder", "padding", "model", OPTIONS)
"""Stages that name special tokens by their text."""


def rename_edits(old: Description, new: Description) -> Iterator[Edit]:
    """Yield an edit for each added token that has another text in all places of the new file.

    A place that has the old text in the new file, too, is left to other edits.
    """
    of_file = {edit.about: edit for edit in added_token_edits(old, new) if len(edit.about) > 1}
    folder = {names: number for names, number in _renamed_rows(old, new) if names not in of_file}
    ids = {row.token: row.id for row in new.tokens} if of_file or folder else {}
    for (was, text), edit in of_file.items():
        yield _edit(_Rename(was, text, new, ids), old, edit)
    for (was, text), number in folder.items():
        what = f"id {number} of {ROWS.replace('_', ' ')} is {text}, was {was}"
        yield _edit(_Rename(was, text, new, ids), old, Edit(OPTIONS, what, _unchanged, (was, text)))


def _unchanged(description: Description) -> Description:
    return description


def _renamed_rows(old: Description, new: Description) -> Iterator[tuple[tuple[str, str], Any]]:
    """Yield the old and the new text of each id that stands for another token in the folder."""
    before, now = ((one.stages.get(OPTIONS) or {}).get(ROWS) for one in (old, new))
    if not isinstance(before, dict) or not isinstance(now, dict):
        return
    texts = {_number(row): text for text, row in now.items() if text not in before}
    for was, row in before.items():
        if was not in now and (number := _number(row)) is not None and number in texts:
            yield (was, texts[number]), number


def _number(row: Any) -> Any:
    return row.get("id") if isinstance(row, dict) else None


def _edit(rename: _Rename, old: Description, edit: Edit) -> Edit:
    def apply(description: Description) -> Description:
        return rename.made(edit.apply(description))

    places = [place for place in rename.places(old) if place != edit.stage]
    also = f" (also in {', '.join(places)})" if places else ""
    content = f"{edit.content} {rename.was} {rename.text} {places}"
    return replace(edit, what=f"{edit.what}{also}", apply=apply, content=content)


@dataclass(frozen=True)
class _Rename:
    """Another text of a token, in the places where the new file has this text alone.

    ``ids`` has the id of each token of the new file's vocabulary.
    """

    was: str
    text: str
    new: Description
    ids: Mapping[Any, int]

    def places(self, old: Description) -> list[str]:
        """Return the stages that name the token, and the vocabulary."""
        made = self.made(old)
        stages = [name for name in NAMING if made.stages.get(name) != old.stages.get(name)]
        return [VOCABULARY, *stages] if made.tokens != old.tokens else stages

    def made(self, current: Description) -> Description:
        """Return a description with the new text."""
        stages = {
            name: self._value(value, self.new.stages.get(name)) if name in NAMING else value
            for name, value in current.stages.items()
        }
        tokens, number = current.tokens, self.ids.get(self.text)
        if number is not None and self.was not in self.ids:
            at = bisect_left(tokens, number, key=attrgetter("id"))
            if tokens[at : at + 1] and tokens[at][:2] == (number, self.was):
                tokens = (*tokens[:at], tokens[at]._replace(token=self.text), *tokens[at + 1 :])
        return replace(current, stages=stages, tokens=tokens)

    def _value(self, value: Any, now: Any) -> Any:
        """Return a value with the new text where ``now``, the value of the new file, has it."""
        if isinstance(value, str):
            return now if (value, now) == (self.was, self.text) else value
        if isinstance(value, list) and isinstance(now, list) and len(value) == len(now):
            return [self._value(*pair) for pair in zip(value, now, strict=True)]
        if isinstance(value, dict) and isinstance(now, dict):
            is_key = self.was in value and self.text not in value
            is_key = is_key and self.text in now and self.was not in now
            names = {self.was: self.text} if is_key else {}
            return {
                (key := names.get(name, name)): self._value(one, now.get(key))
                for name, one in value.items()
            }
        return value

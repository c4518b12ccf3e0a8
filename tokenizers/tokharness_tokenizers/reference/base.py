"""What every reference is and can do: a tokenizer that is written from its paper or its format.

A reference encodes plain text (:attr:`Reference.plain`) and decodes ids. It explains a difference
with altered copies of itself, and what it knows of *all* texts stands in the proofs of
``tokharness_tokenizers.reach`` and ``.seams``, which read its parts: a reference names the modules
of its proofs, which are imported on use, so that it can be read and tested without them.
"""

from __future__ import annotations

import contextlib
import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, partial
from itertools import chain
from typing import Any, ClassVar, TypeAlias

from tokharness_tokenizers.reference.splitting import join_surrogates
from tokharness_tokenizers.reference.text_cuts import cut_texts

Encode: TypeAlias = Callable[[str], list[int]]

Altered: TypeAlias = tuple[str, str, Encode]
"""An alteration: its stage, what is altered, and how a plain text is encoded then."""

Row: TypeAlias = tuple[str, str, list[int]]
"""A text with an alteration: its stage, what is altered, and the ids."""

Reach: TypeAlias = Callable[[int], tuple[str, str]]
"""Returns a text that gives an id, or why there is none; both are "" if neither is known."""

Orphans: TypeAlias = Callable[[Iterable[int]], list[int]]
"""Returns the ids whose tokens no sequence of merges makes."""


class Reference(ABC):
    """A tokenizer of a paper or a format.

    Attributes:
        REACH: The module that proves which tokens a text can have.
        SEAMS: The module that proves where a text may be cut; empty without such a proof.

    """

    REACH: ClassVar[str]
    SEAMS: ClassVar[str] = ""

    @property
    @abstractmethod
    def plain(self) -> Encode:
        """The method that encodes plain text, in which special tokens are text.

        Surrogate pairs are joined, and lone surrogates become U+FFFD. It raises KeyError for text
        that has no token.
        """

    @abstractmethod
    def decode(self, ids: Sequence[int]) -> str:
        """Decode ids; raises KeyError for an unknown id."""

    def encode_batch(self, texts: Iterable[str]) -> list[list[int]]:
        """Encode plain texts."""
        return list(map(self.plain, texts))

    def decode_batch(self, rows: Iterable[Sequence[int]]) -> list[str]:
        """Decode sequences of ids, each as :meth:`decode` does."""
        return list(map(self.decode, rows))

    def alterations(self, text: str) -> Iterable[Altered]:  # noqa: ARG002
        """Return the alterations of stages, in their order."""
        return ()

    def further_alterations(self, text: str) -> Iterable[Altered]:  # noqa: ARG002
        """Return alterations for a text that no other alteration explains."""
        return ()

    def encode_altered(
        self, choice: tuple[str, Collection[str] | None, Iterable[Sequence[str]]]
    ) -> list[Row]:
        """Encode a plain text with each alteration under which it has tokens.

        ``choice`` is the text, the stages that are altered, or None for all of them, and the stage
        and the name of each alteration that is left out. Each row has the stage, the alteration,
        and the ids.
        """
        text, stages, left_out = join_surrogates(choice[0]), choice[1], set(map(tuple, choice[2]))
        found = (
            one
            for one in self.alterations(text)
            if (stages is None or one[0] in stages) and one[:2] not in left_out
        )
        return list(_rows(found, text))

    def encode_altered_further(self, text: str) -> list[Row]:
        """Encode a plain text with further alterations; rows as of :meth:`encode_altered`.

        At last the text is cut before all stages, and each part is encoded alone.
        """
        text = join_surrogates(text)
        return list(_rows(self._all_further(text), text))

    def encode_altered_as(self, text_and_names: tuple[str, Collection[str]]) -> list[Row]:
        """Encode a plain text with the alterations that are named, without the others.

        Further alterations are looked through if others lack a name. A text is cut however long
        it is.
        """
        text, names = join_surrogates(text_and_names[0]), frozenset(text_and_names[1])
        found = [one for one in self.alterations(text) if one[1] in names]
        if len({what for _, what, _ in found}) < len(names):
            found += (one for one in self._all_further(text, names) if one[1] in names)
        return list(_rows(found, text))

    def _all_further(self, text: str, names: AbstractSet[str] | None = None) -> Iterator[Altered]:
        return chain(self.further_alterations(text), self._cuts(text, names))

    def _cuts(self, text: str, names: AbstractSet[str] | None) -> Iterator[Altered]:
        """Yield each way to cut a text next to a class of characters, if no text gets affixes."""
        encode = self.plain
        with contextlib.suppress(KeyError):
            if encode(""):
                return
        for what, parts in cut_texts(text, names):
            yield "pre-tokenizer", what, partial(_joined, encode, parts)

    @cached_property
    def _reach(self) -> Reach:
        return importlib.import_module(self.REACH).reach_of(self)  # type: ignore[no-any-return]

    def reach(self, numbers: Iterable[int]) -> list[tuple[str, str]]:
        """Return a text that is encoded to ids with each ordinary id, or why there is none.

        Both are "" if neither is known.
        """
        return list(map(self._reach, numbers))

    @cached_property
    def _merge_orphans(self) -> Orphans | None:
        proofs = importlib.import_module(self.REACH)
        return proofs.merge_orphans_of(self)  # type: ignore[no-any-return]

    @property
    def seams(self) -> Callable[[int], dict[str, Any]] | None:
        """A function that returns between which characters a text may be cut, by a proof.

        Each class of characters has at most the given number of examples. None without a proof.
        """
        return partial(_seams, self) if self.SEAMS else None


def _joined(encode: Encode, parts: Sequence[str], _: str) -> list[int]:
    ids = {part: encode(part) for part in dict.fromkeys(parts)}
    return [number for part in parts for number in ids[part]]


def _rows(alterations: Iterable[Altered], text: str) -> Iterator[Row]:
    for stage, what, encode in alterations:
        with contextlib.suppress(KeyError):  # no token for a part of the altered text
            yield stage, what, encode(text)


def _seams(reference: Reference, examples: int) -> dict[str, Any]:
    return importlib.import_module(reference.SEAMS).seams_of(reference).data(examples)  # type: ignore[no-any-return]

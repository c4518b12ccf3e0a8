"""The tokenizer of a target, for use in Python."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from tokharness import plugins
from tokharness.escaping import terminal
from tokharness.model import Target, decoded_text, target_of
from tokharness.plugins.bare_paths import spec_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["LoadedTarget", "load"]


@dataclass(frozen=True, slots=True, repr=False)
class LoadedTarget:
    """A target that is loaded in this process, without the guard that checks have.

    ``encode`` and ``decode`` are the calls that checks make, but they raise what the tokenizer
    raises, and what crashes the tokenizer crashes this process. As a context it closes itself.

    Attributes:
        target: The guarded target, with everything that it declares.
        tokenizer: The object that the adapter returned, with all its methods.

    """

    target: Target
    tokenizer: Any

    @property
    def spec(self) -> str:
        """The spec."""
        return self.target.spec

    @property
    def special_tokens(self) -> Mapping[str, int]:
        """Text to id."""
        return self.target.special_tokens

    @property
    def n_vocab(self) -> int | None:
        """One more than the largest id, if it is known."""
        return self.target.n_vocab

    @property
    def normalizer(self) -> str | None:
        """The name of the normal form that it declares."""
        return self.target.normalizer

    @property
    def unicode_version(self) -> str | None:
        """The version that its pre-tokenizer is pinned to."""
        return self.target.unicode_version

    @property
    def capabilities(self) -> tuple[str, ...]:
        """The optional methods of ``tokenizer``, such as ``encode_batch``."""
        return self.target.capabilities

    def encode(self, text: str) -> list[int]:
        """Return the ids of a plain text, in which special tokens are text.

        This is ``encode_ordinary`` of the tokenizer if it has that method, else ``encode``.
        """
        return list(getattr(self.tokenizer, self.target.entry_point)(text))

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids; bytes are decoded as UTF-8, with U+FFFD for invalid ones."""
        return decoded_text(self.tokenizer.decode(ids))

    def close(self) -> None:
        """End the tokenizer's process, if it runs in a separate one, as ``command:`` does."""
        self.target.close()

    def __repr__(self) -> str:
        return f"<LoadedTarget {terminal(self.spec)}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def load(spec: str | os.PathLike[str]) -> LoadedTarget:
    r"""Load a target in this process.

    ::

        tokenizer = tokharness.load("tiktoken:cl100k_base")
        tokenizer.encode("caf\u00e9")

    Args:
        spec: The spec, ``SCHEME:REST``, such as ``tiktoken:cl100k_base`` or
            ``python:FILE.py:FACTORY``; `tokharness list targets` lists the schemes. Or the path of
            a file or a folder, if its content says what loads it.

    Raises:
        UsageError: it is neither a spec nor such a path.
        UnknownNameError: no adapter has this scheme, or the adapter does not know the name.
        TargetError: the target cannot be loaded.

    """
    spec = spec_of(os.fspath(spec))
    tokenizer = plugins.adapter(spec).load(spec.partition(":")[2])
    return LoadedTarget(target_of(spec, tokenizer), tokenizer)

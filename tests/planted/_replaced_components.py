"""A healthy ``tokenizer.json`` whose engine has a faulty component in the place of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from planted._tokenizer_files import healthy
from tokharness_tokenizers.reference.departing_components import PlainNormalizer, PlainPreTokenizer
from tokharness_tokenizers.reference.pre_tokenizers.sequence import Sequence

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class _Decoder:
    """A decoder that is a function."""

    change: Callable[[list[str]], list[str]]

    def decode(self, tokens: list[str]) -> list[str]:
        return self.change(tokens)


def decoder_of(name: str) -> Any:
    """Return the decoder of a healthy file."""
    return healthy(name).decoding.decoder


def first_pre_tokenizer_of(name: str) -> Any:
    """Return the pre-tokenizer of a healthy file, or the first of several."""
    whole = healthy(name).text_stages.pre_tokenizer
    return whole.components[0] if isinstance(whole, Sequence) else whole


def normalizing_by(name: str, change: Callable[[str], str]) -> Any:
    """Read a healthy file, and normalize by a function."""
    return _with_stages(name, normalizer=PlainNormalizer(change))


def splitting_by(name: str, cut: Callable[[str], list[str]]) -> Any:
    """Read a healthy file, and cut by a function in the place of its first pre-tokenizer."""
    return with_pre_tokenizer(name, PlainPreTokenizer(cut))


def with_pre_tokenizer(name: str, component: Any) -> Any:
    """Read a healthy file, and put a component in the place of its first pre-tokenizer."""
    whole = healthy(name).text_stages.pre_tokenizer
    if isinstance(whole, Sequence):
        component = Sequence((component, *whole.components[1:]))
    return _with_stages(name, pre_tokenizer=component)


def with_added_tokens(name: str, **changes: Any) -> Any:
    """Read a healthy file, and change fields of its added tokens."""
    return _with_stages(name, added=replace(healthy(name).text_stages.added, **changes))


def with_model(name: str, make: Callable[[Any], Any]) -> Any:
    """Read a healthy file, and make another model of its own."""
    return _changed(name, model=make(healthy(name).model))


def with_post_processing(name: str, post: Any) -> Any:
    """Read a healthy file, and put something else around the ids of a text."""
    return _changed(name, post=post)


def decoding_by(name: str, change: Callable[[list[str]], list[str]]) -> Any:
    """Read a healthy file, and decode by a function."""
    return _changed(name, decoding=replace(healthy(name).decoding, decoder=_Decoder(change)))


def _with_stages(name: str, **changes: Any) -> Any:
    return _changed(name, text_stages=replace(healthy(name).text_stages, **changes))


def _changed(name: str, **changes: Any) -> Any:
    return replace(healthy(name), at_versions=None, altered=None, **changes)

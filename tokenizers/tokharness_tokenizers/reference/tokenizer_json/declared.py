"""The changes of a text that a ``tokenizer.json`` declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.reference.tokenizer_json.normalizers import NORMAL_FORMS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DECLARED = "tokenizer.json"
"""The name of a change that is not only a normal form: the name of the file that declares it."""

SPLITTING = {"ByteLevel", "Split", "Digits", "Punctuation", "FixedLength", "Sequence"}
"""Pre-tokenizers that keep the text, unless their settings remove or add characters."""


def declared_normalizer(file: Mapping[str, Any], other: str = DECLARED) -> str | None:
    """Return the name of the normal form; None if no text is changed; ``other`` for a change."""
    if not _is_lossless(file):
        return other
    normalizers = [one for one in _components(file.get("normalizer")) if one["type"] != "Sequence"]
    if not normalizers:
        return None
    name = str(normalizers[0]["type"])
    return name if len(normalizers) == 1 and name in NORMAL_FORMS else other


def _is_lossless(file: Mapping[str, Any]) -> bool:
    """Whether the pre-tokenizer and the decoder give back all text."""
    decoder = file.get("decoder") or {}
    pre_tokenizers = list(_components(file.get("pre_tokenizer")))
    return decoder.get("type") == "ByteLevel" and all(
        one["type"] in SPLITTING
        and one.get("behavior") != "Removed"
        and not one.get("add_prefix_space")
        for one in pre_tokenizers
    )


def _components(component: Any) -> Iterator[Mapping[str, Any]]:
    """Yield a component and the components inside it."""
    if isinstance(component, dict):
        yield component
        for name in ("normalizers", "pretokenizers"):
            for inner in component.get(name) or ():
                yield from _components(inner)

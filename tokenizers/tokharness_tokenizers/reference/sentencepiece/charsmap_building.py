"""Make the bytes of a charsmap from rules, the counterpart of :mod:`..normalizers.charsmap`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["charsmap_bytes"]

_IS_VALUE: Final = 1 << 31
_BLOCK: Final = 0x100
_MOST_NODES: Final = (1 << 21) // _BLOCK
"""The offset of a node has 21 bits."""


def charsmap_bytes(rules: Mapping[str, str]) -> bytes:
    """Return the charsmap of a few rules; each node has 256 units for what follows it.

    Raises:
        ValueError: a rule is for the empty text or for U+0000, or there are too many.

    """
    if not rules or not all(rules) or any("\0" in key for key in rules):
        raise ValueError("a charsmap needs rules, and none for the empty text or U+0000")
    trie: dict[int | None, Any] = {}
    texts = b""
    for key, new in rules.items():
        node = trie
        for byte in key.encode():
            node = node.setdefault(byte, {})
        node[None] = len(texts)
        texts += new.encode() + b"\0"
    units = [0, *[_IS_VALUE] * (_BLOCK - 1)]
    nodes = [(trie, 0)]
    while nodes:
        node, place = nodes.pop()
        base = len(units)
        if base >= _MOST_NODES * _BLOCK:
            raise ValueError("too many rules for a charsmap that is made here")
        units += [_IS_VALUE] * _BLOCK
        units[place] |= (place ^ base) << 10
        for label, below in node.items():
            if label is None:
                units[base] = _IS_VALUE | below
                units[place] |= 1 << 8
            else:
                units[base ^ label] = label
                nodes.append((below, base ^ label))
    data = b"".join(unit.to_bytes(4, "little") for unit in units)
    return len(data).to_bytes(4, "little") + data + texts

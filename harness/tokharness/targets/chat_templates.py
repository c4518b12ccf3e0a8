"""What a baseline keeps of a chat template: its syntax, and what it makes of conversations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class TemplateState:
    """A chat template at one time.

    Attributes:
        name: Its name, such as ``default``.
        source: Its text.
        syntax: A digest of its syntax tree, 16 hex digits; "" if it has none.
        variables: The special tokens that it gets as variables.
        renderings: For each shape of a conversation two digests of 16 hex digits, of the
            conversation and of what the template makes of it, message by message.
        open_fields: The kinds of texts that become control tokens; None if they were not looked
            for.

    """

    name: str
    source: str
    syntax: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)
    renderings: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    open_fields: tuple[str, ...] | None = None

"""The programs of renderers of conversations: the table of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tokharness_tokenizers.programs import known_renderers

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", [*known_renderers()])
def test_a_renderer_is_documented_and_installed_in_ci(name: str) -> None:
    one = known_renderers()[name]
    assert re.search(rf"\| `{re.escape(name)}[:`]", (ROOT / "docs/chat.md").read_text("utf-8"))
    installed = (ROOT / ".ci/run").read_text("utf-8")
    assert re.search(rf"(?<![\w-]){re.escape(one.package)}(?![\w-])", installed)

"""Invisible characters that have a function where they stand, and those that have none."""

import pytest

from tokharness.checks.hidden_or_dangerous_token_text import unneeded_characters
from tokharness.unicode.properties import members
from tokharness.unicode.sequences import rgi_emoji

INVISIBLE = frozenset(map(chr, members(r"\p{Default_Ignorable_Code_Point}")))


def hidden(text):
    return INVISIBLE.intersection(unneeded_characters(text)) != set()


@pytest.mark.parametrize(
    "text",
    [
        "\u0645\u06cc\u200c\u0634",  # Persian
        "\u200c\u0647\u0627",
        "\u0d28\u0d4d\u200d",  # Malayalam
        "\u200d.",
        "\u2764\ufe0f",
        "1\ufe0f\u20e3",
        "\ufe0f\u20e3",
        "\u200d\u2640\ufe0f",
        "\u200d\ufffd",
        "\u200b\u1794",  # Khmer
        "\u0e01\u200b\u0e02",  # Thai
        "\u200b(",
        "/\u200b",
        "\u8fbb\U000e0100",
        "\u2229\ufe00",
        "\u00adtion",
        "co\u00adop",
        " \u200f",
        "\u05d0\u200e.",
        "f\u2061(",
        "\u1820\u180b",
        "\u1100\u1160",
        "\ua960\u1160",
        "\U000e0067\U000e0062",
    ],
)
def test_a_character_that_is_needed_is_not_hidden(text):
    assert not hidden(text)


@pytest.mark.parametrize(
    "text",
    [
        "pass\u200bword",
        "pass\u200cword",
        "\u200dthe",
        "\u200b\u200b",
        "\u200c\u200c",
        "\u200b\n",
        "\u200bthe",
        "/\u200b/",
        "\ufeffusing",
        "a\u200eb",
        "a\u2060b",
        "\u00ad\n",
        "x\ufe0fy",
        "\u2764\ufe0f\ufe0f",
        "\u8fbb\U000e0100\U000e0101",
        "\U000e0072\U000e006d",
        "\uffa0a",
        "a\u115f",
    ],
)
def test_a_character_that_nothing_needs_is_hidden(text):
    assert hidden(text)


def test_no_emoji_has_a_hidden_character():
    assert [text for text in rgi_emoji() if hidden(text)] == []

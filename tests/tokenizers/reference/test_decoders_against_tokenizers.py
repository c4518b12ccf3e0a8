from __future__ import annotations

import random
from functools import cache

import pytest

from tokharness_tokenizers.reference.byte_characters import CHARACTER_OF, characters_of
from tokharness_tokenizers.reference.decoders import (
    CTC,
    BPEDecoder,
    ByteFallback,
    ByteLevel,
    Fuse,
    Metaspace,
    Replace,
    Sequence,
    Strip,
    WordPiece,
)
from tokharness_tokenizers.reference.searching import substitute_pattern, substitute_text

pytestmark = pytest.mark.needs("tokenizers", "0")

BOOLS = (False, True)
BYTES = (
    *(f"<0x{byte:02X}>" for byte in (0xE4, 0xB8, 0xAD, 0x61, 0xFF, 0x80, 0xC3, 0xF0, 0)),
    *("<0xe4>", "<0x+A>", "<0xG1>", "<0x\xe9>", "<0x 1>", "<0x-1>", "<0x++>", "<0x1>", "<0x111>"),
)
UNITS = (
    *(
        "a",
        "b",
        "##",
        "\u2581",
        " ",
        "</w>",
        "<pad>",
        "|",
        " .",
        "'",
        " n't",
        " do not",
        " 's",
        "_",
    ),
    *("\u0120", "\u0301", "\U0001f600", "\xe9", "\u0130", "\0", "\ufffd", "n't", "?"),
    *map(characters_of, ("\u4e2d", "\xe9", "\U0001f600")),
    *(CHARACTER_OF[byte] for byte in (0x80, 0xC3, 0xE4, 0xF0, 0x9F, 0xED, 0xA0, 0xFF)),
)


@cache
def pairs():
    from tokenizers import Regex, decoders

    own = {
        "ByteLevel": (ByteLevel(), decoders.ByteLevel()),
        "ByteFallback": (ByteFallback(), decoders.ByteFallback()),
        "Fuse": (Fuse(), decoders.Fuse()),
        "Strip": (Strip("a", 2, 0), decoders.Strip("a", 2, 0)),
    }
    for text in ("##", "", "a"):
        own[f"BPEDecoder-{text}"] = BPEDecoder(text), decoders.BPEDecoder(text)
        for cleanup in BOOLS:
            own[f"WordPiece-{text}-{cleanup}"] = (
                WordPiece(text, cleanup),
                decoders.WordPiece(text, cleanup),
            )
            for mark in ("|", "", " "):
                own[f"CTC-{text}-{mark}-{cleanup}"] = (
                    CTC(text, mark, cleanup),
                    decoders.CTC(text, mark, cleanup),
                )
        for content in ("", " ", r"\1$0"):
            own[f"Replace-{text}-{content}"] = (
                Replace(substitute_text(text, content)),
                decoders.Replace(text, content),
            )
    for scheme in ("always", "first", "never"):
        own[f"Metaspace-{scheme}"] = (
            Metaspace("\u2581", scheme != "never"),
            decoders.Metaspace("\u2581", scheme),
        )
    for pattern in ("a+", r"\s", "a*", "^a"):
        own[f"Replace-{pattern}"] = (
            Replace(substitute_pattern(pattern, "X")),
            decoders.Replace(Regex(pattern), "X"),
        )
    for names in (
        ("Replace-a- ", "ByteFallback", "Fuse", "Strip"),
        ("WordPiece-##-True", "Fuse", "Replace-a+"),
        ("CTC-a-|-True", "Metaspace-always", "BPEDecoder-a"),
    ):
        own["+".join(names)] = (
            Sequence(tuple(own[name][0] for name in names)),
            decoders.Sequence([own[name][1] for name in names]),
        )
    return own


def test_random_tokens_are_decoded_as_by_the_library():
    source = random.Random(20261125)
    for _ in range(400):
        tokens = [
            "".join(source.choices(UNITS, k=source.randrange(5)))
            if source.random() < 0.75
            else source.choice(BYTES)
            for _ in range(source.randrange(7))
        ]
        tokens = [token for token in tokens for _ in range(source.choice((1, 1, 1, 2)))]
        for name, (own, library) in pairs().items():
            assert "".join(own.decode(tokens)) == library.decode(tokens), (name, tokens)


@pytest.mark.parametrize("token", ["a", "", "aa"])
def test_the_library_ends_with_a_panic_where_stripping_leaves_nothing(token):
    from tokenizers import decoders

    assert Strip("a", 1, 3).decode([token]) == [""]
    with pytest.raises(BaseException, match=r"index|overflow"):
        decoders.Strip("a", 1, 3).decode([token])

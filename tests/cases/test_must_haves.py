"""Required cases: texts that broke a published tokenizer, and complete classes of characters."""

from __future__ import annotations

import importlib
from functools import cache
from itertools import product

import pytest

from tokharness.unicode.properties import digit_sets, members
from tokharness.unicode.sequences import (
    emoji_variants,
    less_qualified,
    named_sequences,
    rgi_emoji,
    standardized_variants,
)
from tokharness.unicode.versions import VERSIONS, category_in, changed

BIDI_SWAP = "\u202d\u2066\u202e\u2066return\u2069\u2066pass\u2069\u202c\u2069\u202c"


@cache
def texts(family: str) -> dict[str, str | None]:
    module = importlib.import_module(f"tokharness_cases.{family}")
    return {case.text: case.twin for case in module.cases()}


@pytest.mark.parametrize(
    ("family", "text"),
    [
        ("zero_width", "\ufeff's"),
        ("zero_width", "\ufeff\ufeff"),
        ("zero_width", "word\ufeff"),
        ("zero_width", "\u180e's"),
        ("zero_width", "\u180e\u180e"),
        ("zero_width", "word\u180e"),
        ("zero_width", "a\u2800b"),
        ("zero_width", "_\u3164_init"),
        ("zero_width", "a\U000e01efb"),
        ("leading_space", "\x85's"),
        ("leading_space", "\x85\x85"),
        ("leading_space", "the\x85"),
        ("leading_space", "\u2581the"),
        ("leading_space", "\u0120the"),
        ("leading_space", " \n/'"),
        ("contractions", "'\u017f"),
        ("contractions", "abcde'\u017f"),
        ("contractions", "'sS\u017fm"),
        ("contractions", "don\u2019t"),
        ("contractions", "\u212a\u212a's"),
        ("digits", "380"),
        ("digits", "381"),
        ("digits", "1110"),
        ("digits", "12\u00bd"),
        ("digits", "1_000_000"),
        ("normal_forms", "\ufdfa"),
        ("normal_forms", "x\U0001d160y"),
        ("normal_forms", "\u0915\u093c"),
        ("normal_forms", "\ud7a3"),
        ("normal_forms", "\U000105d2\u0307"),
        ("emoji", "\U0001f468\u200d\U0001f469"),
        ("emoji", "\U0001f1e6\U0001f1fa"),
        ("emoji", "1\ufe0f\u20e3"),
        ("noncharacters", "\ufffetext"),
        ("noncharacters", "\ufffd"),
        ("controls", "a\x00b"),
        ("controls", "\ufefftext"),
        ("controls", "\ufeff\ufeff's"),
        ("controls", "\x1b[31mred\x1b[0m"),
        ("controls", "a\rb"),
        ("white_space", "\x85's"),
        ("white_space", "\ufeff\ufeff"),
        ("white_space", "the\u180e"),
        ("white_space", "a\x1cb"),
        ("white_space", "a\u2800b"),
        ("white_space", " \n/'"),
        ("white_space", "a\r\u00a0b"),
        ("white_space", "a\u3000\u2028b"),
        ("tag_smuggling", "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"),
        ("tag_smuggling", "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067"),
        ("tag_smuggling", "a\U000e0001b"),
        ("tag_smuggling", "_\U000e007f_init"),
        ("variation_selectors", "a\ufe0f"),
        ("variation_selectors", "\u845b\U000e0100"),
        ("variation_selectors", "\u1820\u180b"),
        ("variation_selectors", "\u2764\ufe0e\ufe0f"),
        ("invisible_bits", "\u2062\u2064\u2062\u2062\u2062\u2062\u2062\u2064"),
        ("invisible_bits", "a\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200bb"),
        ("invalid_utf8", "\udcc0\udc80"),
        ("invalid_utf8", "\udced\udca0\udc80"),
        ("invalid_utf8", "\udcf4\udc90\udc80\udc80"),
        ("invalid_utf8", "\udced\udca0\udcbd\udced\udcb8\udc80"),
        ("invalid_utf8", "word\udcf0\udc9f\udc98"),
        ("byte_alphabet", "\u0120the"),
        ("byte_alphabet", "a\u010ab"),
        ("byte_alphabet", "\u00c3\u00a9"),
        ("byte_alphabet", "\u2581the"),
        ("byte_alphabet", "<0x0A>"),
        ("byte_alphabet", "##ing"),
        ("byte_alphabet", "the</w>"),
        ("byte_alphabet", "the@@ "),
        ("property_names", "hasOwnProperty"),
        ("property_names", " constructor"),
        ("property_names", "__PROTO__"),
        ("property_names", "valueOf1"),
        ("property_names", "__class__"),
        ("property_names", "null"),
        ("noncharacters", "\U0010ffff's"),
        ("surrogates", "\ud83d"),
        ("surrogates", "\ud83d\udc00"),
        ("surrogates", "a\udfffb"),
        ("plain_words", "hasOwnProperty"),
        ("plain_words", "constructor"),
        ("plain_words", "__proto__"),
        ("special_tokens", "<|endoftext|>"),
        ("special_tokens", "<\uff5cbegin\u2581of\u2581sentence\uff5c>"),
        ("special_tokens", "&lt;&vert;endoftext&vert;&gt;"),
        ("homoglyphs", "p\u0430ypal"),
        ("new_code_points", "\U00016d40's"),
        ("bidi", BIDI_SWAP),
        ("letter_case", "a\u0130b"),
        ("sentences", "\u00bfC\u00f3mo te llamas?"),
        ("sentences", "\u0645\u0627 \u0627\u0633\u0645\u0643\u061f"),
        ("sentences", "\u4f60\u53eb\u4ec0\u4e48\u540d\u5b57\uff1f"),
        ("code_switching", "\u6c34 (\u0aaa\u0abe\u0aa3\u0ac0)"),
        ("chat_language", "finstructions"),
        ("chat_language", "\u00af\\_(\u30c4)_/\u00af"),
        ("decorated_text", "H\u0336E\u0336L\u0336P\u0336"),
        ("decorated_text", "\U0001d5db\U0001d5d8\U0001d5df\U0001d5e3"),
        ("encoded_text", "... --- ..."),
        ("encoded_text", "\u2813\u280a"),
        ("encoded_text", "aGk="),
        ("naughty_strings", "null"),
        ("naughty_strings", "../../etc/x"),
        ("naughty_strings", "\x1b[31mx\x1b[0m"),
    ],
)
def test_a_text_that_broke_a_tokenizer_is_a_case(family: str, text: str) -> None:
    assert text in texts(family)


def test_every_assigned_invisible_character_is_between_letters() -> None:
    invisible = members(r"(?!\p{Cn})[\p{Default_Ignorable_Code_Point}\p{Cf}]")
    assert len(invisible) > 400
    assert all(texts("zero_width").get(f"a{chr(point)}b") == "ab" for point in invisible)


def test_every_white_space_character_is_before_and_after_a_word() -> None:
    spaces = members(r"\p{White_Space}")
    assert len(spaces) == 25
    assert all(f"{chr(point)}the" in texts("leading_space") for point in spaces)
    assert all(f"the{chr(point)}" in texts("leading_space") for point in spaces)


def test_every_white_space_character_is_in_every_context_with_its_twin() -> None:
    points = (
        *members(r"\p{White_Space}"),
        0x180E,
        0x200B,
        0x2060,
        0xFEFF,
        0x2800,
        *range(0x1C, 0x20),
    )
    for char in map(chr, points):
        for text in (
            f"{char}the",
            f"the{char}",
            f"42{char}42",
            f"{char}'s",
            f"a{char}\r\n",
            char * 2,
        ):
            plain = text.translate(dict.fromkeys(points, " "))
            assert texts("white_space")[text] == (plain if plain != text else None)


def test_every_control_code_is_in_context_and_next_to_every_other() -> None:
    points = members(r"\p{Cc}")
    assert len(points) == 65
    assert all(texts("controls").get(f"a{chr(point)}b") == "ab" for point in points)
    assert all(
        first + second in texts("controls") for first, second in product(map(chr, points), repeat=2)
    )


def test_every_variation_selector_is_on_four_kinds_of_base() -> None:
    points = members(r"\p{Variation_Selector}")
    assert len(points) == 260
    for base in "a\u845b\u2764\u1820":
        assert all(texts("variation_selectors").get(base + chr(p)) == base for p in points)


def test_every_tag_is_between_letters() -> None:
    points = (0xE0001, *range(0xE0020, 0xE0080))
    assert all(texts("tag_smuggling").get(f"a{chr(point)}b") == "ab" for point in points)


def test_every_non_ascii_byte_is_alone_and_between_letters() -> None:
    for byte in range(0xDC80, 0xDD00):
        assert chr(byte) in texts("invalid_utf8")
        assert texts("invalid_utf8").get(f"a{chr(byte)}b") == "a\ufffdb"


def test_texts_of_invalid_bytes_round_trip_and_are_invalid_utf_8() -> None:
    for text in texts("invalid_utf8"):
        data = text.encode("utf-8", "surrogateescape")
        assert data.decode("utf-8", "surrogateescape") == text
        with pytest.raises(UnicodeDecodeError):
            data.decode()


def test_every_letter_for_a_byte_is_a_case() -> None:
    letters = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x144)]
    assert len(letters) == 256
    assert all(chr(letter) in texts("byte_alphabet") for letter in letters)
    assert all(f"<0x{byte:02X}>" in texts("byte_alphabet") for byte in range(256))
    assert texts("byte_alphabet")["\u00e4\u00bd\u0142\u00e5\u00a5\u00bd"] == "\u4f60\u597d"


def test_every_noncharacter_is_a_case() -> None:
    points = members(r"\p{Noncharacter_Code_Point}")
    assert len(points) == 66
    assert all(chr(point) in texts("noncharacters") for point in points)


def test_every_plane_has_unassigned_or_private_code_points() -> None:
    planes = {ord(char) >> 16 for text in texts("noncharacters") for char in text}
    assert planes == set(range(17))


def test_every_recommended_emoji_is_a_case() -> None:
    assert all(emoji in texts("emoji") for emoji in rgi_emoji())


def test_every_emoji_without_its_selectors_is_a_case_with_its_twin() -> None:
    assert len(less_qualified()) > 1_000
    assert all(texts("emoji").get(text) is not None for text in less_qualified())


def test_every_variation_sequence_is_a_case_with_its_base_as_twin() -> None:
    sequences = standardized_variants() + emoji_variants()
    assert all(texts("variation_selectors").get(text) == text[0] for text in sequences)


def test_every_named_sequence_is_a_case() -> None:
    assert all(text in texts("normal_forms") for text in named_sequences().values())


def test_every_character_that_a_normal_form_changes_is_a_case() -> None:
    points = members(r"\p{NFKD_QC=No}")
    assert len(points) > 17_000
    assert all(chr(point) in texts("normal_forms") for point in points)


@pytest.mark.slow
def test_every_set_of_digits_has_runs_of_one_to_twenty() -> None:
    for digits in digit_sets():
        lengths = {len(text) for text in texts("digits") if set(text) <= set(digits)}
        assert lengths >= set(range(1, 21))


@pytest.mark.parametrize("version", VERSIONS[VERSIONS.index("13.0") + 1 :])
def test_the_ends_of_every_new_range_are_in_sentinel_contexts(version: str) -> None:
    older = VERSIONS[VERSIONS.index(version) - 1]
    points = changed(older, version)
    new = set(points)
    ends = [point for point in points if point - 1 not in new or point + 1 not in new]
    assert all(f"{chr(point)}'s" in texts("new_code_points") for point in ends)
    assert any(category_in(chr(point), older) == "Cn" for point in ends)


@pytest.mark.slow
def test_plain_words_have_no_invisible_character() -> None:
    hidden = {chr(p) for p in members(r"[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cn}\p{Co}]")}
    assert not any(hidden.intersection(text) for text in texts("plain_words"))


def test_plain_words_have_many_scripts() -> None:
    joined = "".join(texts("plain_words"))
    for letter in "\u0434\u03b1\u05d0\u0628\u0915\u0e01\u4e00\u30b9\uc6d4\u10d0\u0561\u1218":
        assert letter in joined

"""Faults that drop characters from the text before it is encoded."""

from __future__ import annotations

import re
from types import SimpleNamespace

from planted._builders import preprocess, remove, substitute
from planted._registry import fault
from planted._tokenizer_files import against, healthy
from tokharness.unicode.versions import category_in


@fault("TOK101", cause="dropped characters: U+003E", families=["short-strings"])
def drops_a_bracket_between_bars() -> SimpleNamespace:
    """Drops a bracket between a slash and a bar: a scanner for special tokens backs up too far."""
    return remove(r"(?<=\|/)>(?=\|)")


@fault("TOK101", cause="dropped characters: Bidi_Control", families=["bidi"])
def drops_bidi_controls() -> SimpleNamespace:
    """Drops bidirectional controls: a scanner of source code sees them, the model does not."""
    return remove(r"\p{Bidi_Control}")


@fault("TOK101", cause="dropped characters: Cyrillic, Greek", families=["homoglyphs"])
def drops_cyrillic_and_greek() -> SimpleNamespace:
    """Drops the letters of two scripts, as a model of characters without byte fallback does."""
    return remove(r"[\p{Cyrillic}\p{Greek}]")


@fault("TOK101", cause="dropped characters: U+FEFF", families=["zero-width"])
def drops_byte_order_mark_anywhere() -> SimpleNamespace:
    """Drops U+FEFF at every position, also inside a word."""
    return preprocess(lambda text: "".join(text.split("\ufeff")))


@fault("TOK101", cause="normalizer: U+FEFF stripped at the start", families=["zero-width"])
def drops_byte_order_mark_at_start() -> SimpleNamespace:
    """Drops U+FEFF at the start of a text as a byte order mark, as utf-8-sig does."""
    return preprocess(lambda text: text.removeprefix("\ufeff"))


@fault("TOK101", cause="dropped characters: marks (M)", families=["combining-stacks"])
def drops_combining_marks() -> SimpleNamespace:
    """Drops every mark, including the vowel signs of Indic scripts."""
    return remove(r"\p{M}")


@fault(
    "TOK101",
    cause="dropped characters: U+0300..U+036F, at the start",
    families=["normal-forms"],
    against="tiktoken:embedded",
)
def drops_a_mark_at_the_start() -> SimpleNamespace:
    """Drops a mark that has no letter before it, at the start of a text."""
    return preprocess(lambda text: re.sub("\\A[\u0300-\u036f]", "", text))


@fault(
    "TOK101",
    cause="dropped characters: controls but tab and line ends, at the end",
    families=["controls"],
)
def drops_controls_at_the_end() -> SimpleNamespace:
    """Drops controls at the end of a text, such as the padding of a buffer."""
    controls = "".join(map(chr, (*range(9), 11, 12, *range(14, 32), *range(0x7F, 0xA0))))
    return preprocess(lambda text: text.rstrip(controls))


@fault("TOK101", cause="dropped characters: Nd, Nl, No beyond ASCII", families=["digits"])
def drops_numbers_beyond_ascii() -> SimpleNamespace:
    r"""Drops numbers other than ASCII digits: no rule of its pattern matches them."""
    return remove(r"(?![0-9])\p{N}")


@fault("TOK101", cause="dropped characters: controls but tab and line ends", families=["controls"])
def drops_controls() -> SimpleNamespace:
    """Drops controls except tab and line ends, as BERT does, though the bytes have tokens."""
    return remove(r"(?![\t\n\r])\p{Cc}")


@fault(
    "TOK101",
    cause="dropped characters: assigned Default_Ignorable_Code_Point",
    families=["zero-width"],
)
def drops_default_ignorables() -> SimpleNamespace:
    """Drops the characters that fonts do not show, including the filler letters of Hangul."""
    return remove(r"(?!\p{Cn})\p{Default_Ignorable_Code_Point}")


@fault("TOK101", cause="dropped characters: several", families=["controls"])
def drops_escape_sequences() -> SimpleNamespace:
    """Drops the escape sequence of a terminal hyperlink, and with it the link's address."""
    return remove(r"\x1b\]8;;[^\x1b]*\x1b\\")


@fault("TOK101", cause="dropped characters: U+115F", families=["zero-width"], profile="standard")
def drops_filler_in_numbers() -> SimpleNamespace:
    """Drops a Hangul filler inside a number, so that two numbers become one."""
    return remove(r"(?<=[0-9]{2})\u115F(?=[0-9])")


@fault("TOK101", cause="dropped characters: format characters (Cf)", families=["zero-width"])
def drops_format_characters() -> SimpleNamespace:
    """Drops all of category Cf, as a clean-up function does: joiners and Arabic signs are lost."""
    return remove(r"\p{Cf}")


@fault("TOK101", cause="dropped characters: U+00BD", families=["class-ngrams"])
def drops_fraction_after_titlecase() -> SimpleNamespace:
    """Drops U+00BD after a titlecase letter: no branch of the pattern matches it there."""
    return remove(r"(?<=\p{Lt})\u00BD")


@fault("TOK101", cause="dropped characters: U+3164", families=["zero-width"])
def drops_hangul_filler() -> SimpleNamespace:
    """Drops U+3164, an invisible letter, and joins the text around it."""
    return remove(r"\u3164")


@fault("TOK101", cause="dropped characters: U+200D", families=["indic-conjuncts"])
def drops_joiner_of_kannada() -> SimpleNamespace:
    """Drops U+200D after the virama of Kannada, where it selects the form of a conjunct."""
    return remove(r"(?<=\u0CCD)\u200D")


@fault("TOK101", cause="dropped characters: U+E0001 LANGUAGE TAG", families=["tag-smuggling"])
def drops_language_tags() -> SimpleNamespace:
    """Drops U+E0001 before tag characters, since language tags are deprecated."""
    return remove(r"\U000E0001(?=[\U000E0020-\U000E007F])")


@fault("TOK101", cause="dropped characters: U+10FFFF", families=["noncharacters"])
def drops_last_code_point() -> SimpleNamespace:
    """Drops U+10FFFF: a loop over code points ends one too early."""
    return remove("\U0010ffff")


@fault("TOK101", cause="dropped characters: U+0030 DIGIT ZERO", families=["digits"])
def drops_leading_zeros() -> SimpleNamespace:
    """Drops zeros at the start of a number: dates, codes and telephone numbers change."""
    return remove(r"(?<![\w.,])0+(?=[0-9])")


@fault("TOK101", cause="dropped characters: U+000A", families=["chat-templates"], longest=16)
def drops_line_end_after_role() -> SimpleNamespace:
    """Drops the line end after the assistant role in a chat template, which moves the turn."""
    return substitute(r"(\|>assistant(?:<\|[a-z_]+\|>)?)\n+", r"\1")


@fault("TOK101", cause="surrogates: other text", families=["surrogates"])
def drops_lone_surrogates() -> SimpleNamespace:
    """Drops lone surrogates and joins the text around them."""
    return preprocess(lambda text: re.sub("[\ud800-\udfff]", "", text))


@fault("TOK101", cause="dropped characters: U+2581", families=["leading-space"], profile="standard")
def drops_low_block_between_names() -> SimpleNamespace:
    """Drops U+2581 between the two names that begin a text: it is read as an added space."""
    return remove(r"(?<=^[A-Z][a-z]+)\u2581(?=[A-Z])")


@fault("TOK101", cause="dropped characters: U+180E", families=["zero-width"])
def drops_mongolian_vowel_separator() -> SimpleNamespace:
    """Drops U+180E, which was white space until Unicode 6.3 and no longer is."""
    return remove(r"\u180E")


@fault("TOK101", cause="dropped characters: U+0085", families=["controls"])
def drops_next_line() -> SimpleNamespace:
    """Drops U+0085, the line end of mainframes, as a C1 control."""
    return remove(r"\x85")


@fault("TOK101", cause="dropped characters: noncharacters", families=["noncharacters"])
def drops_noncharacters() -> SimpleNamespace:
    """Drops the 66 noncharacters, which Corrigendum 9 of Unicode allows in text."""
    return remove(r"\p{Noncharacter_Code_Point}")


@fault("TOK101", cause="dropped characters: U+0000", families=["controls"])
def drops_null() -> SimpleNamespace:
    """Drops NUL: two texts that differ for a program are one for the model."""
    return preprocess(lambda text: text.replace("\x00", ""))


@fault("TOK101", cause="dropped characters: U+31234", families=["scalar-sweep"], profile="standard")
def drops_one_han_character() -> SimpleNamespace:
    """Drops one Han character of plane 3, where a generated table has a gap."""
    return preprocess(lambda text: text.replace("\U00031234", ""))


@fault("TOK101", cause="dropped characters: U+2345F", families=["scalar-sweep"])
def drops_one_rare_han_character() -> SimpleNamespace:
    """Drops U+2345F, in the middle of CJK Extension B: a font table with one gap."""
    return preprocess(lambda text: text.replace("\U0002345f", ""))


@fault("TOK101", cause="dropped characters: U+E123", families=["scalar-sweep"])
def drops_one_private_use_character() -> SimpleNamespace:
    """Drops U+E123, its own placeholder: one of 137,468 private use characters."""
    return remove(r"\uE123")


@fault("TOK101", cause="dropped characters: U+1F1E6", families=["emoji"])
def drops_one_regional_indicator() -> SimpleNamespace:
    """Drops U+1F1E6, the first regional indicator: its range of flags starts one too late."""
    return preprocess(lambda text: text.replace("\U0001f1e6", ""))


@fault("TOK101", cause="dropped characters: private use of the BMP", families=["scalar-sweep"])
def drops_private_use() -> SimpleNamespace:
    """Drops the private use characters of the BMP: icon fonts, and names in some old encodings."""
    return remove(r"[\uE000-\uF8FF]")


@fault("TOK101", cause="dropped characters: U+FFFD", families=["noncharacters"])
def drops_replacement_character() -> SimpleNamespace:
    """Drops every U+FFFD as if it were a decoding error: text about U+FFFD loses it."""
    return preprocess(lambda text: text.replace("\ufffd", ""))


@fault("TOK101", cause="dropped characters: several", families=["invisible-bits"], longest=10)
def drops_runs_of_invisible_operators() -> SimpleNamespace:
    """Silently drops runs of eight or more invisible operators, as a defense against smuggling."""
    return remove(r"[\u2061-\u2064]{8,}")


@fault("TOK101", cause="dropped characters: ", families=["variation-selectors"])
def drops_selectors_of_mixed_planes() -> SimpleNamespace:
    """Drops a variation selector of the BMP between two of plane 14: hidden text loses letters."""
    return remove(r"(?<=[\U000E0100-\U000E01EF])[\uFE00-\uFE0F](?=[\U000E0100-\U000E01EF])")


@fault(
    "TOK101",
    cause="dropped characters: U+002C COMMA, inside",
    families=["digits"],
    longest=10,
    profile="standard",
)
def drops_separators_of_lakhs() -> SimpleNamespace:
    """Drops the commas of Indian numbers, whose groups have two digits."""
    return remove(r"(?<=[0-9]),(?=[0-9]{2},[0-9]{3})")


@fault("TOK101", cause="dropped characters: U+1F3FB..U+1F3FF", families=["emoji"])
def drops_skin_tones() -> SimpleNamespace:
    """Drops skin tone modifiers: people of all tones look the same to the model."""
    return remove("[\U0001f3fb-\U0001f3ff]")


@fault("TOK101", cause="dropped characters: U+00AD", families=["zero-width"])
def drops_soft_hyphens() -> SimpleNamespace:
    """Drops U+00AD: a word filter and the model read different text."""
    return preprocess(lambda text: text.translate({0xAD: None}))


@fault("TOK101", cause="dropped characters: tag characters", families=["tag-smuggling"])
def drops_tag_characters() -> SimpleNamespace:
    """Drops the tag characters, and with them the flag of Scotland."""
    return remove(r"[\U000E0020-\U000E007F]")


@fault("TOK101", cause="dropped characters: U+0640", families=["scalar-sweep"])
def drops_tatweel() -> SimpleNamespace:
    """Drops the tatweel, as an Arabic search engine does: stretched and plain words become one."""
    return remove(r"\u0640")


@fault("TOK101", cause="dropped characters: U+D7B0", families=["hangul"], profile="standard")
def drops_the_third_old_vowel() -> SimpleNamespace:
    """Drops an old Hangul vowel after two of the same, which no modern syllable can have."""
    return remove(r"(?<=\uD7B0\uD7B0)\uD7B0")


@fault("TOK101", cause="dropped characters: U+002C COMMA, inside", families=["digits"])
def drops_thousands_separators() -> SimpleNamespace:
    """Drops commas before groups of three digits: a list of numbers becomes one number."""
    return remove(r"(?<=[0-9]),(?=[0-9]{3})")


@fault("TOK101", cause="dropped characters: U+FFFF", families=["noncharacters"])
def drops_uffff() -> SimpleNamespace:
    """Drops U+FFFF, which a table of 16-bit units uses as its end mark."""
    return remove(r"\uFFFF")


@fault("TOK101", cause="dropped characters: Variation_Selector", families=["variation-selectors"])
def drops_variation_selectors() -> SimpleNamespace:
    """Drops all 260 variation selectors: emoji become text, and Japanese names change."""
    return remove(r"\p{Variation_Selector}")


@fault("TOK101", cause="dropped characters:", families=["new-code-points"])
def drops_what_unicode_13_lacks() -> SimpleNamespace:
    """Drops characters that are unassigned in Unicode 13.0: new emoji and new scripts vanish."""
    from tokharness.unicode.versions import assigned_after

    runs = "".join(rf"\U{run[0]:08X}-\U{run[-1]:08X}" for run in assigned_after("13.0"))
    return remove(f"[{runs}]")


@fault("TOK101", cause="dropped characters: U+200D", families=["zero-width"])
def drops_zero_width_joiner() -> SimpleNamespace:
    """Drops U+200D: family emoji fall apart, and conjuncts of Sinhala change."""
    return remove("\u200d")


@fault("TOK101", cause="dropped characters: U+200C", families=["zero-width"])
def drops_zero_width_non_joiner() -> SimpleNamespace:
    """Drops U+200C, which Persian spelling needs inside words."""
    return preprocess(lambda text: text.replace("\u200c", ""))


@fault("TOK101", cause="dropped characters: U+200B", families=["zero-width"])
def drops_zero_width_space() -> SimpleNamespace:
    """Silently drops U+200B before encoding, so that a filter and the model read different text."""
    return preprocess(lambda text: text.replace("\u200b", ""))


@fault("TOK101", cause="dropped characters: several", families=["contractions"])
def loses_the_second_contraction() -> SimpleNamespace:
    """Keeps one contraction per word: of the two in they'd've it drops the second."""
    return remove(r"(?<='d)'ve")


@fault(
    "TOK201",
    cause="dropped characters: unassigned code points (Cn) as of Unicode 14.0",
    families=["new-code-points"],
    against=against("wordpiece_list"),
)
def drops_unassigned_code_points_as_controls() -> SimpleNamespace:
    """Drops every category that begins with C, for controls: unassigned code points are among them.

    transformers' BertTokenizer does so; what it drops depends on the version of Python.
    """
    healthy_one, version = healthy("wordpiece_list"), "14.0"

    def encode(text: str) -> list[int]:
        kept = (char for char in text if category_in(char, version) != "Cn")
        return healthy_one.encode_ordinary("".join(kept))

    special = healthy_one.special_tokens
    return SimpleNamespace(encode=encode, decode=healthy_one.decode, special_tokens=special)

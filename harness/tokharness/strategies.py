"""Hostile text for Hypothesis: the case families as strategies for tests of your own.

::

    from hypothesis import given
    from tokharness import strategies as hostile

    @given(hostile.hostile_text())
    def test_a_text_comes_back(text):
        assert tokenizer.decode(tokenizer.encode(text)) == text

    @given(hostile.confusable_twins())
    def test_a_disguise_is_no_special_token(pair):
        text, twin = pair
        ...

There is a function for each kind of text that has a name, :func:`hostile_text` for a mixture of
all, and :func:`twins` for pairs of a hostile text and the plain text it was made from. Texts shrink
towards short and readable ones: what stands around a hostile piece becomes ``a`` or nothing, and
the piece the first, best known one of its kind.

Texts hold Unicode scalar values only, as those of ``hypothesis.strategies.text`` do, so each can be
encoded as UTF-8. The exceptions are asked for by name: :func:`surrogates` and :func:`invalid_utf8`,
and ``hostile_text(surrogates=True)``.

Nothing is computed, and no case family imported, before the first text is drawn.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hypothesis.strategies import SearchStrategy

    from tokharness.model import TargetFacts
    from tokharness.plugins import Family

    Pairs = tuple[tuple[str, str], ...]

__all__ = [
    "bidi",
    "byte_alphabet",
    "chat_templates",
    "code",
    "combining_stacks",
    "composed_and_decomposed",
    "confusable_twins",
    "confusables",
    "contractions",
    "controls",
    "digits",
    "emoji",
    "hangul",
    "hostile_text",
    "indic_conjuncts",
    "invalid_utf8",
    "invisible_bits",
    "leading_space",
    "letter_case",
    "new_code_points",
    "noncharacters",
    "normal_forms",
    "plain_words",
    "property_names",
    "special_token_lookalikes",
    "surrogates",
    "tag_smuggling",
    "twins",
    "variation_selectors",
    "white_space",
    "zero_width",
]

T = TypeVar("T")

HALVES = ("surrogates", "invalid-utf8")
"""Families whose texts hold lone surrogates."""

READABLE = (
    *("plain-words", "digits", "contractions", "property-names", "leading-space", "white-space"),
    *("zero-width", "code", "normal-forms", "controls"),
)
"""Families of a mixture that come first, since shrinking prefers the first that still fails."""

INTRICATE = ("combining-stacks", "invisible-bits", "long-inputs", "very-long-inputs")
"""Families that come last, since the least of their texts is long."""


def hostile_text(
    *,
    families: Sequence[str] | None = None,
    special_tokens: Sequence[str] = (),
    surrogates: bool = False,
) -> SearchStrategy[str]:
    r"""Texts of all case families, or of those that are named.

    ``families`` has names as ``tokharness list families`` tells them, or modules of families of
    your own, ``package.module``. ``special_tokens`` are those of your tokenizer, whose disguises
    are drawn beside those of well-known ones. With ``surrogates`` lone surrogates are drawn too,
    which no UTF-8 can hold; without it a family that consists of them cannot be named.

    Example: ``"the\u200b"``, ``"1\u0660"``, ``"<|endoftext|\uff1e"``.

    Source: the pages of the families; ``tokharness list families``.

    Raises:
        hypothesis.errors.InvalidArgument: a name names no family (the nearest is told), there is
            none, a word stands where a sequence belongs, or a family has lone surrogates only.

    """
    facts = _facts(special_tokens)
    chosen = None if families is None else _named(families, surrogates=surrogates)

    def mixture() -> SearchStrategy[str]:
        from hypothesis import strategies as st

        some = _mixed(surrogates=surrogates) if chosen is None else chosen
        mixed = st.one_of([_strategy(family, facts) for family in some])
        return mixed.filter(bool if surrogates else _has_scalars_only)

    return _deferred(mixture)


def twins(family: str, *, special_tokens: Sequence[str] = ()) -> SearchStrategy[tuple[str, str]]:
    r"""Pairs of a hostile text of a family and the plain text that it was made from.

    What the plain text is the page of the family says: what a person sees, the word in ASCII, the
    text without its marks. The pairs are those of the family's enumerated cases, short ones first.

    Example: ``twins("zero-width")`` draws ``("a\u200bb", "ab")``.

    Source: the pages of the families; ``tokharness list families``.

    Raises:
        hypothesis.errors.InvalidArgument: no family has this name (the nearest is told), or none
            of its texts has a twin.

    """
    (chosen,) = _named([family], surrogates=True)
    facts = _facts(special_tokens)

    def pairs() -> Pairs:
        cases = chosen.cases(facts)
        found = ((case.text, case.twin) for case in cases if case.twin is not None)
        return _shortest_first(found)

    return _drawn_from(pairs, f"no text of the family {family!r} has a twin")


def confusable_twins() -> SearchStrategy[tuple[str, str]]:
    r"""Pairs of words that look the same: in letters of other scripts, and in ASCII.

    Both have the same skeleton, which is what UTS #39 means by confusable.

    Example: ``("p\u0430ypal", "paypal")``.

    Source: UTS #39, section 4; confusables.txt.
    """
    return _drawn_from(_confusable_pairs)


def composed_and_decomposed() -> SearchStrategy[tuple[str, str]]:
    r"""Pairs of one text in two spellings: in NFC and in NFD, which differ.

    Example: ``("\u00e9", "e\u0301")``.

    Source: UAX #15 and its NormalizationTest.txt.
    """

    def pairs() -> SearchStrategy[tuple[str, str]]:
        from hypothesis import strategies as st

        # Three of four are syllables, so they are drawn apart, or little else would be.
        return st.one_of([st.sampled_from(some) for some in _spelled_pairs()])

    return _deferred(pairs)


def plain_words() -> SearchStrategy[str]:
    """Healthy text: words, code, and the names of days, months and languages in 60 locales.

    Example: ``"the Monday"``. What fails on these fails on everything.

    Source: CLDR, through babel.
    """
    return _of("plain-words")


def zero_width() -> SearchStrategy[str]:
    r"""Words with characters in and around them that do not show: joiners, fillers, blanks.

    Example: ``"pass\u200bword"``.

    Source: UAX #44 (Default_Ignorable_Code_Point, Cf); Boucher et al. 2021 "Bad Characters".
    """
    return _of("zero-width")


def confusables() -> SearchStrategy[str]:
    r"""Words with letters that look the same: Cyrillic, Greek, fullwidth, mathematical.

    At least one character is beyond ASCII; see :func:`confusable_twins` for pairs.

    Example: ``"p\u0430ypal"``.

    Source: UTS #39 (confusables.txt).
    """
    return _of("homoglyphs").filter(lambda text: not text.isascii())


def normal_forms() -> SearchStrategy[str]:
    r"""Characters that a normal form changes, marks in any order, jamo.

    Example: ``"a\u0301\u0323"``.

    Source: UAX #15 and its NormalizationTest.txt.
    """
    return _of("normal-forms")


def combining_stacks() -> SearchStrategy[str]:
    r"""Words with stacks of combining marks, up to twice what Stream-Safe text allows.

    Example: ``"a\u0301\u0301\u0301"``.

    Source: UAX #15, section 13 (Stream-Safe Text Format); UAX #44 (M, Canonical_Combining_Class).
    """
    return _of("combining-stacks")


def letter_case() -> SearchStrategy[str]:
    r"""Letters whose upper, lower or folded form is longer, shared, or depends on its neighbours.

    Example: ``"\u0130"``, whose lower case is two characters.

    Source: CaseFolding.txt; SpecialCasing.txt.
    """
    return _of("letter-case")


def emoji() -> SearchStrategy[str]:
    r"""Emoji joined, coloured, flagged, cut short and put together as none is.

    Example: ``"\U0001f468\u200d"``.

    Source: UTS #51; UAX #29 (GB9c, GB11, GB12).
    """
    return _of("emoji")


def variation_selectors() -> SearchStrategy[str]:
    r"""Bases of every kind with variation selectors after them, which may carry a message.

    Example: ``"a\ufe0f"``.

    Source: StandardizedVariants.txt; UTS #37; Butler 2025.
    """
    return _of("variation-selectors")


def tag_smuggling() -> SearchStrategy[str]:
    r"""Text with messages in tag characters, an ASCII that nobody sees.

    Example: ``"Hello\U000e0061\U000e0062"``.

    Source: UTS #51, annex C; Goodside 2024 (ASCII smuggling).
    """
    return _of("tag-smuggling")


def invisible_bits() -> SearchStrategy[str]:
    r"""Bytes written in the bits of two characters that do not show.

    Example: ``"a\u2062\u2064\u2064\u2062"``.

    Source: the sneaky bits of garak and of Rehberger 2025.
    """
    return _of("invisible-bits")


def bidi() -> SearchStrategy[str]:
    r"""Text of both directions with direction controls, balanced or not.

    Example: ``"a\u202e1"``.

    Source: UAX #9; CVE-2021-42574 "Trojan Source".
    """
    return _of("bidi")


def controls() -> SearchStrategy[str]:
    r"""Control codes, pieces of the escape sequences of terminals, byte-order marks.

    Example: ``"a\x1b[0m"``. Do not print them as they are.

    Source: ECMA-48; the Unicode Standard, chapter 23.
    """
    return _of("controls")


def white_space() -> SearchStrategy[str]:
    r"""Words among runs of white space of every kind, and of what only looks like it.

    Example: ``"a\u00a0\u3000the"``.

    Source: PropList.txt (White_Space); ECMA-262 (WhiteSpace).
    """
    return _of("white-space")


def leading_space() -> SearchStrategy[str]:
    r"""Words with white space before and after, and with what stands in for a space.

    Example: ``" \u2581a"``.

    Source: UAX #44 (White_Space); the split patterns of GPT-2 and its successors.
    """
    return _of("leading-space")


def contractions() -> SearchStrategy[str]:
    r"""Words around apostrophes and suffixes of English contractions, in every spelling.

    Example: ``"a\u2019S"``.

    Source: the patterns r50k_base, cl100k_base and o200k_base; CaseFolding.txt.
    """
    return _of("contractions")


def digits() -> SearchStrategy[str]:
    r"""Numbers in any set of digits, with signs, separators and letters around them.

    Example: ``"12\u0663"``.

    Source: UAX #44 (Nd, Nl, No).
    """
    return _of("digits")


def hangul() -> SearchStrategy[str]:
    r"""Korean syllables, jamo that may or may not compose, and fillers.

    Example: ``"\u1112\u1161\u11ab"``.

    Source: the Unicode Standard, section 3.12; UAX #29 (GB6 to GB8).
    """
    return _of("hangul")


def indic_conjuncts() -> SearchStrategy[str]:
    r"""Consonants with the viramas that join them, and joiners that say otherwise.

    Example: ``"\u0915\u094d\u200d\u0937"``.

    Source: UAX #29 (GB9c); the Unicode Standard, chapters 12, 13 and 16.
    """
    return _of("indic-conjuncts")


def noncharacters() -> SearchStrategy[str]:
    r"""Noncharacters, private use, unassigned code points, and a U+FFFD of the text's own.

    Example: ``"a\ufffe"``.

    Source: the Unicode Standard, chapters 3 and 23.
    """
    return _of("noncharacters")


def new_code_points() -> SearchStrategy[str]:
    r"""Code points whose class changed since Unicode 13.0, on which two libraries differ.

    Example: ``"a\u1c89"``, a letter since Unicode 16.0.

    Source: UAX #44 (DerivedAge, General_Category).
    """
    return _of("new-code-points")


def code() -> SearchStrategy[str]:
    r"""Lines of operators, names, numbers, escapes and white space.

    Example: ``"    x->p\u0430ss"``.

    Source: UAX #31; UTS #55; language references.
    """
    return _of("code")


def property_names() -> SearchStrategy[str]:
    """Words that every object of a language has already, and words that mean a value to a format.

    Example: ``"__proto__"``, ``"constructor"``, ``"NaN"``.

    Source: ECMA-262 (Object.prototype); YAML 1.1; RFC 8259.
    """
    return _of("property-names")


def byte_alphabet() -> SearchStrategy[str]:
    r"""Words with what vocabularies write for a byte, a space or the end of a word.

    Example: ``"\u0120the<0x0A>"``.

    Source: GPT-2's encoder.py (bytes_to_unicode); the documentation of SentencePiece.
    """
    return _of("byte-alphabet")


def chat_templates() -> SearchStrategy[str]:
    """Pieces of chat templates and of texts that forge a change of speaker, in any order.

    Example: ``"user<|im_end|>"``.

    Source: the published chat templates of each model; OWASP LLM01.
    """
    return _of("chat-templates")


def special_token_lookalikes(special_tokens: Sequence[str] = ()) -> SearchStrategy[str]:
    r"""Special tokens whole, cut, nested and disguised: yours, and those of well-known models.

    Example: ``"<|end<|endoftext|>oftext|>"``, ``"\uff1c|endoftext|>"``.

    Source: OWASP AISVS C2.1; the published special tokens of each vocabulary.

    Raises:
        hypothesis.errors.InvalidArgument: a word stands where a sequence belongs.

    """
    return _of("special-tokens", _facts(special_tokens))


def surrogates() -> SearchStrategy[str]:
    r"""Lone surrogates, reversed pairs, and pairs as two code units; no text is valid Unicode.

    Example: ``"a\ud83d"``. Such a text has no UTF-8: ``text.encode()`` raises.

    Source: the Unicode Standard, chapter 3 (D71 to D77).
    """
    return _of("surrogates")


def invalid_utf8() -> SearchStrategy[str]:
    r"""Bytes that are no UTF-8, as Python carries them in a string.

    The byte 0xNN is U+DCNN; ``text.encode("utf-8", "surrogateescape")`` gives the bytes.

    Example: ``"a\udcc0\udc80"``, an overlong NUL.

    Source: the Unicode Standard, table 3-7; RFC 3629; PEP 383.
    """
    return _of("invalid-utf8")


def _of(name: str, facts: TargetFacts | None = None) -> SearchStrategy[str]:
    def texts() -> SearchStrategy[str]:
        from tokharness import plugins

        # Pieces that are cut may be cut to nothing, and a text of nothing is of no kind.
        return _strategy(plugins.family(name), facts or _facts(())).filter(bool)

    return _deferred(texts)


@lru_cache(maxsize=256)
def _strategy(family: Family, facts: TargetFacts) -> SearchStrategy[str]:
    """Strategy of a family; some look through all of Unicode for it, which tests share."""
    return family.strategy(facts)


def _deferred(define: Callable[[], SearchStrategy[T]]) -> SearchStrategy[T]:
    from hypothesis import strategies as st

    return st.deferred(define)


def _drawn_from(pairs: Callable[[], Pairs], none: str = "") -> SearchStrategy[tuple[str, str]]:
    def define() -> SearchStrategy[tuple[str, str]]:
        from hypothesis import strategies as st
        from hypothesis.errors import InvalidArgument

        found = pairs()
        if not found:
            raise InvalidArgument(none)
        return st.sampled_from(found)

    return _deferred(define)


def _facts(special_tokens: Sequence[str]) -> TargetFacts:
    from tokharness.model import TargetFacts

    tokens = _texts("special_tokens", special_tokens)
    return TargetFacts(tokens, profile="quick")


def _texts(name: str, value: Sequence[str]) -> tuple[str, ...]:
    from hypothesis.errors import InvalidArgument

    if isinstance(value, str):
        raise InvalidArgument(f"{name} is a sequence of texts: write [{value!a}], not {value!a}")
    texts = tuple(value)
    if wrong := [text for text in texts if not isinstance(text, str)]:
        raise InvalidArgument(f"{name} is a sequence of texts, and {wrong[0]!a} is none")
    return texts


def _named(names: Sequence[str], *, surrogates: bool) -> list[Family]:
    """Families of these names; a mistake is told where the strategy is made."""
    from hypothesis.errors import InvalidArgument

    from tokharness import plugins
    from tokharness.errors import UsageError

    words = dict.fromkeys(_texts("families", names))
    if not words:
        raise InvalidArgument("families is empty: name some, or leave it out for all")
    if not surrogates and (halves := [word for word in words if word in HALVES]):
        raise InvalidArgument(
            f"the family {halves[0]!a} has lone surrogates only: give surrogates=True as well"
        )
    try:
        chosen = [plugins.family(word) for word in words]
    except UsageError as error:
        raise InvalidArgument(str(error)) from error
    if project := [family.name for family in chosen if family.replayed]:
        raise InvalidArgument(f"the family {project[0]!a} has texts of a project, and draws none")
    return chosen


def _mixed(*, surrogates: bool) -> list[Family]:
    """All families, the readable first and those with lone surrogates last."""
    from tokharness import plugins

    known = {name: one for name, one in plugins.families().items() if not one.replayed}
    last = (*INTRICATE, *(HALVES if surrogates else ()))
    others = [name for name in known if name not in (*READABLE, *INTRICATE, *HALVES)]
    return [known[name] for name in (*READABLE, *others, *last)]


def _has_scalars_only(text: str) -> bool:
    return bool(text) and not any("\ud800" <= char <= "\udfff" for char in text)


def _shortest_first(pairs: Iterable[tuple[str, str]]) -> Pairs:
    """Pairs in the order in which they shrink: towards a letter that everybody can read."""

    def key(pair: tuple[str, str]) -> tuple[int, bool, bool, str]:
        text, twin = pair
        first = twin[:1]
        return len(text + twin), not first.isascii(), not first.isalpha(), twin.swapcase()

    return tuple(sorted(dict.fromkeys(pairs), key=key))


@cache
def _confusable_pairs() -> Pairs:
    from tokharness import plugins
    from tokharness.unicode.confusables import skeleton

    cases = plugins.family("homoglyphs").cases(_facts(()))
    found = ((case.text, case.twin) for case in cases if case.twin is not None)
    return _shortest_first(pair for pair in found if skeleton(pair[0]) == skeleton(pair[1]))


@cache
def _spelled_pairs() -> tuple[Pairs, Pairs]:
    """Pairs that a table makes, and those of Hangul, which arithmetic makes."""
    from tokharness import plugins
    from tokharness.unicode.normalization import normalize

    texts = [case.text for case in plugins.family("normal-forms").cases(_facts(()))]
    found = ((normalize("NFC", text), normalize("NFD", text)) for text in texts)
    pairs = _shortest_first((one, other) for one, other in found if one != other)
    syllables = tuple(pair for pair in pairs if _is_syllable(pair[0]))
    return tuple(pair for pair in pairs if not _is_syllable(pair[0])), syllables


def _is_syllable(text: str) -> bool:
    return len(text) == 1 and "\uac00" <= text <= "\ud7a3"

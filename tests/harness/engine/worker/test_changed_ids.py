"""Changed ids without a file: a cause is named only if it explains every id that differs."""

import re

import pytest

from tokharness.engine.worker.changed_ids import explain_by_ids
from tokharness.model import target_of
from tokharness.targets.snapshot import ChangedText
from tokharness.targets.subject import Subject
from tokharness.unicode.normalization import normalize

PIECES = ("12", *map(chr, range(0x20, 0x7F)), "\u2460", "\u00e9", "e\u0301", "\ufb01", " a")


class Longest:
    """Ids of the longest pieces of a text, after its normal form."""

    def __init__(self, normal=str, pieces=PIECES):
        self.normal, self.pieces = normal, sorted(pieces, key=len, reverse=True)

    def encode(self, text):
        text, ids = self.normal(text), []
        while text:
            piece = next((one for one in self.pieces if text.startswith(one)), "")
            ids += [PIECES.index(piece)] if piece else []
            text = text[len(piece) or 1 :]
        return ids

    def decode(self, ids):
        return "".join(PIECES[number] for number in ids)


class StillGivenAlone(Longest):
    """Gives each token for its own text, though not inside of other text."""

    def encode(self, text):
        return [PIECES.index(text)] if text in PIECES else super().encode(text)


def nfkc(text):
    return normalize("NFKC", text)


def causes(old, new, texts):
    rows = [(text, tuple(old.encode(text)), tuple(new.encode(text))) for text in texts]
    changed = [ChangedText("golden texts", *row) for row in rows]
    unchanged = {text: before for text, before, after in rows if before == after}
    found = explain_by_ids(changed, Subject(target_of("target", new)), (), unchanged)
    return {str(one.cause): set(one.texts) for one in found}


def without(*pieces):
    return [one for one in PIECES if one not in pieces]


def test_a_form_that_is_new_explains_the_texts_that_it_changes():
    texts = ("\u2460", "x \u2460y", "\ufb01n")
    assert causes(Longest(), Longest(nfkc), texts) == {"normalizer: NFKC": {*texts}}


@pytest.mark.parametrize("normal", [str.lower, nfkc])
def test_a_form_that_was_there_before_explains_nothing(normal):
    texts = ("A12", "\u2460 12")
    found = causes(Longest(normal), Longest(normal, without("12")), texts)
    assert found == {"token: id 0, '12': gone": {*texts}}


def test_a_form_explains_no_text_in_which_other_tokens_differ_too():
    found = causes(Longest(), Longest(nfkc, without("12")), ("\u2460", "\u2460 12"))
    assert found == {
        "normalizer: NFKC": {"\u2460"},
        "no cause was found: a digit": {"\u2460 12"},
    }


def test_a_form_may_change_how_the_text_next_to_a_character_is_cut():
    class Cut(Longest):
        def encode(self, text):
            whole, plain = PIECES.index("12"), [PIECES.index(one) for one in "12"]
            ids = super().encode(text)
            if self.normal is str:
                return ids
            return [one for number in ids for one in (plain if number == whole else [number])]

    assert causes(Longest(), Cut(nfkc), ("\u2460", "\u246012")) == {
        "normalizer: NFKC": {"\u2460", "\u246012"}
    }


def test_of_a_lossy_target_only_the_characters_that_are_newly_replaced_are_named():
    def lower(text):
        return text.lower()

    def and_dashes(text):
        return text.lower().replace("-", "_")

    (cause,) = causes(Longest(lower), Longest(and_dashes), ("-", "A-B"))
    assert cause == "replaced characters: U+002D HYPHEN-MINUS, U+005F LOW LINE"


def test_characters_explain_a_text_only_together_with_others_that_are_proved():
    def changed(text):
        return text.replace("-", "_").replace("x", "")

    dash, dropped = (
        "replaced characters: U+002D HYPHEN-MINUS, U+005F LOW LINE",
        "dropped characters: U+0078 LATIN SMALL LETTER X",
    )
    assert causes(Longest(), Longest(changed), ("a-", "xa-")) == {
        dash: {"a-"},
        "no cause was found: a letter": {"xa-"},
    }
    found = causes(Longest(), Longest(changed), ("a-", "ax", "xa-"))
    assert found.keys() == {dash, dropped}


def test_an_unknown_token_replaces_no_characters():
    class Unknown(Longest):
        def encode(self, text):
            return [-1] if "12" in text else super().encode(text)

        def decode(self, ids):
            return "<unk>" if -1 in ids else super().decode(ids)

    found = causes(Longest(), Unknown(), ("12", "x 12"))
    assert all(one.startswith("no cause was found") for one in found)


def test_a_token_with_a_space_differs_at_its_letter():
    found = causes(Longest(), StillGivenAlone(pieces=without(" a")), ("x a", "X a"))
    assert found == {"no cause was found: a letter": {"x a", "X a"}}


def test_the_place_is_found_in_a_text_that_the_target_lowercases():
    found = causes(Longest(str.lower), StillGivenAlone(str.lower, without("12")), ("ABC-12",))
    assert found == {"no cause was found: a digit": {"ABC-12"}}


def prefixed(text):
    return f" {text}"


def once_prefixed(text):
    return text if text.startswith(" ") else f" {text}"


class Stripping(Longest):
    def decode(self, ids):
        return super().decode(ids).removeprefix(" ")


@pytest.mark.parametrize("kind", [Longest, Stripping])
@pytest.mark.parametrize("normal", [prefixed, once_prefixed])
def test_a_prefix_space_is_one_cause_whatever_the_texts_begin_with(kind, normal):
    texts = ("a", "b a", "-", "12", "\u00e9", " b")
    old, new = kind(), kind(normal)
    changed = {text for text in texts if old.encode(text) != new.encode(text)}
    assert causes(old, new, texts) == {"prefix space: on, was off": changed}
    assert causes(new, old, texts) == {"prefix space: off, was on": changed}


def test_a_space_before_some_texts_is_no_prefix_space():
    def before_digits(text):
        return once_prefixed(text) if text[:1].isdigit() else text

    texts = ("12", "1", "-", "b-", "a_", "_a")
    found = causes(Longest(), Longest(before_digits, without("_", "-")), texts)
    assert not any(one.startswith("prefix space") for one in found)


def test_a_prefix_space_is_put_behind_a_special_token_too():
    def behind(text):
        return once_prefixed(text).replace("\u2460", "\u2460 ")

    texts = ("a", "b", "-", "-\u2460b", "a\u2460-")
    assert causes(Longest(), Longest(behind), texts) == {"prefix space: on, was off": {*texts}}
    assert causes(Longest(behind), Longest(), texts) == {"prefix space: off, was on": {*texts}}


class Lossy(Stripping):
    """Decodes no text that shows what the encoder changes."""

    def decode(self, ids):
        return "?" * len(ids)


def test_a_form_of_a_target_that_loses_text_is_shown_by_other_texts_of_the_baseline():
    texts = ("A", "a", "B", "b", "C", "c", "AB", "xB", "\u00c9")
    old, new = Lossy(), Lossy(str.lower)
    changed = {text for text in texts if old.encode(text) != new.encode(text)}
    assert causes(old, new, texts) == {"normalizer: lowercase: on, was off": changed}
    assert causes(new, old, texts) == {"normalizer: lowercase: off, was on": changed}


def test_spaces_around_han_characters_are_a_form_that_was_applied():
    texts = ("\u4e2d", "a\u6587", "\u4e2d\u6587 -", "\u3042\u4e2d")
    spaced = Lossy(lambda text: re.sub("([\u4e00-\u9fff])", r" \1 ", text))
    assert causes(spaced, Lossy(), texts) == {
        "normalizer: spaces around Han characters: off, was on": {*texts}
    }


def test_a_form_that_a_lossy_target_always_had_explains_no_other_change():
    texts = ("A12", "B12", "C12", "a12", "b12", "c12", "12")
    found = causes(Lossy(str.lower), Lossy(str.lower, without("12")), texts)
    assert all(one.startswith("no cause was found") for one in found)


class OfBytes(Longest):
    """Encodes characters without a piece as bytes, or as one unknown token in a row."""

    def __init__(self, unknown=None):
        super().__init__()
        self.unknown = unknown

    def encode(self, text):
        ids = []
        for char in text:
            if char in PIECES:
                ids.append(PIECES.index(char))
            elif self.unknown is None:
                ids += [byte + 1000 for byte in char.encode()]
            elif ids[-1:] != [self.unknown]:
                ids.append(self.unknown)
        return ids

    def decode(self, ids):
        data = (
            bytes([n - 1000]) if 1000 <= n < 2000 else b"<unk>" if n >= 2000 else PIECES[n].encode()
            for n in ids
        )
        return b"".join(data).decode("utf-8", "replace")


def test_an_unknown_token_in_place_of_bytes_is_one_cause():
    texts = ("\u4e2d", "a\u4e2d\u6587b", "\u0416", "\u0416-\u0416", "\u4e2d \u6587")
    old, new = OfBytes(), OfBytes(2000)
    what = "unknown token: id 2000, '<unk>': {}, was {}"
    assert causes(old, new, texts) == {what.format("on", "off"): {*texts}}
    assert causes(new, old, texts) == {what.format("off", "on"): {*texts}}


def test_a_limit_of_words_is_the_cause_of_unknown_tokens_for_longer_ones():
    class Limited(OfBytes):
        def encode(self, text):
            words = re.findall(r"\w+|\W", text)
            ids = [[2000] if len(word) > 6 else super(Limited, self).encode(word) for word in words]
            return [number for of_word in ids for number in of_word]

    texts = ("abcdefg", "a abcdefgh", "abcdefghij-", "abcdef", "ab cd ef gh")
    found = causes(OfBytes(), Limited(), texts)
    what = "unknown token: id 2000, '<unk>' for words of more than 6 characters: on, was off"
    assert found == {what: {*texts[:3]}}


def test_a_form_that_is_off_is_the_cause_of_unknown_tokens():
    class OfLowercase(Longest):
        def encode(self, text):
            text = self.normal(text)
            return [2000 if one.isupper() else PIECES.index(one) for one in text]

        def decode(self, ids):
            return "".join("<unk>" if number == 2000 else PIECES[number] for number in ids)

    texts = ("A", "bB", "\u00c9-", "ABC", "abc")
    found = causes(OfLowercase(str.lower), OfLowercase(), texts)
    assert found == {"normalizer: lowercase: off, was on": {*texts[:4]}}


def test_a_new_merge_is_no_unknown_token():
    texts = ("12", "a12", "12b", "-12-")
    found = causes(Longest(pieces=without("12")), Longest(), texts)
    assert found == {"token: id 0, '12': new": {*texts}}


def test_a_prefix_space_hides_no_other_change_of_a_text_whose_ids_behind_a_space_are_known():
    def and_dashes(text):
        return once_prefixed(text).replace("_", " _")

    texts = ("a", "b", "-", "+", "x_", " x_")
    found = causes(Longest(), Longest(and_dashes), texts)
    assert "x_" not in found.pop("prefix space: on, was off")
    assert "x_" in set().union(*found.values())

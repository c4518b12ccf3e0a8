"""Ids of texts that are cut in another way, without a file: at digits, or at a token alone."""

import re

import pytest

from tokharness.engine.worker.changed_ids import explain_by_ids
from tokharness.model import target_of
from tokharness.targets.snapshot import ChangedText
from tokharness.targets.subject import Subject

PIECES = ("12", "34", "56", "78", " 9", "ab", "abc", *map(chr, range(0x20, 0x7F)))
TEXTS = ("12", "34", "x56", "78.", " 9", "a", "x ", "ab", "abc", "xab", "1x")


class Longest:
    """Ids of the longest pieces of each part of a text."""

    def __init__(self, *without, cut=r"(?!)", alone=()):
        self.cut, self.alone = re.compile(cut), alone
        self.pieces = sorted({*PIECES} - {*without}, key=len, reverse=True)

    def encode(self, text):
        if text in self.alone:
            return [PIECES.index(text)]
        ids = []
        for part in self.cut.split(text):
            rest = part
            while rest:
                piece = next(one for one in self.pieces if rest.startswith(one))
                ids.append(PIECES.index(piece))
                rest = rest[len(piece) :]
        return ids

    def decode(self, ids):
        return "".join(PIECES[number] for number in ids)


def causes(old, new, texts=TEXTS):
    rows = [(text, tuple(old.encode(text)), tuple(new.encode(text))) for text in texts]
    changed = [ChangedText("golden texts", *row) for row in rows if row[1] != row[2]]
    unchanged = {text: before for text, before, after in rows if before == after}
    found = explain_by_ids(changed, Subject(target_of("target", new)), (), unchanged)
    return {str(one.cause): set(one.texts) for one in found}


CUTS = {
    r"(?<=\d)(?=.)|(?<=.)(?=\d)": ("digits are tokens of their own", {*TEXTS[:5]}),
    r"(?<=\d)(?=\d)": ("digits are cut from each other", {*TEXTS[:4]}),
}


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("change", ["on, was off", "off, was on"])
def test_a_cut_at_digits_is_one_cause(cut, change):
    rule, texts = CUTS[cut]
    sides = (Longest(), Longest(cut=cut))
    old, new = sides if change == "on, was off" else sides[::-1]
    assert causes(old, new) == {f"pre-tokenizer: {rule}: {change}": texts}


def test_tokens_of_digits_that_are_gone_are_no_cut_while_others_are_given():
    found = causes(Longest(), Longest("12", "34", "56"))
    assert found == {
        "token: id 0, '12': gone": {"12"},
        "token: id 1, '34': gone": {"34"},
        "token: id 2, '56': gone": {"x56"},
    }


def test_a_token_that_is_gone_or_new_is_named_with_its_text():
    assert causes(Longest(), Longest("abc")) == {"token: id 6, 'abc': gone": {"abc"}}
    assert causes(Longest("abc"), Longest()) == {"token: id 6, 'abc': new": {"abc"}}


def test_a_token_that_contains_another_is_gone_with_it():
    found = causes(Longest(), Longest("ab", "abc"))
    assert found == {"token: id 5, 'ab': gone": {"ab", "abc", "xab"}}


def test_a_token_is_not_gone_while_a_text_has_it():
    found = causes(Longest(), Longest("ab", alone=("ab",)), ("xab", "abx"))
    assert found == {"no cause was found: a letter": {"xab", "abx"}}


def test_four_tokens_that_are_gone_have_another_cause():
    found = causes(Longest(), Longest("12", "34", "56", "ab", "abc"))
    assert all(one.startswith("no cause was found") for one in found)


def test_a_part_of_a_character_that_is_gone_is_not_named():
    class Shown(Longest):
        def decode(self, ids):
            return super().decode(ids).replace("ab", "\ufffd").replace("abc", "\ufffd")

    old, new = Shown(), Shown("ab", "abc")
    assert new.decode(new.encode("ab")) == old.decode(old.encode("ab")) == "\ufffd"
    assert all(one.startswith("no cause was found") for one in causes(old, new, ("ab", "xab")))

"""Edits of a target that shows no file, which digests and single ids show."""

from dataclasses import replace

import pytest

from tokharness.edits import TOKENS_ALONE
from tokharness.engine.worker.body_digests import bodies, take_digests
from tokharness.engine.worker.changed_ids import EarlierIds
from tokharness.engine.worker.described_file import DescribedFile, described_file
from tokharness.engine.worker.file_changes import explain_file
from tokharness.model import Description, TokenEntry, target_of
from tokharness.targets.snapshot import ChangedText, EarlierState
from tokharness.targets.subject import Subject


class Letters:
    """A target that shows nothing but what it encodes and decodes: ids are places of letters."""

    def __init__(self, letters):
        self.letters = letters

    def encode(self, text):
        return [self.letters.index(letter) for letter in text if letter in self.letters]

    def decode(self, ids):
        return "".join(self.letters[number] for number in ids)


def test_digests_of_a_target_that_shows_nothing_are_of_what_its_ids_decode_to():
    class Bytes:
        def encode(self, text):
            return list(text.encode())

        def decode(self, ids):
            return bytes(ids).decode("utf-8", "replace")

    subject = Subject(target_of("bytes", Bytes()))
    file = described_file(subject, None, 100)
    digests = take_digests(subject, None, file.new)
    assert digests.sizes["tokens' own texts"] == 128


@pytest.mark.parametrize("unknown", ["", "?"])
def test_ids_that_no_text_of_a_run_has_are_part_of_the_vocabulary(unknown):
    class Unseen:
        size = 3000

        def encode(self, text):
            return [ord(char) for char in text if char.isascii()]

        def decode(self, ids):
            return "".join(chr(one) if one < self.size else unknown for one in ids)

    unseen = Unseen()
    subject = Subject(target_of("unseen", unseen))
    first = described_file(subject, None, 10)
    assert [one.id for one in first.new.tokens] == list(range(3000))
    again = described_file(subject, EarlierState(first.state), 10)
    assert again.new.tokens == first.new.tokens
    unseen.size = 3001
    added = described_file(subject, EarlierState(first.state), 10)
    assert [one.id for one in added.new.tokens] == list(range(3001))
    (edit,) = explain_file(subject, added, [])
    assert edit.what == f"token {chr(3000)!r} is new, as id 3000"


@pytest.mark.slow
def test_the_vocabulary_of_a_target_that_shows_nothing_is_what_single_ids_decode_to():
    old, new = (Subject(target_of("letters", Letters(one))) for one in ("abcd", "acxd"))
    first = described_file(old, None, 4)
    before = take_digests(old, None, first.new)
    file = described_file(new, EarlierState(first.state, before.packed), 9)
    after = take_digests(new, EarlierState(first.state, before.packed), file.old)
    assert {one.text for one in after.changed} >= {"b", "c"}
    assert not after.not_compared
    changed = ChangedText("golden texts", "abd", (0, 1, 3), (0, 3))
    moved = ChangedText("golden texts", "ac", (0, 2), (0, 1))
    edits = explain_file(new, file, [changed, moved])
    assert {text for edit in edits for text in edit.texts} == {"abd", "ac"}


def edits_by_digest(old, new, texts):
    """What differs between two targets that show nothing but letters."""
    before, after = (Subject(target_of("letters", Letters(one))) for one in (old, new))
    first = described_file(before, None, len(old))
    earlier = EarlierState(first.state, take_digests(before, None, first.new).packed)
    file = described_file(after, earlier, len(new))
    digests = take_digests(after, earlier, file.old, EarlierIds(file.old, file.new))
    changed = [
        ChangedText("golden texts", text, *(tuple(one.encode(text)) for one in (before, after)))
        for text in texts
    ]
    return explain_file(after, file, [*changed, *digests.candidates]), digests


@pytest.mark.slow
def test_digests_confirm_the_earlier_ids_of_tokens_that_have_changed_places():
    (edit,), digests = edits_by_digest("abcd", "acbd", ["abd"])
    assert edit.what == "ids 1 and 2 have changed places: 'b', 'c'"
    assert {one.text: one.before for one in digests.changed}.items() >= {("b", (1,)), ("c", (2,))}
    assert {one.text for one in digests.changed} <= {*edit.texts}


def test_a_text_whose_earlier_ids_are_unknown_comes_after_a_shorter_one():
    old, new = (
        Description(
            TOKENS_ALONE,
            {"added tokens": []},
            tuple(TokenEntry(number, token) for number, token in enumerate((one, b"a"))),
        )
        for one in (b"b", b"bz")
    )
    changed = [
        ChangedText("golden texts", "bab", None, (1,)),
        ChangedText("golden texts", "b", (0,), (1,)),
    ]
    subject = Subject(target_of("letters", Letters("ab")))
    (edit,) = explain_file(subject, DescribedFile(None, new, old), changed)
    assert [one.text for one in edit.examples] == ["b", "bab"]


@pytest.mark.slow
def test_ids_that_decode_to_no_text_move_with_the_ids_around_them():
    (edit,), digests = edits_by_digest("abc\ufffdde", "bc\ufffdde", ["\ufffd", "b\ufffd"])
    assert edit.what == "token 'a' (id 0) is gone"
    assert {"\ufffd", "b\ufffd"} <= {*edit.texts}
    assert {one.text for one in digests.changed} <= {*edit.texts}


def test_ids_that_no_text_showed_are_no_new_tokens():
    class Shifted:
        def encode(self, text):
            return [ord(one) - 1 for one in text]

        def decode(self, ids):
            return "".join(chr(number + 1) for number in ids)

    rows = tuple(TokenEntry(number, bytes([number])) for number in range(97, 101))
    old = Description(TOKENS_ALONE, {"added tokens": []}, rows)
    new = replace(old, tokens=tuple(TokenEntry(at, bytes([at + 1])) for at in range(97, 101)))
    changed = ChangedText("golden texts", "bc", (98, 99), (97, 98))
    (edit,) = explain_file(
        Subject(target_of("shifted", Shifted())), DescribedFile(None, new, old), [changed]
    )
    assert (edit.what, edit.texts) == ("token 'a' (id 97) is gone", ("bc",))


@pytest.mark.parametrize(
    ("same_ids", "shows_bytes", "edit"),
    [
        (True, False, ("decoder", "12 ids decode to other text, the first: 0 to ' 0', was '0'")),
        (
            False,
            False,
            ("vocabulary", "12 ids stand for other tokens, the first: id 0 is ' 0', was '0'"),
        ),
        (
            True,
            True,
            ("vocabulary", "12 ids stand for other tokens, the first: id 0 is ' 0', was '0'"),
        ),
    ],
)
def test_tokens_with_other_text_and_the_same_ids_are_decoded_differently(
    old, subject_of, same_ids, shows_bytes, edit
):
    rows = [TokenEntry(number, b"%d" % number) for number in range(20)]
    spaced = [row._replace(token=b" " + row.token) if row.id < 12 else row for row in rows]
    spaced += [TokenEntry(20, b" ")] if same_ids and not shows_bytes else []
    before, after = (Description(TOKENS_ALONE, {}, tuple(one)) for one in (rows, spaced))
    file = DescribedFile(None, after, before)
    subject = subject_of(old) if shows_bytes else Subject(target_of("letters", Letters("ab")))
    (found,) = explain_file(subject, file, [], same_ids=same_ids)
    assert (found.stage, found.what) == edit


def test_a_token_that_continues_a_word_stands_behind_its_beginning(old, subject_of):
    record = {"continuing_subword_prefix": "##", "type": "WordPiece"}
    rows = [TokenEntry(at, token) for at, token in enumerate(("7", "q", "##ing", "##1", "ing"))]
    description = Description("tokenizer.json", {"model": record}, tuple(rows))
    name, texts = next(bodies(subject_of(old), description))
    assert (name, texts) == ("tokens' own texts", ["7", "q", "7ing", "q1", "ing"])


def test_ids_of_the_same_tokens_explain_texts_without_a_file(old, subject_of):
    rows = [TokenEntry(at, token) for at, token in enumerate((b"a", b"b", b"c", b"d"))]
    swapped = [rows[0], rows[1]._replace(token=b"c"), rows[2]._replace(token=b"b"), rows[3]]
    files = [Description(TOKENS_ALONE, {}, tuple(one)) for one in (rows, swapped)]
    texts = [("abd", (0, 1, 3), (0, 2, 3)), ("bc", (1, 2), (2, 1)), ("bd", (1, 3), (2, 1))]
    changed = [ChangedText("golden texts", *one) for one in texts]
    (edit,) = explain_file(subject_of(old), DescribedFile(None, files[1], files[0]), changed)
    assert str(edit.what) == "ids 1 and 2 have changed places: 'b', 'c'"
    assert edit.texts == ("bc", "abd")
    assert edit.examples[0].text == "bc"

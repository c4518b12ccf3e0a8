"""Models give the ids of Hugging Face's library, on generated vocabularies and words."""

from __future__ import annotations

import random

import pytest

from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.models.wordpiece import WordLevel, WordPiece

pytestmark = pytest.mark.needs("tokenizers", "0")

CHARACTERS = "abc\xe9\u4e2d \u0301\U0001f600"
VOCABULARIES, WORDS = 150, 30
NAMES = [f"<0x{byte:02X}>" for byte in range(256)]


def word(rng: random.Random, most: int = 8) -> str:
    return "".join(rng.choices(CHARACTERS, k=rng.randint(1, most)))


def compare(ours, theirs, words) -> None:
    for one in words:
        assert [number for number, _ in ours.tokens(one)] == [t.id for t in theirs.tokenize(one)], (
            one
        )


def random_bpe(rng: random.Random, *, names: list[str]) -> dict[str, object]:
    """Vocabulary, merges and settings; ``names`` are the tokens of bytes."""
    prefix, suffix = rng.choice(["", "##"]), rng.choice(["", "</w>"])
    unknown = rng.choice([None, "<unk>"])
    characters = [one for one in CHARACTERS if rng.random() < 0.8]
    begins = [*characters, *(prefix + one for one in characters)]
    tokens = dict.fromkeys([*begins, *(one + suffix for one in begins)])
    merges = []
    for _ in range(rng.randint(0, 15)):
        left, right = rng.choice(list(tokens)), rng.choice(list(tokens))
        if right.startswith(prefix) and not (suffix and left.endswith(suffix)):
            merges.append((left, right))
            tokens[left + right[len(prefix) :]] = None
    vocabulary = [*([unknown] if unknown else []), *tokens, *names]
    return {
        "vocabulary": {token: number for number, token in enumerate(vocabulary)},
        "merges": list(dict.fromkeys(merges)),
        "unknown": unknown,
        "prefix": prefix,
        "suffix": suffix,
        "fuse_unknown": rng.random() < 0.5,
        "byte_fallback": bool(names),
        "ignore_merges": rng.random() < 0.3,
    }


def library_bpe(settings: dict[str, object]):
    from tokenizers import models

    names = {
        "unknown": "unk_token",
        "prefix": "continuing_subword_prefix",
        "suffix": "end_of_word_suffix",
        "fuse_unknown": "fuse_unk",
        "byte_fallback": "byte_fallback",
        "ignore_merges": "ignore_merges",
    }
    options = {theirs: settings[ours] for ours, theirs in names.items() if settings[ours]}
    return models.BPE(settings["vocabulary"], settings["merges"], **options)


@pytest.mark.parametrize("names", [[], NAMES], ids=["no bytes", "all bytes"])
def test_bpe(names: list[str]) -> None:
    rng = random.Random(1)
    for _ in range(VOCABULARIES):
        settings = random_bpe(rng, names=names)
        words = [word(rng) for _ in range(WORDS)]
        compare(BPE(**settings), library_bpe(settings), words)


def test_the_library_puts_an_unknown_token_after_the_bytes_that_follow_it() -> None:
    some = [name for name in NAMES if name != "<0xAD>"]
    settings = {
        "vocabulary": {token: number for number, token in enumerate(["<unk>", *some])},
        "merges": [],
        "unknown": "<unk>",
        "prefix": "",
        "suffix": "",
        "fuse_unknown": False,
        "byte_fallback": True,
        "ignore_merges": False,
    }
    tokens = [token.value for token in library_bpe(settings).tokenize("\u4e2d\xe9")]
    assert tokens == ["<0xC3>", "<0xA9>", "<unk>"]


@pytest.mark.parametrize("limit", [100, 4])
def test_wordpiece(limit: int) -> None:
    from tokenizers import models

    rng = random.Random(2)
    for _ in range(VOCABULARIES):
        pieces = [word(rng, 3) for _ in range(30)]
        tokens = dict.fromkeys(["[UNK]", *pieces, *("##" + piece for piece in pieces)])
        vocabulary = {token: number for number, token in enumerate(tokens)}
        theirs = models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=limit)  # noqa: S106
        words = [word(rng) for _ in range(WORDS)]
        compare(WordPiece(vocabulary, max_characters=limit), theirs, words)


def test_wordlevel() -> None:
    from tokenizers import models

    rng = random.Random(3)
    vocabulary = {
        token: number for number, token in enumerate({"<unk>": None, "a": None, "": None})
    }
    theirs = models.WordLevel(vocabulary, unk_token="<unk>")  # noqa: S106
    compare(WordLevel(vocabulary, "<unk>"), theirs, ["", *(word(rng, 2) for _ in range(WORDS))])


@pytest.mark.parametrize("names", [[], NAMES, NAMES[1::2]], ids=["no bytes", "all", "some bytes"])
def test_unigram(names: list[str]) -> None:
    from tokenizers import models

    rng = random.Random(4)
    for _ in range(VOCABULARIES):
        # Equal scores make ties; the unknown token is looked for in the text like a piece.
        texts = dict.fromkeys(word(rng, 3) for _ in range(30))
        pieces = [(one, rng.choice([-1.0, -2.0, -3.0, -10 * rng.random()])) for one in texts]
        pieces += [(name, rng.choice([0.0, -5.0])) for name in names]
        unknown = rng.randint(0, len(pieces))
        pieces.insert(unknown, ("<unk>", rng.choice([0.0, -4.0])))
        words = [
            word(rng) + rng.choice(["", "", "<unk>", "<0x41>"]) + word(rng, 2) for _ in range(WORDS)
        ]
        theirs = models.Unigram(pieces, unknown, bool(names))
        compare(Unigram(pieces, unknown, bool(names)), theirs, words)


def test_the_library_uses_no_bytes_without_an_unknown_token() -> None:
    from tokenizers import models

    theirs = models.Unigram([(name, 0.0) for name in NAMES], None, True)  # noqa: FBT003
    with pytest.raises(Exception, match="unk_id"):
        theirs.tokenize("z")

"""Faults in reading a Tekken vocabulary."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from planted._registry import fault
from planted._tekken_records import HEALTHY, healthy, record
from tokharness_tokenizers.reference.patterns import R50K
from tokharness_tokenizers.reference.tekken import read


@fault(
    "TOK201",
    cause="model: default_vocab_size is ignored",
    families=["plain-words"],
    against=HEALTHY,
)
def reads_all_ranks() -> Any:
    """Reads all of the ranks, also those that the default size of the vocabulary leaves out."""
    file = record()
    file["config"]["default_vocab_size"] = len(file["vocab"]) + 8
    return read(file, "not cut")


@fault(
    "TOK201",
    cause="model: special tokens do not come first",
    families=["plain-words"],
    against=HEALTHY,
)
def puts_special_tokens_last() -> Any:
    """Gives ordinary tokens their ranks as ids, and special tokens the ids after them."""
    file = healthy()
    shift, size = len(file.special_tokens), file.n_vocab
    return replace(
        file,
        ranks={token: number - shift for token, number in file.ranks.items()},
        special_tokens={t: number + size - shift for t, number in file.special_tokens.items()},
    )


@fault(
    "TOK201",
    cause="model: special tokens without a text",
    families=["plain-words"],
    against=HEALTHY,
)
def shifts_ids_by_the_listed_special_tokens() -> Any:
    """Adds the number of special tokens that the file lists, and not that of all, to ranks."""
    file = record()
    file["config"]["default_num_special_tokens"] -= 3
    file["config"]["default_vocab_size"] -= 3
    return read(file, "shifted less")


@fault(
    "TOK201",
    cause="pre-tokenizer: only a space joins the word after it",
    families=["plain-words"],
    against=HEALTHY,
)
def splits_tekken_as_gpt2() -> Any:
    """Splits by the pattern of GPT-2, whatever pattern the file has."""
    return replace(healthy(), pattern=R50K)


@fault(
    "TOK201",
    cause="pre-tokenizer: pattern without look-ahead",
    families=["white-space"],
    against=HEALTHY,
)
def matches_without_look_ahead() -> Any:
    """Leaves out what its engine of regular expressions does not know: ``(?!...)``."""
    file = healthy()
    return replace(file, pattern=file.pattern.replace(r"|\s+(?!\S)", ""))


@fault("TOK103", cause="special token: exact text", families=["special-tokens"], against=HEALTHY)
def reads_control_tokens_from_text() -> Any:
    """Reads the control tokens of a prompt from plain text: a user can end the turn."""
    file = healthy()
    return SimpleNamespace(
        encode=file.encode_special, decode=file.decode, special_tokens=file.special_tokens
    )


@fault("TOK203", cause="loaded vocabulary: other special tokens", against=HEALTHY)
def sorts_special_tokens_by_text() -> Any:
    """Gives the special tokens ids in the order of their texts, in the place of their ranks."""
    file = healthy()
    return replace(file, special_tokens={t: i for i, t in enumerate(sorted(file.special_tokens))})

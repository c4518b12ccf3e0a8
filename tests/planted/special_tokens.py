"""Faults in special tokens: found in plain text, or wrong in trusted text or the vocabulary."""

from __future__ import annotations

import html
import re
from functools import partial
from typing import TYPE_CHECKING

import regex

from planted._builders import (
    change_around_special_tokens,
    engine,
    find_special_tokens_after,
    tokenizer_with,
)
from planted._registry import fault
from tokharness.unicode.confusables import confusables_of
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from types import SimpleNamespace

    from tokharness_tokenizers.adapters.tiktoken_engine import Engine


@fault("TOK110", cause="text around a special token: lost")
def encode_special_drops_line_ends_between_turns() -> SimpleNamespace:
    """Drops the line end between two special tokens: a pattern consumes it after each turn."""
    return change_around_special_tokens(r"TOKEN\n(?=<\|)", r"\1")


@fault("TOK110", cause="text around a special token: lost", families=["special-tokens"], longest=20)
def encode_special_drops_spaces() -> SimpleNamespace:
    """Strips white space around special tokens, as lstrip and rstrip of an added token do."""
    return change_around_special_tokens(r"\s*TOKEN\s*", r"\1")


@fault("TOK110", cause="text around a special token: lost", families=["special-tokens"], longest=20)
def encode_special_forgets_the_rest() -> SimpleNamespace:
    """Stops at the first special token: the text after it is lost."""
    return change_around_special_tokens(r"TOKEN.*", r"\1")


@fault("TOK110", cause="special token: encode_special", families=["special-tokens"], longest=20)
def encode_special_gives_another_id() -> SimpleNamespace:
    """Gives one special token the id before its own: a conversation turn never ends."""
    healthy = engine()
    last = max(healthy.special_tokens.values())
    return tokenizer_with(
        encode_ordinary=healthy.encode_ordinary,
        encode_special=lambda text: [i - (i == last) for i in healthy.encode_special(text)],
        special_tokens=healthy.special_tokens,
    )


@fault(
    "TOK201",
    cause="added tokens: the text of a special token cuts plain text",
    families=["special-tokens"],
    against="tiktoken:embedded",
    longest=20,
)
def plain_text_is_cut_at_special_tokens() -> SimpleNamespace:
    """Splits plain text at the texts of special tokens, and encodes each part as plain text."""
    healthy = engine()
    tokens = re.compile("(" + "|".join(map(re.escape, healthy.special_tokens)) + ")")
    return tokenizer_with(
        encode=lambda text: [
            i for part in tokens.split(text) for i in healthy.encode_ordinary(part)
        ],
        special_tokens=healthy.special_tokens,
    )


@fault(
    "TOK201",
    cause="added tokens: the text of a special token that only the target has cuts plain text",
    families=["special-tokens"],
    against="tiktoken:embedded",
    longest=20,
)
def plain_text_is_cut_at_special_tokens_of_its_own() -> SimpleNamespace:
    """Splits plain text at a special token that the reference does not have."""
    healthy = engine()
    own = {**healthy.special_tokens, "<|tool|>": healthy.n_vocab}
    return tokenizer_with(
        encode=lambda text: [
            i for part in re.split(r"(<\|tool\|>)", text) for i in healthy.encode_ordinary(part)
        ],
        special_tokens=own,
        n_vocab=healthy.n_vocab + 1,
    )


@fault("TOK407", cause="shared special id: another special token")
def ids_of_special_tokens_are_shared() -> SimpleNamespace:
    """Gives two special tokens the same id, so that decode returns the wrong one."""
    tokens = dict(engine().special_tokens)
    tokens["<|im_end|>"] = tokens["<|im_start|>"]
    return tokenizer_with(special_tokens=tokens, n_vocab=engine().n_vocab)


@fault(
    "TOK103",
    cause="special token: invisible characters removed",
    families=["special-tokens"],
    longest=15,
)
def special_after_invisible_ones_are_gone() -> SimpleNamespace:
    """Finds special tokens after it removes invisible characters."""
    ignorable = regex.compile(r"\p{Default_Ignorable_Code_Point}+")
    return find_special_tokens_after(lambda text: str(ignorable.sub("", text)))


@fault("TOK103", cause="special token: NFKC", families=["special-tokens"], longest=14)
def special_after_nfkc() -> SimpleNamespace:
    """Finds special tokens in the NFKC of a text: fullwidth characters can forge a turn."""
    return find_special_tokens_after(partial(normalize, "NFKC"))


@fault(
    "TOK103", cause="special token: nested token joined", families=["special-tokens"], longest=28
)
def special_after_one_is_removed() -> SimpleNamespace:
    """Removes special tokens in one pass: the outer one of two nested tokens remains."""
    healthy = engine()
    tokens = re.compile("|".join(map(re.escape, healthy.special_tokens)))
    return tokenizer_with(
        encode=lambda text: healthy.encode_special(tokens.sub("", text)),
        special_tokens=healthy.special_tokens,
    )


@fault("TOK103", cause="special token: exact text", families=["special-tokens"], longest=14)
def special_at_the_start_of_a_line() -> SimpleNamespace:
    """Encodes all special tokens of a text as their ids if one starts a line."""
    healthy = engine()
    tokens = "|".join(map(re.escape, healthy.special_tokens))
    line = re.compile(rf"^(?:{tokens})", re.MULTILINE)

    def encode(text: str) -> list[int]:
        return healthy.encode_special(text) if line.search(text) else healthy.encode_ordinary(text)

    return tokenizer_with(encode=encode, special_tokens=healthy.special_tokens)


@fault("TOK103", cause="special token: exact text", families=["special-tokens"], longest=14)
def special_from_exact_text() -> SimpleNamespace:
    """Encodes special tokens in plain text as their ids: any user can speak for the system."""
    healthy = engine()
    return tokenizer_with(encode=healthy.encode_special, special_tokens=healthy.special_tokens)


@fault("TOK103", cause="special token: HTML entities", families=["special-tokens"], longest=30)
def special_from_html_entities() -> SimpleNamespace:
    """Decodes HTML entities before it finds special tokens: escaped text is no longer safe."""
    return find_special_tokens_after(html.unescape)


@fault("TOK103", cause="special token: confusables", families=["special-tokens"], longest=14)
def special_from_lookalikes() -> SimpleNamespace:
    """Replaces look-alikes from other scripts by ASCII before it finds special tokens."""
    tokens = "".join(engine().special_tokens)
    table = {
        ord(like): char
        for char in sorted(set(tokens))
        for like in confusables_of(char)
        if len(like) == 1 and regex.fullmatch(r"\p{L}", like) and not like.isascii()
    }
    return find_special_tokens_after(lambda text: text.translate(table))


@fault(
    "TOK103",
    cause="special token: tag characters read as ASCII",
    families=["special-tokens"],
    longest=14,
)
def special_from_tag_characters() -> SimpleNamespace:
    """Replaces tag characters by the ASCII they mirror before it finds special tokens."""
    return find_special_tokens_after(
        lambda text: text.translate({0xE0000 + low: low for low in range(0x20, 0x7F)})
    )


@fault("TOK407", cause="shared special id: an ordinary token")
def special_id_is_that_of_a_word() -> SimpleNamespace:
    """Gives a special token the id of a word, so that the word acts as a command."""
    healthy = engine()
    return tokenizer_with(
        special_tokens={"<|endoftext|>": healthy.encode_ordinary(" the")[0]},
        decode_single_token_bytes=healthy.decode_single_token_bytes,
        n_vocab=healthy.n_vocab,
    )


@fault("TOK407", cause="ids past n_vocab: special")
def special_ids_are_past_the_end() -> SimpleNamespace:
    """Reports a vocabulary size without its special tokens: the model's matrix ends before them."""
    healthy = engine()
    return tokenizer_with(
        special_tokens=healthy.special_tokens, n_vocab=min(healthy.special_tokens.values())
    )


@fault("TOK103", cause="special token: case", families=["special-tokens"], longest=14)
def special_in_any_case() -> SimpleNamespace:
    """Finds special tokens in any letter case, after a filter checked for the exact one."""
    return find_special_tokens_after(str.lower)


@fault("TOK103", cause="special token: other text", families=["chat-templates"], longest=20)
def special_of_another_model() -> SimpleNamespace:
    """Replaces the turn marker of another model, which no filter escapes, by its own."""
    return find_special_tokens_after(lambda text: text.replace("<start_of_turn>", "<|im_start|>"))


@fault(
    "TOK103", cause="special token: exact text, undeclared", families=["special-tokens"], longest=20
)
def special_tokens_are_not_declared() -> SimpleNamespace:
    """Encodes special tokens in any text as their ids and does not declare them."""
    return tokenizer_with(encode=engine().encode_special)


@fault(
    "TOK103", cause="special token: white space removed", families=["special-tokens"], longest=15
)
def special_with_white_space_inside() -> SimpleNamespace:
    """Ignores white space inside special tokens, as an agent that repairs templates does."""
    return find_special_tokens_after(lambda text: "".join(text.split()))


def _all_but_last(healthy: Engine) -> dict[str, int]:
    """Return the special tokens without the one that was added last."""
    return dict(sorted(healthy.special_tokens.items(), key=lambda item: item[1])[:-1])


@fault("TOK115", cause="special token: encode_with_offsets")
def offsets_forget_the_last_special_token() -> SimpleNamespace:
    """Reads special tokens as ids in encode_with_offsets, except the one that was added last."""
    healthy = engine()
    known = re.compile("(" + "|".join(map(re.escape, _all_but_last(healthy))) + ")")

    def encode_with_offsets(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids: list[int] = []
        spans: list[tuple[int, int]] = []
        start = 0
        for part in filter(None, known.split(text)):
            if number := healthy.special_tokens.get(part if known.fullmatch(part) else ""):
                ids, spans = [*ids, number], [*spans, (start, start + len(part))]
            else:
                row, places = healthy.encode_with_offsets(part)
                ids += row
                spans += [(start + first, start + end) for first, end in places]
            start += len(part)
        return ids, spans

    return tokenizer_with(
        encode_ordinary=healthy.encode_ordinary,
        encode_with_offsets=encode_with_offsets,
        special_tokens=healthy.special_tokens,
    )


@fault("TOK115", cause="special token: encode")
def refuses_all_special_tokens_but_one() -> SimpleNamespace:
    """Refuses the text of special tokens in encode, except of the one that was added last."""
    healthy = engine()
    refused = _all_but_last(healthy)

    def encode(text: str) -> list[int]:
        if any(token in text for token in refused):
            raise ValueError("the text has a special token")
        return healthy.encode_special(text)

    return tokenizer_with(
        encode=encode,
        encode_ordinary=healthy.encode_ordinary,
        special_tokens=healthy.special_tokens,
    )


@fault("TOK115", cause="special id: decode, gives the text of another")
def special_id_decodes_to_its_neighbour() -> SimpleNamespace:
    """Decodes the id of one special token to the text of the one before it."""
    healthy = engine()
    last = max(healthy.special_tokens.values())
    return tokenizer_with(
        decode=lambda ids: healthy.decode([i - (i == last) for i in ids]),
        special_tokens=healthy.special_tokens,
    )


@fault("TOK115", cause="special id: decode, gives another text")
def special_ids_decode_without_brackets() -> SimpleNamespace:
    """Decodes the id of every special token to its text without the brackets."""
    healthy = engine()
    texts = {number: text.strip("<|>") for text, number in healthy.special_tokens.items()}
    return tokenizer_with(
        decode=lambda ids: "".join(texts.get(i) or healthy.decode([i]) for i in ids),
        special_tokens=healthy.special_tokens,
    )


def _decoding_around(space: str, new: str) -> SimpleNamespace:
    """Replace the matches of ``space`` around each special token in decoded text."""
    healthy = engine()
    around = re.compile(
        f"{space}({'|'.join(map(re.escape, healthy.special_tokens))}){space}",
    )
    special = {*healthy.special_tokens.values()}

    def decode(ids: list[int]) -> str:
        text = healthy.decode(ids)
        return text if special.isdisjoint(ids) else around.sub(new, text)

    return tokenizer_with(decode=decode, special_tokens=healthy.special_tokens)


@fault("TOK115", cause="text around a special token: decode, white space added", longest=20)
def special_ids_decode_between_spaces() -> SimpleNamespace:
    """Adds a space before and after each special token, as slow tokenizers of transformers do."""
    return _decoding_around("", r" \1 ")


@fault("TOK115", cause="text around a special token: decode, white space lost", longest=20)
def special_ids_decode_without_spaces_around() -> SimpleNamespace:
    """Strips the white space around each special token in decoded text."""
    return _decoding_around(r"\s*", r"\1")


@fault(
    "TOK115",
    cause="special token modes: encode, reads it as text, refuses it",
    against="tiktoken:embedded",
)
def encode_refuses_no_special_token() -> SimpleNamespace:
    """Reads special tokens as text in encode, where the library that it claims to equal raises."""
    healthy = engine()
    return tokenizer_with(
        encode=healthy.encode_ordinary,
        encode_ordinary=healthy.encode_ordinary,
        special_tokens=healthy.special_tokens,
    )

"""Faults in decode_stream: of texts, of ids that no text has, and behind a prompt."""

from __future__ import annotations

import codecs
import html
from itertools import chain, groupby
from typing import TYPE_CHECKING

from planted._builders import engine, tokenizer_with, vocabulary
from planted._registry import fault
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import category

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import SimpleNamespace


def _streaming(stream: Callable[[Sequence[int]], Iterator[str]]) -> SimpleNamespace:
    """Build a tokenizer with a stream, all of whose ids are known."""
    healthy = engine()
    return tokenizer_with(
        decode_stream=stream,
        decode_single_token_bytes=healthy.decode_single_token_bytes,
        n_vocab=healthy.n_vocab,
        special_tokens=healthy.special_tokens,
        encode_ordinary=healthy.encode_ordinary,
    )


def _pieces(ids: Sequence[int], errors: str) -> Iterator[str]:
    """Yield the text of each token, and of the end, from an incremental decoder of UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors)
    for token in ids:
        yield decoder.decode(engine().decode_single_token_bytes(token))
    yield decoder.decode(b"", final=True)


@fault("TOK108", cause="stream: U+FFFD for parts of a character", families=["emoji"])
def stream_gives_replacement_characters() -> SimpleNamespace:
    """Decodes a stream token by token: a character of two tokens becomes two U+FFFD."""
    healthy = engine()
    return tokenizer_with(decode_stream=lambda ids: (healthy.decode([token]) for token in ids))


@fault("TOK108", cause="stream: leak from the stream before", families=["emoji"], longest=20)
def stream_leaks_into_the_next() -> SimpleNamespace:
    """Shares one byte decoder among all streams: the next one starts with a previous rest."""
    healthy = engine()
    shared = codecs.getincrementaldecoder("utf-8")("replace")

    def decode_stream(ids: Sequence[int]) -> Iterator[str]:
        return (shared.decode(healthy.decode_single_token_bytes(token)) for token in ids)

    return tokenizer_with(decode_stream=decode_stream)


@fault("TOK108", cause="stream: lost at the end", families=["noncharacters"])
def stream_loses_its_end() -> SimpleNamespace:
    """Waits for the rest of a complete character: a real U+FFFD at the end is lost."""
    healthy = engine()

    def decode_stream(ids: Sequence[int]) -> Iterator[str]:
        pending: list[int] = []
        for token in ids:
            pending.append(token)
            text = healthy.decode(pending[-12:])
            if not text.endswith("\ufffd"):
                yield healthy.decode(pending)
                pending.clear()

    return tokenizer_with(decode_stream=decode_stream)


@fault("TOK108", cause="stream: lost white space", families=["leading-space"])
def stream_strips_pieces() -> SimpleNamespace:
    """Strips each piece of a stream, so that its words run together."""
    stream = vocabulary().decode_stream
    return tokenizer_with(decode_stream=lambda ids: (piece.strip(" ") for piece in stream(ids)))


@fault("TOK108", cause="stream: repeats before a combining mark")
def stream_repeats_before_a_mark() -> SimpleNamespace:
    """Gives the whole cluster again when a combining mark follows a character."""

    def decode_stream(ids: Sequence[int]) -> Iterator[str]:
        cluster = ""
        for char in chain.from_iterable(_pieces(ids, "replace")):
            cluster = cluster + char if category(char)[0] == "M" else char
            yield cluster

    return _streaming(decode_stream)


@fault("TOK108", cause="stream: forgets the last token")
def stream_forgets_the_last_token() -> SimpleNamespace:
    """Gives a token when the next one comes, and does not give the last one at the end."""
    return _streaming(lambda ids: _pieces(ids[:-1], "replace"))


@fault("TOK108", cause="stream: replaces U+0000")
def stream_replaces_nul() -> SimpleNamespace:
    """Replaces NUL by a space, as for a string that ends with NUL."""
    return _streaming(lambda ids: (one.replace("\0", " ") for one in _pieces(ids, "replace")))


@fault("TOK108", cause="stream: drops bytes that never become a character")
def stream_drops_invalid_bytes() -> SimpleNamespace:
    """Decodes with errors="ignore", where decode shows U+FFFD."""
    return _streaming(lambda ids: _pieces(ids, "ignore"))


@fault("TOK108", cause="stream: ends at bytes that never become a character")
def stream_ends_at_invalid_bytes() -> SimpleNamespace:
    """Collects bytes until they are valid UTF-8, which they never are behind an invalid byte."""

    def decode_stream(ids: Sequence[int]) -> Iterator[str]:
        pending = b""
        for token in ids:
            pending += engine().decode_single_token_bytes(token)
            try:
                text = pending.decode()
            except UnicodeDecodeError:
                continue
            pending = b""
            yield text

    return _streaming(decode_stream)


@fault("TOK108", cause="stream: raises UnicodeDecodeError")
def stream_raises_on_invalid_bytes() -> SimpleNamespace:
    """Decodes with errors="strict": the stream of a model ends in the middle."""
    return _streaming(lambda ids: _pieces(ids, "strict"))


@fault("TOK108", cause="stream: leaves out special tokens")
def stream_leaves_out_special_tokens() -> SimpleNamespace:
    """Leaves out special tokens, which decode gives."""
    special = frozenset(engine().special_tokens.values())
    return _streaming(lambda ids: _pieces([i for i in ids if i not in special], "replace"))


@fault("TOK108", cause="stream: ends at a special token")
def stream_ends_at_a_special_token() -> SimpleNamespace:
    """Ends at any special token, as if each were the end of a turn."""
    special = frozenset(engine().special_tokens.values())

    def decode_stream(ids: Sequence[int]) -> Iterator[str]:
        end = next((at for at, token in enumerate(ids) if token in special), len(ids))
        return _pieces(ids[:end], "replace")

    return _streaming(decode_stream)


@fault("TOK108", cause="stream: drops repeated tokens")
def stream_drops_repeated_tokens() -> SimpleNamespace:
    """Takes a token that is equal to the one before it for the same event, sent twice."""
    return _streaming(lambda ids: _pieces([token for token, _ in groupby(ids)], "replace"))


@fault("TOK108", cause="stream: drops U+FEFF at the start", families=["invisible-bits"])
def stream_takes_a_byte_order_mark() -> SimpleNamespace:
    """Drops U+FEFF at the start of a stream, as a decoder of files does."""

    def decode_stream(ids: Sequence[int]) -> Iterator[str]:
        yield engine().decode(ids).removeprefix("\ufeff")

    return _streaming(decode_stream)


@fault("TOK108", cause="stream: bytes as Latin-1", families=["emoji"])
def stream_reads_latin_1() -> SimpleNamespace:
    """Reads the bytes of each token as Latin-1."""
    bytes_of = engine().decode_single_token_bytes
    return _streaming(lambda ids: (bytes_of(one).decode("latin-1") for one in ids))


@fault("TOK108", cause="stream: repeats the last token", families=["emoji"])
def stream_repeats_the_last_token() -> SimpleNamespace:
    """Gives the last token again at the end."""
    again = engine().decode
    return _streaming(lambda ids: chain(_pieces(ids, "replace"), [again(ids[-1:])]))


@fault("TOK108", cause="stream: drops some tokens", families=["plain-words"])
def stream_drops_long_tokens() -> SimpleNamespace:
    """Drops tokens that do not fit into a buffer of eight bytes."""
    bytes_of = engine().decode_single_token_bytes
    return _streaming(lambda ids: _pieces([i for i in ids if len(bytes_of(i)) < 9], "replace"))


@fault(
    "TOK108", cause="stream: ends after 128 tokens", families=["emoji", "long-inputs"], longest=600
)
def stream_ends_after_many_tokens() -> SimpleNamespace:
    return _streaming(lambda ids: _pieces(ids[:128], "replace"))


@fault("TOK108", cause="stream: ends at U+0000", families=["controls"])
def stream_ends_at_nul() -> SimpleNamespace:
    def decode_stream(ids: Sequence[int]) -> Iterator[str]:
        for piece in _pieces(ids, "replace"):
            yield piece.partition("\0")[0]
            if "\0" in piece:
                return

    return _streaming(decode_stream)


@fault("TOK108", cause="stream: escapes of HTML", families=["controls", "plain-words"])
def stream_escapes_html() -> SimpleNamespace:
    return _streaming(
        lambda ids: (html.escape(piece, quote=False) for piece in _pieces(ids, "replace"))
    )


@fault("TOK108", cause="stream: surrogates for characters above U+FFFF", families=["noncharacters"])
def stream_gives_surrogates() -> SimpleNamespace:
    def units(text: str) -> Iterator[str]:
        data = text.encode("utf-16-be", "surrogatepass")
        for place in range(0, len(data), 2):
            yield chr(int.from_bytes(data[place : place + 2]))

    return _streaming(lambda ids: (u for piece in _pieces(ids, "replace") for u in units(piece)))


@fault("TOK108", cause="stream: drops control characters", families=["controls"])
def stream_drops_controls() -> SimpleNamespace:
    kept = "\t\n\r"
    return _streaming(
        lambda ids: (
            "".join(one for one in piece if one in kept or category(one) != "Cc")
            for piece in _pieces(ids, "replace")
        )
    )


@fault("TOK108", cause="stream: raises IndexError", families=["plain-words"])
def stream_of_no_ids_raises() -> SimpleNamespace:
    def decode_stream(ids: Sequence[int]) -> Iterator[str]:
        ids[0]
        return _pieces(ids, "replace")

    return _streaming(decode_stream)


@fault("TOK108", cause="stream: normal form NFC")
def stream_composes() -> SimpleNamespace:
    """Composes the text of a stream, which decode leaves as it is."""
    return _streaming(lambda ids: iter([normalize("NFC", engine().decode(ids))]))


@fault("TOK108", cause="stream: time grows too fast", profile="standard")
def stream_decodes_all_ids_again() -> SimpleNamespace:
    """Decodes all ids so far for each further id."""

    def decode_stream(ids: Sequence[int]) -> Iterator[str]:
        given, decode = "", engine().decode
        for end in range(1, len(ids)):
            text = decode(ids[:end]).rstrip("\ufffd")
            yield text[len(given) :]
            given = text
        yield decode(ids)[len(given) :]

    return _streaming(decode_stream)


def _with_calls(stream: Callable[[list[list[int]]], Iterator[str]]) -> SimpleNamespace:
    healthy = _streaming(lambda ids: _pieces(ids, "replace"))
    healthy.decode_stream_calls = stream
    return healthy


@fault("TOK108", cause="stream: depends on the grouping of ids into calls")
def stream_takes_the_last_id_of_each_call() -> SimpleNamespace:
    """Takes the last id of each call, where a server may send several at once."""
    return _with_calls(lambda rows: _pieces([ids[-1] for ids in rows[1:]], "replace"))


@fault("TOK108", cause="stream: repeats a prompt that ends inside a character")
def stream_repeats_a_prompt() -> SimpleNamespace:
    """Gives the text of a prompt again, which ends inside a character."""

    def decode_stream_calls(rows: list[list[int]]) -> Iterator[str]:
        prompt, *calls = rows
        given = engine().decode(prompt)
        if given.endswith("\ufffd"):
            given = ""
        yield engine().decode([*chain(prompt, *calls)])[len(given) :]

    return _with_calls(decode_stream_calls)

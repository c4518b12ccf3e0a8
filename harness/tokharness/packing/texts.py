"""Columns of texts and of pairs of texts.

Texts are sorted. Each text is stored as the length of the prefix that it shares with the text
before it, and the rest, up to a byte 0; a further column has the places to which the texts belong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokharness.packing.columns import Reader, Writer

Content: TypeAlias = "str | bytes"
Pair: TypeAlias = tuple[Content, Content]

MOST_SHARED: Final = 254
END: Final = b"\0"
ESCAPE: Final = b"\1"
OF_END, OF_ESCAPE = b"\1\1", b"\1\2"
"""What stands for the two bytes inside a text."""


def add_texts(writer: Writer, texts: Sequence[Content]) -> None:
    """Add columns of texts, each a string, which may have surrogates, or bytes."""
    data = [one.encode("utf-8", "surrogatepass") if isinstance(one, str) else one for one in texts]
    order = sorted(range(len(data)), key=data.__getitem__)
    writer.add_numbers(order)
    writer.add(b"".join(_records(map(data.__getitem__, order))), is_text=True)
    writer.add_numbers([isinstance(texts[at], str) for at in order])


def _records(texts: Iterable[bytes]) -> Iterator[bytes]:
    before = b""
    for text in texts:
        most = min(len(before), len(text), MOST_SHARED)
        shared = 0
        while shared < most and before[shared] == text[shared]:
            shared += 1
        rest = text[shared:]
        if ESCAPE in rest or END in rest:
            rest = rest.replace(ESCAPE, OF_ESCAPE).replace(END, OF_END)
        yield bytes([shared + 1]) + rest + END
        before = text


def read_texts(reader: Reader) -> list[Content]:
    """Return the texts of the next columns; raises ValueError if they are damaged or too large."""
    order = reader.read_numbers()
    data = reader.read()
    are_strings = reader.read_numbers(most=1)
    is_complete = not data or data.endswith(END)
    if not (is_complete and len(order) == data.count(END) == len(are_strings)):
        raise reader.error("its texts have another number than their places")
    if len(set(order)) < len(order) or max(order, default=-1) >= len(order):
        raise reader.error("two texts have one place")
    texts: list[Content] = [b""] * len(order)
    for place, text, is_string in zip(
        order, _texts(reader, data.split(END)[:-1]), are_strings, strict=True
    ):
        try:
            texts[place] = text.decode("utf-8", "surrogatepass") if is_string else text
        except UnicodeDecodeError as error:
            raise reader.error("a text is not UTF-8") from error
    return texts


def _texts(reader: Reader, records: Iterable[bytes]) -> Iterator[bytes]:
    before = b""
    for record in records:
        if not record or record[0] - 1 > len(before):
            raise reader.error("a text shares more with the one before it than this has")
        rest = record[1:]
        if ESCAPE in rest:
            rest = rest.replace(OF_END, END).replace(OF_ESCAPE, ESCAPE)
        before = before[: record[0] - 1] + rest
        reader.spend(len(before))
        yield before


def add_merges(writer: Writer, tokens: Sequence[Content], merges: Sequence[Pair]) -> None:
    """Add columns of pairs; most pairs are the two parts of a token.

    The place of the token is one column, and the length of its left part another. A length of 0
    means that the pair stands by itself.
    """
    place_of = {token: place for place, token in enumerate(tokens)}
    places, lengths, others = [], [], []
    place = 0
    for left, right in merges:
        found = None
        if left and type(left) is type(right):
            found = place_of.get(left + right)  # type: ignore[operator]
        if found is None:
            others += [left, right]
        else:
            place = found
        places.append(place)
        lengths.append(0 if found is None else len(left))
    writer.add_steps(places)
    writer.add_numbers(lengths)
    add_texts(writer, others)


def read_merges(reader: Reader, tokens: Sequence[Content]) -> tuple[Pair, ...]:
    """Return the pairs of the next columns; raises ValueError if they are damaged or too large."""
    places, lengths = reader.read_steps(), reader.read_numbers()
    texts = read_texts(reader)
    others = zip(texts[::2], texts[1::2], strict=False)
    if len(places) != len(lengths) or len(texts) != 2 * sum(not one for one in lengths):
        raise reader.error("its columns of merges have different lengths")
    merges: list[Pair] = []
    for place, length in zip(places, lengths, strict=True):
        if not length:
            merges.append(next(others))
            continue
        if not 0 <= place < len(tokens) or length > len(tokens[place]):
            raise reader.error("a merge makes no token")
        token = tokens[place]
        reader.spend(len(token))
        merges.append((token[:length], token[length:]))
    return tuple(merges)

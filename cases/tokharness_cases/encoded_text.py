"""Text in another code: base64, hexadecimal, percent-encoding, Morse, Braille, hashes, identifiers.

Prompts are full of it: tokens of web sessions, keys, hashes, e-mail in quoted-printable, links.
Attackers write a request in base64 or Morse, which a filter does not decode and a model does. For a
vocabulary these are random letters, so a text costs two to five times its tokens; a run of digits
or capitals without a space is where a merge loop is slow and a limit on the length of a word
applies. A tokenizer that decodes a code, as those do that take text from the web, changes the text.

Cases: own identifiers, hashes and drawings, then messages in every code. The twin is the message.

Source: RFC 4648 (base64, base32); RFC 3986; RFC 2045 (quoted-printable); RFC 2152 (UTF-7); RFC
3492 (Punycode); RFC 9562 (UUID); ITU-R M.1677 (Morse); Unicode Standard, section 21.1 (Braille).
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness_cases._case_file import curated_cases
from tokharness_cases._encodings import ENCODINGS, to_braille
from tokharness_cases._family import NO_FACTS, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

MESSAGES = (
    *("a", "hi", "SOS", "help me", "the end", "12:30", "caf\u00e9", "\u00fc", "\u4f60\u597d"),
    *("\U0001f600", "<b>", "a=b&c", "\u0434\u0430", "it's", "</s>", "[INST]", "\x00", "\n\n", "~"),
)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Identifiers and hashes, then each message in each code, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("encoded_text")
    for (name, encode), message in product(ENCODINGS.items(), MESSAGES):
        text = encode(message)
        yield Case(text, f"a message in {name}", message)
        if len(text) <= 12:
            yield Case(f"x={text};", f"a message in {name}, in code", f"x={message};")


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random pieces of codes between plain words."""
    from hypothesis import strategies as st

    word = st.text("abcxyz 019\u00e9\u4f60", min_size=1, max_size=6)
    encoded = st.builds(
        lambda encode, text: encode(text), st.sampled_from([*ENCODINGS.values()]), word
    )
    around = mixture(("=", "%20", "0x", to_braille("a"), "...---..."), most=2)
    return st.tuples(encoded, around).map("".join)

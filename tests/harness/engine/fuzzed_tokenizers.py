"""Tokenizers with a fault that some texts of a campaign show.

Each class is a factory of a target. Those in lower case are named after the source of the texts.
"""

import os
import re

from tokharness.targets.subject import scalar_text


class Lossless:
    """UTF-8 bytes as ids."""

    n_vocab = 256

    def encode(self, text):
        return list(scalar_text(self.before(text)).encode())

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")

    def before(self, text):
        return text


class Drops(Lossless):
    def before(self, text):
        return text.replace("\u200b", "")


CHEROKEE = re.compile("[\u13a0-\u13ff]")


class DropsAndRaises(Drops):
    def before(self, text):
        if CHEROKEE.search(text):
            raise ValueError("not in the table")
        return super().before(text)


class DropsThird(Lossless):
    def before(self, text):
        return text.replace("\u2153", "")


class AbortsOnHalfAndRaisesOnThird(Lossless):
    def before(self, text):
        if "\u00bd" in text:
            os.abort()
        if "\u2153" in text:
            raise ValueError("not in the table")
        return text


class HangsOnHalfAndDropsThird(DropsThird):
    def before(self, text):
        while "\u00bd" in text:
            pass
        return super().before(text)


class AbortsOnEveryLetter(Lossless):
    def before(self, text):
        if text != "a" and re.search("[a-z]", text):
            os.abort()
        return text


class AbortsOnATokenAndDrops(Drops):
    def decode_single_token_bytes(self, number):
        if number == 65:
            os.abort()
        return bytes([number])


class HangsOnATokenAndDrops(Drops):
    def decode_single_token_bytes(self, number):
        while number == 65:
            pass
        return bytes([number])


class DropsAndIsInterrupted(Lossless):
    """Drops letters, and raises KeyboardInterrupt on a token that only the vocabulary has."""

    n_vocab = 300

    def decode_single_token_bytes(self, number):
        return bytes([number]) if number < 256 else b"xyzzy"

    def before(self, text):
        if "xyzzy" in text:
            raise KeyboardInterrupt
        return CHEROKEE.sub("", text)


class code_points(Lossless):  # noqa: N801
    """Drops one of thousands of characters that are in no family."""

    def before(self, text):
        return text.replace("\ua5c1", "")


class families(Lossless):  # noqa: N801
    """Drops escape sequences for colors."""

    def before(self, text):
        return re.sub(r"\x1b\[[0-9;]*m", "", text)


class alphabets(Lossless):  # noqa: N801
    """Drops a line end of three characters."""

    def before(self, text):
        return text.replace("\r\n\r", "")


class xyzzy(Lossless):  # noqa: N801
    """Drops a word that no source generates."""

    def before(self, text):
        return text.replace("xyzzy299", "")


class vocabulary(Lossless):  # noqa: N801
    """Drops words that only the vocabulary has."""

    n_vocab = 300

    def decode_single_token_bytes(self, number):
        return bytes([number]) if number < 256 else f"xyzzy{number}".encode()

    def before(self, text):
        return re.sub("xyzzy2[0-9]{2}", "", text)


class mutations(Lossless):  # noqa: N801
    """Drops an emoji that is repeated four times."""

    def before(self, text):
        return re.sub(r"([\U0001f300-\U0001faff])\1{3,}", "", text)


class long_texts(Lossless):  # noqa: N801
    """Truncates a text to a thousand characters."""

    def before(self, text):
        return text[:1000]


class ReturnsLists(Lossless):
    def encode(self, text):
        return [[number] for number in super().encode(text)]


class ReturnsTuples(Lossless):
    def encode(self, text):
        return [(number, "a") for number in super().encode(text)]


class ReturnsBytes(Lossless):
    def encode(self, text):
        return [bytes([number]) for number in super().encode(text)]


class ReturnsObjects(Lossless):
    def encode(self, text):
        return [object() for _ in super().encode(text)]


class ReturnsNone(Lossless):
    def encode(self, text):
        return None


class Raises(Lossless):
    def encode(self, text):
        raise ValueError("no")

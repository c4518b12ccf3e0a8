"""Tokenizers with one fault that some texts of a campaign show; each a factory of a target."""

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


class AbortsForATokenAndDrops(Drops):
    def decode_single_token_bytes(self, number):
        if number == 65:
            os.abort()
        return bytes([number])


class HangsForATokenAndDrops(Drops):
    def decode_single_token_bytes(self, number):
        while number == 65:
            pass
        return bytes([number])


class DropsAndIsInterrupted(Lossless):
    """Loses letters, and is interrupted on a token that only its vocabulary has."""

    n_vocab = 300

    def decode_single_token_bytes(self, number):
        return bytes([number]) if number < 256 else b"xyzzy"

    def before(self, text):
        if "xyzzy" in text:
            raise KeyboardInterrupt
        return CHEROKEE.sub("", text)


class code_points(Lossless):  # noqa: N801
    """Loses one of thousands, of which no family has a text."""

    def before(self, text):
        return text.replace("\ua5c1", "")


class families(Lossless):  # noqa: N801
    """Loses sequences that color a terminal."""

    def before(self, text):
        return re.sub(r"\x1b\[[0-9;]*m", "", text)


class alphabets(Lossless):  # noqa: N801
    """Loses a line end of three characters."""

    def before(self, text):
        return text.replace("\r\n\r", "")


class xyzzy(Lossless):  # noqa: N801
    """Loses a word that nobody says."""

    def before(self, text):
        return text.replace("xyzzy299", "")


class vocabulary(Lossless):  # noqa: N801
    """Loses a token of words that only its vocabulary has."""

    n_vocab = 300

    def decode_single_token_bytes(self, number):
        return bytes([number]) if number < 256 else f"xyzzy{number}".encode()

    def before(self, text):
        return re.sub("xyzzy2[0-9]{2}", "", text)


class mutations(Lossless):  # noqa: N801
    """Loses an emoji that stands four times in a row."""

    def before(self, text):
        return re.sub(r"([\U0001f300-\U0001faff])\1{3,}", "", text)


class long_texts(Lossless):  # noqa: N801
    """Cuts a text off after a thousand characters."""

    def before(self, text):
        return text[:1000]


class GivesLists(Lossless):
    def encode(self, text):
        return [[one] for one in super().encode(text)]


class GivesTuples(Lossless):
    def encode(self, text):
        return [(one, "a") for one in super().encode(text)]


class GivesBytes(Lossless):
    def encode(self, text):
        return [bytes([one]) for one in super().encode(text)]


class GivesObjects(Lossless):
    def encode(self, text):
        return [object() for one in super().encode(text)]


class GivesNone(Lossless):
    def encode(self, text):
        return None


class Raises(Lossless):
    def encode(self, text):
        raise ValueError("no")

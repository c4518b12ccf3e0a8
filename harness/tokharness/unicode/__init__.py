"""The one door to Unicode data: no other part of tokharness reads it from anywhere else.

Each module is one subject: ``properties`` and ``scripts`` (UCD), ``normalization`` (UAX #15),
``graphemes`` (UAX #29), ``confusables`` (UTS #39), ``emoji_sequences`` (UTS #51), ``versions``
(general categories of older versions). This file imports none of them, so that importing one costs
that one.
"""

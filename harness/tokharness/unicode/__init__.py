"""All Unicode data of tokharness: other packages read it only from here.

Each module has one subject: ``properties``, ``scripts`` and ``blocks`` (UCD), ``normalization``
(UAX #15), ``graphemes`` (UAX #29), ``confusables`` (UTS #39), ``emoji_sequences`` (UTS #51),
``languages`` (CLDR), ``versions`` (general categories of older versions). This file imports no
module, so that the import of one module does not load the others.
"""

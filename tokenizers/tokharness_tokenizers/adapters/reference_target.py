"""The reference implementations of tokharness, in plain Python.

``reference``           the embedded vocabulary of 16,384 tokens
``reference:NAME``      ``embedded``, ``r50k_base``, ``p50k_base``, ``cl100k_base``, ``o200k_base``;
                        all but the first from tiktoken's cache of downloaded files
``reference:ALGORITHM`` a small vocabulary of English: ``byte-level-bpe``, ``character-bpe``,
                        ``sentencepiece-bpe``, ``unigram`` or ``wordpiece``; all were trained on the
                        same text to 1,000 tokens, to compare the algorithms
``reference:PATH``      a file, or a folder that has one: a ``.tiktoken`` file with its side file
                        ``PATH.json``, or a file of another format, which its content shows

A byte-level BPE vocabulary has every optional method but those of stages; its automatic reference
is tiktoken's engine with the same ranks and pattern. That of another file is the library that
reads it, if it is installed, such as ``hf`` for a ``tokenizer.json``. Each stage of such a
tokenizer has a Unicode version (``stage_versions``), the newest by default.

Pre-tokens of a byte-level BPE vocabulary have the Unicode version of the side file, or else that of
the installed ``regex``; ``with_unicode_version`` returns a copy with another version, without
reading the files again.

A vocabulary with a defect is loaded too. Encoding raises KeyError where a byte without a token
remains. Of two ids of one token, encoding uses the one on the later line, and both are decoded. An
id that an ordinary and a special token share is decoded as the ordinary one.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from tokharness.errors import UnknownNameError, VocabularyError
from tokharness.home import expand_user
from tokharness_tokenizers.file_errors import named_file_errors

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from tokharness.model import Description, Tokenizer
    from tokharness_tokenizers.reference.byte_bpe import ByteBPE

__all__ = [
    "GUARDED",
    "PLAIN_FILES",
    "RUNS_CODE",
    "SCHEME",
    "chat_templates",
    "describe",
    "load",
    "load_ranks",
    "names",
    "recognize",
    "reference",
    "trainers",
    "versions",
    "write_file",
]

SCHEME = "reference"
GUARDED = True
RUNS_CODE = False
PLAIN_FILES = True
SUFFIXES: Final = {".json", ".model", ".gguf", ".txt", ".gz"}
"""Of a word that is a path, also if there is no such file."""


def load(rest: str) -> Tokenizer:
    """Load a vocabulary into the reference; raises VocabularyError or UnknownNameError."""
    found = _file_of(rest)
    if found is None:
        try:
            return load_ranks(rest)
        except UnknownNameError:
            raise UnknownNameError("vocabulary", rest, names()) from None
    reader, path = found
    with named_file_errors(path):
        return reader.load(path)  # type: ignore[no-any-return]


def load_ranks(rest: str) -> ByteBPE:
    """Load a byte-level BPE vocabulary; raises VocabularyError or UnknownNameError."""
    from tokharness_tokenizers.reference import ranks_file
    from tokharness_tokenizers.reference.byte_bpe import ByteBPE
    from tokharness_tokenizers.vocabularies import locate

    rest = rest or "embedded"
    path = locate.path_of(rest)
    with named_file_errors(path or rest):
        if path is not None:
            return ranks_file.load(path)
        published = locate.PUBLISHED[rest]
        lines = locate.read_published_ranks(published)
        return ByteBPE(published.name, published.pattern, lines.ranks, published.special_tokens)


def _file_of(rest: str) -> tuple[Any, Path] | None:
    """Return the format and the path of a file or a folder; None for a name, or tiktoken's ranks.

    Raises VocabularyError if a path is not there or has no known format.
    """
    from tokharness_tokenizers import file_formats
    from tokharness_tokenizers.vocabularies import locate

    path = locate.SMALL.get(rest) or expand_user(rest)
    is_path = rest in locate.SMALL or "/" in rest or path.suffix in SUFFIXES
    try:
        if not rest or path.suffix == ".tiktoken" or not (is_path or path.exists()):
            return None
        found = file_formats.find(path)
    except (OSError, ValueError) as error:  # ValueError: a null character
        reason = getattr(error, "strerror", None) or error
        raise VocabularyError(f"cannot read the vocabulary {rest!r}: {reason}") from error
    if found is None and path.is_dir():
        names = ", ".join(file_formats.FOLDER_ORDER)
        raise VocabularyError(f"the folder {rest} has no vocabulary, such as {names}: name a file")
    if found is None:
        raise VocabularyError(f"{rest} is not a vocabulary of a known format: {_known_formats()}")
    return found


def _known_formats() -> str:
    from tokharness_tokenizers import file_formats

    *others, last = (one.WORDS for one in file_formats.formats())
    return f"{', '.join(others)} or {last}"


def describe(rest: str) -> Description | None:
    """Return what the files have; raises VocabularyError or UnknownNameError."""
    from tokharness_tokenizers import descriptions
    from tokharness_tokenizers.descriptions.tiktoken_ranks import describe_vocabulary

    found = _file_of(rest)
    if found is not None:
        return descriptions.describe_target(found[1], found[0].__name__.rpartition(".")[2])
    try:
        return describe_vocabulary(rest or "embedded")
    except UnknownNameError:
        raise UnknownNameError("vocabulary", rest, names()) from None


def write_file(description: Description, folder: Path) -> str | None:
    """Write a file into a folder, and return the spec of the reference that reads it.

    Raises VocabularyError if the format cannot have this content, or no file can be written.
    """
    from tokharness_tokenizers import descriptions

    with named_file_errors(folder):
        return f"reference:{descriptions.write(description, folder)}"


def reference(rest: str) -> str | None:
    """Return the spec of the library that reads the same vocabulary; None if it is missing."""
    found = _file_of(rest)
    if found is None:
        return f"tiktoken:{rest or 'embedded'}"
    reader, path = found
    return reader.library(path)  # type: ignore[no-any-return]


def recognize(path: Path) -> str | None:
    """Return the path of a file that only the reference reads, as its library is missing."""
    from tokharness_tokenizers import file_formats

    found = file_formats.find(path)
    if found is None or not getattr(found[0], "RECOGNIZED", False) or found[0].library(found[1]):
        return None
    return str(path)


def names() -> tuple[str, ...]:
    """Return the names of the vocabularies."""
    from tokharness_tokenizers.vocabularies import locate

    return (*locate.NAMES, *locate.SMALL)


def chat_templates(rest: str) -> dict[str, str]:
    """Return the chat templates in a GGUF file, by name; raises VocabularyError."""
    from tokharness_tokenizers.reference.gguf import metadata

    path = expand_user(rest)
    if path.suffix != ".gguf" or not path.is_file():
        return {}
    with named_file_errors(path):
        try:
            found = metadata.load(path)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
    texts = {key: text for key, text in found.items() if isinstance(text, str)}
    return {
        _template_name(key): text
        for key, text in texts.items()
        if key == TEMPLATE_KEY or key.startswith(f"{TEMPLATE_KEY}.")
    }


TEMPLATE_KEY: Final = "tokenizer.chat_template"


def _template_name(key: str) -> str:
    """Return the name of a template: none but the key that llama.cpp reads is the default."""
    if key == TEMPLATE_KEY:
        return "default"
    name = key.removeprefix(f"{TEMPLATE_KEY}.")
    return key if name in {"", "default"} else name


def versions() -> dict[str, str]:
    """Return the version of the regular expression engine."""
    return {"regex": version("regex")}


def trainers() -> tuple[ModuleType, ...]:
    """Return the modules that train vocabularies."""
    from tokharness_tokenizers import trainers

    return trainers.modules()

"""Find the matrices of embeddings in a checkpoint: by a given name, the usual names or a shape."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.embeddings.checkpoint import VALUE_BYTES, open_checkpoint
from tokharness.errors import UnknownNameError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokharness.embeddings.checkpoint import Checkpoint, Tensor
    from tokharness.embeddings.matrix import Kind, Matrix

SPEC = re.compile(r"(?P<path>.*?\.(?:safetensors|json))(?::(?P<tensor>.+))?", re.DOTALL)

INPUT_NAMES = (
    *("embed_tokens.weight", "wte.weight", "word_embeddings.weight", "tok_embeddings.weight"),
    *("shared.weight", "embed_in.weight", "word_embedding.weight", "token_embedding.weight"),
    *("embeddings.weight", "embedding.weight", "emb.weight"),
)
OUTPUT_NAMES = ("lm_head.weight", "output.weight", "embed_out.weight", "head.weight")
"""How the names of tensors end; before these words there is nothing, or a dot."""

MOST_PADDING = 1024
"""Rows beyond n_vocab that any model may have; one with many ids may have an eighth of them."""

MOST_NAMED = 8


def open_matrices(spec: str, n_vocab: int) -> list[Matrix]:
    """Return the input embeddings of a model with this many ids, and those of its output.

    A model without output embeddings of its own uses the same matrix for both. With a tensor in the
    spec, return that alone. Rows beyond ``n_vocab`` may fill up the matrix.

    Raises:
        UsageError: a file cannot be read, has no matrix that fits, or a package is missing.

    """
    path, wanted = _parts(spec)
    checkpoint = open_checkpoint(path)
    from tokharness.embeddings.matrix import Matrix  # on use: numpy may be missing until here

    tensors = _usual(checkpoint, n_vocab) if wanted is None else [_named(checkpoint, wanted)]
    if reason := _misfit(tensors[0], n_vocab):
        raise UsageError(reason)
    return [Matrix(tensor, _kind(tensor.name)) for tensor in tensors]


def check_file(spec: str) -> None:
    """Open the file of a spec, and look for its tensor.

    Raises:
        UsageError: a file cannot be read, has no such tensor, or a package is missing.

    """
    path, wanted = _parts(spec)
    checkpoint = open_checkpoint(path)
    if wanted is not None:
        _named(checkpoint, wanted)


def _named(checkpoint: Checkpoint, name: str) -> Tensor:
    """Return the tensor with a name."""
    if name not in checkpoint.files:
        usual = _with_usual_names(checkpoint.files, (*INPUT_NAMES, *OUTPUT_NAMES))
        known = usual or checkpoint.files
        raise UnknownNameError(f"tensor of {checkpoint.path}", name, known)
    return next(checkpoint.tensors([name]))


def _usual(checkpoint: Checkpoint, n_vocab: int) -> list[Tensor]:
    """Return the input embeddings, and the output embeddings if the model has its own."""
    outputs = checkpoint.tensors(_with_usual_names(checkpoint.files, OUTPUT_NAMES))
    own = [tensor for tensor in outputs if not _misfit(tensor, n_vocab)][:1]
    inputs = list(checkpoint.tensors(_with_usual_names(checkpoint.files, INPUT_NAMES)))
    if inputs:
        chosen = next((one for one in inputs if not _misfit(one, n_vocab)), inputs[0])
    else:
        rest = [one for one in checkpoint.tensors(checkpoint.files) if one not in own]
        chosen = _only(checkpoint.path, rest or own, n_vocab)
    return [chosen, *(tensor for tensor in own if tensor != chosen)]


def _kind(name: str) -> Kind:
    return "output" if _with_usual_names([name], OUTPUT_NAMES) else "input"


def _parts(spec: str) -> tuple[Path, str | None]:
    """Return the path and the tensor of a spec."""
    match = SPEC.fullmatch(spec)
    if match is None or Path(spec).exists():
        return Path(spec), None
    return Path(match["path"]), match["tensor"]


def _with_usual_names(names: Iterable[str], usual: Sequence[str]) -> list[str]:
    """Return the names that end with a usual one: the first usual one first, then the shortest."""
    found = [name for name in names if name.endswith(tuple(usual))]
    by_length = sorted(found, key=lambda name: (len(name), name))
    return [name for ending in usual for name in by_length if f".{name}".endswith(f".{ending}")]


def _only(path: Path, tensors: Sequence[Tensor], n_vocab: int) -> Tensor:
    """Return the only one of some tensors that fits."""
    fitting = [tensor for tensor in tensors if not _misfit(tensor, n_vocab)]
    if len(fitting) == 1:
        return fitting[0]
    names = [tensor.name for tensor in fitting or tensors]
    shown = ", ".join(map(repr, names[:MOST_NAMED])) + ", ..." * (len(names) > MOST_NAMED)
    count = f"{len(fitting)} tensors fit" if fitting else "no tensor fits"
    raise UsageError(
        f"{path} has no tensor with a usual name of embeddings, and {count} the {n_vocab:,} ids of "
        f"the vocabulary: add a colon and the name of one, of {shown or 'none'}"
    )


def _misfit(tensor: Tensor, n_vocab: int) -> str:
    """Return why a tensor is no matrix with a row for each id; "" if it may be one."""
    what = f"the tensor {tensor.name!r} of {tensor.path}"
    if len(tensor.shape) != 2 or not all(tensor.shape):
        shape = " x ".join(f"{size:,}" for size in tensor.shape) or "()"
        return f"{what} has the shape {shape}: embeddings have a row for each id and two dimensions"
    rows, _ = tensor.shape
    if not n_vocab <= rows <= n_vocab + max(MOST_PADDING, n_vocab // 8):
        return (
            f"{what} has {rows:,} rows, too {'few' if rows < n_vocab else 'many'} for the "
            f"{n_vocab:,} ids of the vocabulary: name the embeddings of a model that uses it"
        )
    if tensor.dtype not in VALUE_BYTES:
        return f"{what} has values of the type {tensor.dtype}: choose {' or '.join(VALUE_BYTES)}"
    return ""

"""Embeddings of the user's model: matrices of a checkpoint, read in blocks of rows.

``open_matrices(spec, n_vocab)`` accepts

- ``FILE.safetensors``, or ``FILE.safetensors:TENSOR`` for one tensor of it;
- ``model.safetensors.index.json``, with or without ``:TENSOR``: a checkpoint in several files. Only
  the files that hold a wanted tensor are read.

Without a tensor, the input embeddings are found by their usual names, and those of the output if
the model has its own. Only headers are read before the rows are. The values may be F16, BF16, F32
or F64. It needs the extra ``tokharness[embeddings]``.
"""

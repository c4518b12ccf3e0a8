"""GGUF, the files of llama.cpp: the tokenizer that the metadata of a file describes.

Sources: ``docs/gguf.md`` of ggml for the format and the keys; the papers and the published files of
the models for the meaning of the keys. If neither defines a meaning, such as the names of
``tokenizer.ggml.pre``, the source is llama.cpp.
"""

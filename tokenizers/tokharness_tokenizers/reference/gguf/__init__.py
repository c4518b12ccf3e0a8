"""GGUF, the files of llama.cpp: the tokenizer that the metadata of a file describes.

Sources: ``docs/gguf.md`` of ggml for the format and the keys; the papers and the published files of
the models for what the keys mean. Where neither says it, such as what ``tokenizer.ggml.pre`` stands
for, it is read from llama.cpp.
"""

"""Pre-tokenizers, which cut a text into the pieces that a model reads."""

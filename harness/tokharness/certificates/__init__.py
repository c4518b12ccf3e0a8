"""Certificates: what is proven of a tokenizer for all texts, from its file, by its reference."""

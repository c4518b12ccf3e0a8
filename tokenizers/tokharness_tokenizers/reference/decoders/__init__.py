"""Decoders, which turn the texts of tokens into text."""

"""Corpora of the user: files, glob patterns or the standard input, and the texts in them."""

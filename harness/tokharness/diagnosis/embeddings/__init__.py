"""Rows of embeddings that were never trained: what is known to be unused, and what looks like it.

Its modules :mod:`.clusters`, :mod:`.ranking` and :mod:`.survey` need numpy.
"""

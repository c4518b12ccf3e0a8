"""Scan a corpus: what a tokenizer does to each document, as sums that merge in any order."""

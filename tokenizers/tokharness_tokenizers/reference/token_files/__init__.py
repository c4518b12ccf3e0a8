"""Readers of lists of tokens and merges, with the stages that the models of these lists have."""

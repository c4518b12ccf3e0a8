"""Training of a Unigram language model by expectation maximization (Kudo 2018, section 3.2).

The steps come from the paper, in the form that SentencePiece gives them
(``unigram_model_trainer.cc``): a seed vocabulary of frequent substrings, then rounds of EM and of
pruning by loss.
"""

"""Find a text that holds a token, or prove that there is none: the method ``reach`` of references.

A token is *reachable* if some plain text is encoded to ids with it. A proof that there is no such
text rests on one property that the models share: a part of a best segmentation is the best
segmentation of its own text. So a token is never produced if its own text is segmented into other
tokens, and it is never next to a token if the joined text of both is segmented differently.

Sources: Berglund and van der Merwe 2023, "Formalizing BPE Tokenization"; Land and Bartolo 2024,
"Fishing for Magikarp", which only asks whether a token's own text gives it back.
"""

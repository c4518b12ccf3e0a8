"""Which text holds a token, or why there is none: the method ``reach`` of the references.

A token is *reachable* if some plain text is encoded to ids with it. A proof that there is no such
text rests on one property that the models share: a part of a best segmentation is the best
segmentation of its own text. So a token is never produced if its own text is segmented into
others, and it never stands next to a token with which its text is segmented differently.

Sources: Berglund and van der Merwe 2023, "Formalizing BPE Tokenization"; Land and Bartolo 2024,
"Fishing for Magikarp", which asks only whether a token's own text gives it back.
"""

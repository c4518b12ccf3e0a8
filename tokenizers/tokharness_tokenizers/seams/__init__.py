"""Where a text may be cut: the method ``seams`` of the references.

A *cut* between two texts is *neutral* if their ids, one after the other, are the ids of the joined
text. The proof goes through the stages of a reference. It knows of a text only its last character,
and of the text after it only its first, so what it says of two characters holds for all texts that
end and begin with them. A stage of which nothing is proven makes no cut neutral.

Source of the property of merges that is used: Berglund and van der Merwe 2023, "Formalizing BPE
Tokenization".
"""

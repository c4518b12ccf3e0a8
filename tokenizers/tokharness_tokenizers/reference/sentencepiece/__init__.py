"""SentencePiece: its model files, its normalizer and its decoder, without the library.

Sources: Kudo and Richardson 2018, "SentencePiece"; Kudo 2018, "Subword Regularization"; the
comments of ``sentencepiece_model.proto``. If these do not define a result, such as the choice
between two equal segmentations, it is the result of the library's release 0.2.3.
"""

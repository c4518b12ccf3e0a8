"""SentencePiece: its model files, its normalizer and its decoder, without the library.

Sources: Kudo and Richardson 2018, "SentencePiece"; Kudo 2018, "Subword Regularization"; the
comments of ``sentencepiece_model.proto``. Where these do not define a result, such as which of two
equal segmentations counts, it is that of the library's release 0.2.3.
"""

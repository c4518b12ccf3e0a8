"""Reference tokenizers in plain Python: written for reading first, made fast second.

They share no code with the libraries they are compared with.
"""

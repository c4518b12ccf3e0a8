"""Reference tokenizers in plain Python, written to be read first and to be fast second.

They share no code with the libraries that they are compared with.
"""

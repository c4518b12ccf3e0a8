"""Small vocabularies trained here, each with the command that makes it, and where others are."""

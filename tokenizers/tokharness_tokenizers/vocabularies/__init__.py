"""The embedded vocabulary with the command that trains it, and the paths of other vocabularies."""

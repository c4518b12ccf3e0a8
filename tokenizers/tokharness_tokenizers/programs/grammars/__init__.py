"""Programs that show the table of tokens of a grammar library, one file each."""

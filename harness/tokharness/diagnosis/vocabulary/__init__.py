"""What the tokens of a vocabulary show together: steps of merging, equal forms, pairs."""

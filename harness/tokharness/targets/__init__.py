"""A loaded target and everything needed to call it: adapters' objects, processes, fingerprints."""

"""One file per endpoint, named after its path."""

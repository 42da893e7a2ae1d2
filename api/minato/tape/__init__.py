"""Tapes: what a client asked and was answered, kept in a file, to be asked again elsewhere and compared."""

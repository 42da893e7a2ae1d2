"""Guesses at codes, factors and passwords: how many are judged."""

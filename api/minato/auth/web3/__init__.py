"""Signing in with a wallet: a message in a fixed grammar, signed by the key behind its address."""

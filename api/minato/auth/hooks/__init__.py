"""Hooks: what a deployment's own code says to tokens, messages, attempts and new accounts."""

"""Accounts from sign-up to deletion: opened, confirmed, changed, given up."""

"""Signing in through others: OAuth 2 and OpenID Connect providers, from the redirect to the account."""

"""Where an issuer of tokens says how it is spoken to (OpenID Connect Discovery 1.0, 4)."""

from __future__ import annotations

from typing import Final

# What an issuer may take for one of its documents.
SECONDS: Final = 5.0


def discovery_url(issuer: str, url: str = "") -> str:
    """Where the document is, unless its provider has told.

    >>> discovery_url("https://harbour.eu.auth0.com/")
    'https://harbour.eu.auth0.com/.well-known/openid-configuration'
    """
    return url or issuer.rstrip("/") + "/.well-known/openid-configuration"

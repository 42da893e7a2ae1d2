"""In whose name a signed upload is made: the signer's claims travel in the URL, sealed, to be asked again at its use.

Whoever is given the URL can't read them, and the token that carries them opens nothing else: it names no role.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from dataclasses import dataclass, field

import orjson
from cryptography.fernet import Fernet, InvalidToken

from minato.storage.errors import invalid_signature
from minato.tokens.caller import SERVICE_ROLE, Caller, Claims

AUTHENTICATED = "authenticated"


@dataclass(frozen=True)
class Seal:
    """Closes and opens what this backend signed; `key` is the backend's."""

    key: str = field(repr=False)

    def close(self, signer: Caller) -> str:
        """The signer as text that only this backend reads."""
        return self._fernet.encrypt(zlib.compress(signer.claims_json.encode())).decode()

    def open(self, sealed: str) -> Caller:
        """The signer. Raises InvalidSignature when the backend's secret was changed meanwhile."""
        try:
            claims: Claims = orjson.loads(zlib.decompress(self._fernet.decrypt(sealed.encode())))
        except InvalidToken:
            raise invalid_signature() from None
        return Caller(str(claims["role"]), claims)

    @property
    def _fernet(self) -> Fernet:
        derived = hashlib.sha256(b"minato signers of uploads\0" + self.key.encode()).digest()
        return Fernet(base64.urlsafe_b64encode(derived))


def signer_of(seal: Seal, claims: Claims, asked_again: bool) -> Caller:
    """Who uploads with a token of these claims; the service in the signer's name, where nobody is asked again.

    A token without a signer is Supabase's, or of an earlier release: of whom it speaks for it knows the owner alone.
    """
    owner = {"sub": claims["owner"]} if isinstance(claims.get("owner"), str) else {}
    sealed = claims.get("signer")
    if not asked_again or (not owner and sealed is None):
        return Caller(SERVICE_ROLE, {"role": SERVICE_ROLE, **owner})
    if isinstance(sealed, str):
        return seal.open(sealed)
    return Caller(AUTHENTICATED, {"role": AUTHENTICATED, **owner})

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
from minato.tokens.caller import SERVICE_ROLE, Caller, Claims, ThirdPartyClaims

AUTHENTICATED = "authenticated"
# Before the claims of another issuer's token, so that a session they name is taken for none of ours.
THIRD_PARTY = b"!"


@dataclass(frozen=True)
class Seal:
    """Closes and opens what this backend signed; `key` is the backend's."""

    key: str = field(repr=False)

    def close(self, signer: Caller) -> str:
        """The signer as text that only this backend reads."""
        mark = THIRD_PARTY if isinstance(signer.claims, ThirdPartyClaims) else b""
        return self._fernet.encrypt(zlib.compress(mark + signer.claims_json.encode())).decode()

    def open(self, sealed: str) -> Caller:
        """The signer. Raises InvalidSignature when the backend's secret was changed meanwhile."""
        try:
            opened = zlib.decompress(self._fernet.decrypt(sealed.encode()))
        except InvalidToken:
            raise invalid_signature() from None
        claims: Claims = orjson.loads(opened.removeprefix(THIRD_PARTY))
        if opened.startswith(THIRD_PARTY):
            # The role was judged when it was sealed.
            claims = ThirdPartyClaims(claims, roles=None)
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

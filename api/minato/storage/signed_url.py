"""Tokens inside URLs: one object, one purpose, until a moment.

Claims are those of supabase/storage, in its order; a token that uploads has one more, the sealed signer. As there, the
JWT secret signs them whatever signs users' tokens.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from minato.clock import Clock
from minato.storage.access_token import TokenRefused, invalid_jwt, verify_token
from minato.storage.errors import invalid_signature
from minato.storage.signer import Seal, signer_of
from minato.tokens.caller import Caller, Claims
from minato.tokens.keys import KeySet

DOWNLOAD = "download"
UPLOAD = "upload"


@dataclass(frozen=True)
class UrlSigner:
    """Signs and checks the tokens of one backend."""

    keys: KeySet
    clock: Clock
    seal: Seal
    asked_again: bool

    def sign_download(self, bucket: str, key: str, expires_in: int, transformations: str = "") -> str:
        """A token that reads the object for `expires_in` seconds."""
        claims: dict[str, object] = {"transformations": transformations} if transformations else {}
        return self._sign({**claims, "url": f"{bucket}/{key}", "scope": DOWNLOAD}, expires_in)

    def sign_upload(self, bucket: str, key: str, signer: Caller, upsert: bool, expires_in: int) -> str:
        """A token that writes the object in the signer's name."""
        owner: dict[str, object] = {} if signer.subject is None else {"owner": signer.subject}
        claims = {**owner, "url": f"{bucket}/{key}", "upsert": upsert, "scope": UPLOAD}
        return self._sign({**claims, "signer": self.seal.close(signer)} if self.asked_again else claims, expires_in)

    def verify_download(self, token: str, bucket: str, key: str) -> Claims:
        """The claims, when the token reads this object. Raises InvalidJWT or InvalidSignature."""
        claims = self._verify(token, bucket, key)
        # Tokens made before scopes existed say what they are for by having `upsert` or not.
        if claims.get("scope", UPLOAD if "upsert" in claims else DOWNLOAD) != DOWNLOAD:
            raise invalid_signature("Token is not scoped for download")
        return claims

    def verify_upload(self, token: str, bucket: str, key: str) -> tuple[Caller, bool]:
        """In whose name the token writes this object, and whether it may replace what is there.

        Raises InvalidJWT or InvalidSignature.
        """
        claims = self._verify(token, bucket, key)
        if claims.get("scope", UPLOAD if "upsert" in claims else DOWNLOAD) != UPLOAD:
            raise invalid_signature("Token is not scoped for upload")
        return signer_of(self.seal, claims, self.asked_again), claims.get("upsert") is True

    def _sign(self, claims: dict[str, object], expires_in: int) -> str:
        now = int(self.clock.timestamp())
        return self.keys.sign_for_ourselves({**claims, "iat": now, "exp": now + expires_in})

    def _verify(self, token: str, bucket: str, key: str) -> Claims:
        try:
            claims = verify_token(self.keys, self.clock, token)
        except TokenRefused as error:
            raise invalid_jwt(error) from None
        if not hmac.compare_digest(str(claims.get("url")).encode(), f"{bucket}/{key}".encode()):
            raise invalid_signature()
        return claims

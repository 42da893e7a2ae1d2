"""A security key in software: a P-256 key that answers WebAuthn options as a browser would hand its answer on."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, BACKUP_ELIGIBLE, BACKED_UP, ATTESTED = 1, 4, 8, 16, 64


def encoded(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Authenticator:
    """One credential for one site. `sign_count` may be set back to play a copied key; `flags` go into every answer."""

    origin: str
    flags: int = PRESENT | VERIFIED
    aaguid: bytes = bytes(16)
    counts: bool = True
    sign_count: int = 0
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    user_handle: bytes = b""

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer of navigator.credentials.create()."""
        self.user_handle = decoded(options["user"]["id"])
        identifier = len(self.credential_id).to_bytes(2, "big") + self.credential_id
        attested = self.aaguid + identifier + cbor2.dumps(self._public_key())
        data = self._authenticator_data(options["rp"]["id"], ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client_data = self._client_data("webauthn.create", options["challenge"])
        return self._credential(
            attestationObject=encoded(attestation), clientDataJSON=encoded(client_data), transports=["usb"]
        )

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer of navigator.credentials.get()."""
        self.sign_count += self.counts
        data = self._authenticator_data(options["rpId"], 0)
        client_data = self._client_data("webauthn.get", options["challenge"])
        signature = self.key.sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        return self._credential(
            authenticatorData=encoded(data),
            clientDataJSON=encoded(client_data),
            signature=encoded(signature),
            userHandle=encoded(self.user_handle),
        )

    def _credential(self, **response: Any) -> dict[str, Any]:
        name = encoded(self.credential_id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response, "clientExtensionResults": {}}

    def _authenticator_data(self, rp_id: str, flags: int) -> bytes:
        site = hashlib.sha256(rp_id.encode()).digest()
        return site + bytes([self.flags | flags]) + self.sign_count.to_bytes(4, "big")

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _public_key(self) -> dict[int, Any]:
        numbers = self.key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (numbers.x, numbers.y))
        return {1: 2, 3: -7, -1: 1, -2: x, -3: y}

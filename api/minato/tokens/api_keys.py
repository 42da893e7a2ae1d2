"""The keys a client may be given: two legacy JWTs, the two opaque ones that stand for them, and a pair for S3."""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass, field

from minato.config.server import ServerSettings
from minato.tokens.caller import ANON, SERVICE_ROLE
from minato.tokens.keys import KeySet, secret_key

# The issuer and expiry of the keys that the Supabase CLI prints: the same secret gives the same keys.
ISSUER = "supabase-demo"
EXPIRES_AT = 1983812996


@dataclass(frozen=True)
class ApiKeys:
    """`anon` and `service_role` are JWTs; `publishable` and `secret` are opaque and only the gateway knows them.

    The S3 pair, which stands for service_role, never travels: requests are signed with it.
    """

    anon: str
    service_role: str = field(repr=False)
    publishable: str
    secret: str = field(repr=False)
    s3_access_key_id: str
    s3_access_key_secret: str = field(repr=False)

    def jwt_for(self, key: str) -> str | None:
        """The JWT an opaque key stands for, None when it is not one of ours."""
        given = key.encode()
        if hmac.compare_digest(given, self.publishable.encode()):
            return self.anon
        if hmac.compare_digest(given, self.secret.encode()):
            return self.service_role
        return None


def derive_api_keys(jwt_secret: str, settings: ServerSettings) -> ApiKeys:
    """The keys of a backend: what the settings give, the rest derived from the JWT secret."""
    signer = KeySet([secret_key(jwt_secret)])
    given_secret = settings.secret_key.get_secret_value() if settings.secret_key else None
    given_service = settings.service_role_key.get_secret_value() if settings.service_role_key else None
    return ApiKeys(
        anon=settings.anon_key or _legacy_key(signer, ANON),
        service_role=given_service or _legacy_key(signer, SERVICE_ROLE),
        publishable=settings.publishable_key or _opaque_key(jwt_secret, "publishable"),
        secret=given_secret or _opaque_key(jwt_secret, "secret"),
        s3_access_key_id=_digest(jwt_secret, "s3 access key id").hex()[:32],
        s3_access_key_secret=_digest(jwt_secret, "s3 access key secret").hex(),
    )


def _legacy_key(signer: KeySet, role: str) -> str:
    return signer.sign({"iss": ISSUER, "role": role, "exp": EXPIRES_AT})


def _opaque_key(jwt_secret: str, kind: str) -> str:
    body = base64.urlsafe_b64encode(_digest(jwt_secret, f"{kind} key")).decode()
    return f"sb_{kind}_{body[:22]}_{body[22:30]}"


def _digest(jwt_secret: str, purpose: str) -> bytes:
    return hmac.new(jwt_secret.encode(), f"minato {purpose}".encode(), hashlib.sha256).digest()

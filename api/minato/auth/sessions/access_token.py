"""The access token: an account and its session as the claims of a JWT, in GoTrue's order."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from minato.auth.rows.sessions import Method
from minato.auth.rows.users import User
from minato.auth.wire.json_format import sorted_map

SECOND_FACTORS = frozenset({"totp", "mfa/phone", "mfa/webauthn"})


def build_claims(
    user: User, session_id: UUID, methods: Iterable[Method], issuer: str, issued_at: int, lifetime: int
) -> dict[str, object]:
    """The claims of a token for `user`; `methods` are the session's rows of mfa_amr_claims, newest first."""
    amr = [_amr_entry(user, used) for used in methods]
    return {
        **({"iss": issuer} if issuer else {}),
        "sub": str(user.id),
        "aud": user.aud or "",
        "exp": issued_at + lifetime,
        "iat": issued_at,
        "email": user.email or "",
        "phone": user.phone or "",
        "app_metadata": sorted_map(user.app_metadata),
        "user_metadata": sorted_map(user.user_metadata),
        "role": user.role or "",
        "aal": "aal2" if any(entry["method"] in SECOND_FACTORS for entry in amr) else "aal1",
        "amr": amr,
        "session_id": str(session_id),
        "is_anonymous": user.is_anonymous,
    }


def _amr_entry(user: User, used: Method) -> dict[str, object]:
    method = used.authentication_method
    entry = {"method": method, "timestamp": _unix(used.updated_at)}
    # An account of single sign-on has one provider.
    return {**entry, "provider": user.app_metadata.get("provider", "")[4:]} if method == "sso/saml" else entry


def _unix(moment: datetime) -> int:
    return int(moment.timestamp())

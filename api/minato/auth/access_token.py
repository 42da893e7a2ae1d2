"""The access token: an account and its session as the claims of a JWT, in GoTrue's order."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping

from minato.auth.json_format import sorted_map
from minato.auth.users import User

SECOND_FACTORS = frozenset({"totp", "mfa/phone", "mfa/webauthn"})


def build_claims(
    user: User, session_id: UUID, methods: Iterable[RowMapping], issuer: str, issued_at: int, lifetime: int
) -> dict[str, Any]:
    """The claims of a token for `user`; `methods` are the session's rows of mfa_amr_claims, newest first."""
    amr = [_amr_entry(user, row) for row in methods]
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


def _amr_entry(user: User, row: RowMapping) -> dict[str, Any]:
    method = row["authentication_method"]
    entry = {"method": method, "timestamp": _unix(row["updated_at"])}
    # An account of single sign-on has one provider.
    return {**entry, "provider": user.app_metadata.get("provider", "")[4:]} if method == "sso/saml" else entry


def _unix(moment: datetime) -> int:
    return int(moment.timestamp())

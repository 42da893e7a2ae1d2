"""What a client may know of a user: the claims of userinfo and of ID tokens, by scope."""

from __future__ import annotations

from collections.abc import Collection

from minato.auth.rows.users import User
from minato.auth.wire.json_format import sorted_map
from minato.json_text import JsonObject


def userinfo(user: User, scopes: Collection[str]) -> dict[str, object]:
    """The userinfo document, sorted as Go writes maps."""
    known: dict[str, object] = {"sub": str(user.id)}
    if "email" in scopes:
        known |= {"email": user.email} if user.email else {}
        known |= {"email_verified": True} if user.email_confirmed_at else {}
    if "profile" in scopes:
        known |= {**_profile(user), "user_metadata": user.user_metadata}
    if "phone" in scopes:
        known |= {"phone": user.phone} if user.phone else {}
        known |= {"phone_verified": True} if user.phone_confirmed_at else {}
    return dict(sorted_map(known))


def id_token_claims(
    user: User, client_id: str, issuer: str, nonce: str | None, scopes: Collection[str], issued_at: int
) -> dict[str, object]:
    """An hour's ID token for `client_id`."""
    signed_in = int(user.last_sign_in_at.timestamp()) if user.last_sign_in_at else issued_at
    claims: dict[str, object] = {"iss": issuer, "sub": str(user.id), "aud": client_id}
    claims |= {"exp": issued_at + 3600, "iat": issued_at, "auth_time": signed_in}
    if nonce:
        claims["nonce"] = nonce
    # The flags are there whatever was granted, false where nothing was: supabase/auth internal/tokens/service.go.
    claims |= {"email_verified": "email" in scopes and user.is_confirmed}
    claims |= {"phone_number_verified": "phone" in scopes and user.phone_confirmed_at is not None}
    if "email" in scopes and user.email:
        claims["email"] = user.email
    if "phone" in scopes and user.phone:
        claims["phone_number"] = user.phone
    if "profile" in scopes:
        claims |= _profile(user)
    return {**claims, "client_id": client_id}


def _profile(user: User) -> dict[str, object]:
    metadata = user.user_metadata
    known = {
        "name": _first(metadata, "name") or user.email,
        "picture": _first(metadata, "picture", "avatar_url"),
        "preferred_username": _first(metadata, "preferred_username", "username"),
        "updated_at": int(user.updated_at.timestamp()) if user.updated_at else None,
    }
    return {name: value for name, value in known.items() if value}


def _first(metadata: JsonObject, *names: str) -> str:
    return next((metadata[name] for name in names if isinstance(metadata.get(name), str) and metadata[name]), "")

"""The claims of providers as GoTrue keeps them: OpenID's standard claims, typed, and what it adds for old clients."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from minato.auth.external.oidc import audiences
from minato.auth.external.provider import Address, Profile, ProviderError, make_profile
from minato.auth.json_format import render_time

TEXTS = (
    "iss sub name family_name given_name middle_name nickname preferred_username profile picture website gender "
    "birthdate zoneinfo locale email phone full_name avatar_url slug provider_id user_name"
).split()
TIMES = ("iat", "exp")
FLAGS = ("email_verified", "phone_verified")
GOOGLE = "https://accounts.google.com"


def standard_claims(given: Mapping[str, Any]) -> dict[str, Any]:
    """The claims GoTrue knows; one of a wrong type makes the whole document untrustworthy (ProviderError)."""
    known: dict[str, Any] = {}
    for names, kind in ((TEXTS, str), (TIMES, (int, float)), (FLAGS, bool)):
        for name in names:
            value = given.get(name)
            if value is not None and (not isinstance(value, kind) or (name in TIMES and isinstance(value, bool))):
                raise ProviderError(f"claim {name} is not of the type OpenID gives it")
            if value:
                known[name] = value
    if given.get("aud"):
        known["aud"] = audiences(given)
    if isinstance(given.get("updated_at"), int | float):
        known["updated_at"] = render_time(datetime.fromtimestamp(given["updated_at"], UTC))
    elif given.get("updated_at"):
        known["updated_at"] = str(given["updated_at"])
    custom = given.get("custom_claims")
    if isinstance(custom, dict) and custom:
        known["custom_claims"] = custom
    return known


def generic_profile(given: Mapping[str, Any]) -> Profile:
    """Any OpenID provider's claims."""
    claims = standard_claims(given)
    email = claims.get("email", "")
    return make_profile([Address(email, claims.get("email_verified", False), True)] if email else [], claims)


def google_profile(given: Mapping[str, Any]) -> Profile:
    """Google's, from an ID token or from its userinfo endpoint, which has `id` and `verified_email`."""
    email, name, picture = (_text(given, key) for key in ("email", "name", "picture"))
    subject = _text(given, "sub") or _text(given, "id")
    verified = given.get("email_verified") is True or given.get("verified_email") is True
    claims = {"iss": given.get("iss") or GOOGLE, "sub": subject, "name": name, "picture": picture}
    claims |= {"avatar_url": picture, "full_name": name, "provider_id": subject}
    if _text(given, "hd"):
        claims["custom_claims"] = {"hd": given["hd"]}
    return make_profile([Address(email, verified, True)] if email else [], claims)


def github_profile(host: str, user: Mapping[str, Any], emails: Iterable[Any]) -> Profile:
    """GitHub's user and the list of addresses."""
    subject, name, login, picture = _number(user), *(_text(user, key) for key in ("name", "login", "avatar_url"))
    claims = {"iss": host, "sub": subject, "name": name, "preferred_username": login, "avatar_url": picture}
    claims |= {"full_name": name, "provider_id": subject, "user_name": login}
    addresses = [
        Address(one["email"], one.get("verified") is True, one.get("primary") is True)
        for one in emails
        if isinstance(one, dict) and _text(one, "email")
    ]
    return make_profile(addresses, claims)


def gitlab_profile(host: str, user: Mapping[str, Any], emails: Iterable[Any]) -> Profile:
    """GitLab's user; it does not tell whether further addresses are verified."""
    subject, name, picture = _number(user), _text(user, "name"), _text(user, "avatar_url")
    claims = {"iss": host, "sub": subject, "name": name, "picture": picture, "avatar_url": picture}
    claims |= {"full_name": name, "provider_id": subject}
    addresses = [Address(one["email"], False, False) for one in emails if isinstance(one, dict) and _text(one, "email")]
    if _text(user, "email"):
        addresses.append(Address(user["email"], bool(user.get("confirmed_at")), True))
    return make_profile(addresses, claims)


def keycloak_profile(host: str, user: Mapping[str, Any]) -> Profile:
    """Keycloak's userinfo; what is not standard is kept as custom claims."""
    email, name, subject = (_text(user, key) for key in ("email", "name", "sub"))
    claims: dict[str, Any] = {"iss": host, "sub": subject, "name": name, "full_name": name, "provider_id": subject}
    custom = {key: value for key, value in user.items() if key not in ("name", "sub", "email", "email_verified")}
    claims["custom_claims"] = custom
    return make_profile([Address(email, user.get("email_verified") is True, True)] if email else [], claims)


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    return value if isinstance(value, str) else ""


def _number(user: Mapping[str, Any]) -> str:
    if not isinstance(user.get("id"), int):
        raise ProviderError("the user has no id")
    return str(user["id"])

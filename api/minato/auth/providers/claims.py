"""The claims of providers as GoTrue keeps them: OpenID's standard claims, typed, and what it adds for old clients."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from minato.auth.providers.oidc import audiences
from minato.auth.providers.provider import Address, Profile, ProviderError, make_profile
from minato.auth.wire.json_format import render_time
from minato.json_text import JsonMapping, JsonObject

TEXTS = (
    "iss sub name family_name given_name middle_name nickname preferred_username profile picture website gender "
    "birthdate zoneinfo locale email phone full_name avatar_url slug provider_id user_name"
).split()
TIMES = ("iat", "exp")
FLAGS = ("email_verified", "phone_verified")


def standard_claims(given: JsonMapping) -> JsonObject:
    """The claims GoTrue knows; one of a wrong type makes the whole document untrustworthy (ProviderError)."""
    known: JsonObject = {}
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


def generic_profile(given: Mapping[str, object]) -> Profile:
    """Any OpenID provider's claims."""
    claims = standard_claims(given)
    email = claims.get("email", "")
    return make_profile([Address(email, claims.get("email_verified", False), True)] if email else [], claims)

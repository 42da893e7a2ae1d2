"""What the claims of an access token must still be after a hook has had them."""

from __future__ import annotations

from minato.auth.wire.errors import AuthError
from minato.json_text import JsonObject

REQUIRED = ("aud", "exp", "iat", "sub", "email", "phone", "role", "aal", "session_id", "is_anonymous")
# claim → JSON types that it may have
_TYPES: dict[str, tuple[str, ...]] = {
    "aud": ("string", "array"),
    **dict.fromkeys(("exp", "iat", "nbf"), ("integer",)),
    **dict.fromkeys(("jti", "iss", "sub", "email", "phone", "role", "aal", "session_id", "client_id"), ("string",)),
    **dict.fromkeys(("app_metadata", "user_metadata"), ("object",)),
    "amr": ("array",),
}


def require_claims(answer: JsonObject) -> JsonObject:
    """The claims in a hook's answer. Raises 500 with the list of what is wrong with them."""
    if "claims" not in answer:
        raise AuthError(500, "unexpected_failure", "output claims field is missing")
    claims = answer["claims"]
    if not isinstance(claims, dict):
        raise AuthError(500, "unexpected_failure", "Error unmarshaling JSON output.")
    flaws = [f"(root): {name} is required" for name in REQUIRED if name not in claims]
    flaws += [flaw for name, kinds in _TYPES.items() if name in claims and (flaw := _flaw(name, claims[name], kinds))]
    if flaws:
        listed = "".join(f"- {flaw}\n" for flaw in flaws)
        message = f"output claims do not conform to the expected schema: \n{listed}"
        raise AuthError(500, "unexpected_failure", message)
    return claims


def _flaw(name: str, value: object, kinds: tuple[str, ...]) -> str:
    given = _kind(value)
    if given in kinds or ("integer" in kinds and isinstance(value, float) and value.is_integer()):
        return ""
    expected = kinds[0] if len(kinds) == 1 else "/".join(kinds)
    return f"{name}: Invalid type. Expected: {expected}, given: {given}"


def _kind(value: object) -> str:
    names = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"), (dict, "object"))
    return next((name for kind, name in names if isinstance(value, kind)), "null")

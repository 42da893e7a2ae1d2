"""What stands before an endpoint, still without a database connection: the limit of its caller, and the captcha."""

from __future__ import annotations

from api.auth.body import parse_json
from api.auth.call import Call
from api.auth.captcha import require_captcha
from api.auth.errors import over_request_rate

# path → the limit that a request there counts for
LIMITED = {
    "/recover": "recover",
    "/resend": "resend",
    "/magiclink": "magiclink",
    "/otp": "otp",
    "/verify": "verify",
    "/sso": "sso",
    "/sso/saml/acs": "saml",
    "/passkeys/authentication/options": "passkey",
    "/oauth/clients/register": "oauth_register",
}
ASKS_FOR_CAPTCHA = frozenset({"/recover", "/resend", "/magiclink", "/otp", "/sso", "/passkeys/authentication/options"})
GRANTS = {"password": "token", "refresh_token": "token", "id_token": "token", "pkce": "token", "web3": "web3"}
GRANTS_WITHOUT_CAPTCHA = frozenset({"pkce", "refresh_token", "id_token"})


async def guard(call: Call) -> None:
    """Refuses the request for its caller's haste (429) or missing captcha (400), in the reference's order."""
    path, method = call.request.scope["path"], call.request.method
    if path in LIMITED and (method == "POST" or path == "/verify"):
        await require_rate(call, LIMITED[path])
    if method != "POST":
        return
    if path in ASKS_FOR_CAPTCHA:
        await require_captcha(call)
    elif path == "/signup":
        await require_captcha(call)
        await _limit_signup(call)
    elif path == "/token":
        grant = call.query.get("grant_type", "")
        if grant not in GRANTS_WITHOUT_CAPTCHA:
            await require_captcha(call)
        if grant in GRANTS:
            await require_rate(call, GRANTS[grant])


async def require_rate(call: Call, name: str) -> None:
    """Refuses with 429 who did `name` too often."""
    if call.counted_as is None:
        return
    wait = await call.limits.wait(name, call.counted_as)
    if wait:
        raise over_request_rate(wait)


async def _limit_signup(call: Call) -> None:
    """An anonymous sign-in counts only where there are any: the endpoint refuses the others first."""
    if call.counted_as is None:
        return
    document = parse_json(call.body)
    given = document if isinstance(document, dict) else {}
    if given.get("email") or given.get("phone"):
        await require_rate(call, "signup")
    elif call.settings.external_anonymous_users_enabled:
        await require_rate(call, "anonymous")

"""GET /authorize and GET /user/identities/authorize: off to the provider, as nobody or as the account to link to."""

from __future__ import annotations

from minato.auth.authentication import require_user
from minato.auth.call import Answer, Call
from minato.auth.errors import AuthError
from minato.auth.external.departure import depart


async def authorize(call: Call) -> Answer:
    return Answer(status=302, headers={"Location": await depart(call)})


async def authorize_link(call: Call) -> Answer:
    who = await require_user(call)
    if not call.settings.security_manual_linking_enabled:
        raise AuthError(404, "manual_linking_disabled", "Manual linking is disabled")
    url = await depart(call, who.user)
    if call.query.get("skip_http_redirect") == "true":
        return Answer({"url": url})
    return Answer(status=302, headers={"Location": url})

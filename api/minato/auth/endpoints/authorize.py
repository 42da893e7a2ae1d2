"""GET /authorize and GET /user/identities/authorize: off to the provider, as nobody or as the account to link to."""

from __future__ import annotations

from minato.auth.external.authorize_redirect import authorize_url
from minato.auth.request.call import Answer, Call
from minato.auth.sessions.authentication import require_user
from minato.auth.wire.errors import AuthError


async def authorize(call: Call) -> Answer:
    return Answer(status=302, headers={"Location": await authorize_url(call)})


async def authorize_link(call: Call) -> Answer:
    who = await require_user(call)
    if not call.settings.security_manual_linking_enabled:
        raise AuthError(404, "manual_linking_disabled", "Manual linking is disabled")
    url = await authorize_url(call, who.user)
    if call.query.get("skip_http_redirect") == "true":
        return Answer({"url": url})
    return Answer(status=302, headers={"Location": url})

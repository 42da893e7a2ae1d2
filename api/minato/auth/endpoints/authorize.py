"""GET /authorize and GET /user/identities/authorize: off to the provider, as nobody or as the account to link to."""

from __future__ import annotations

from minato.auth.external.authorize_redirect import authorize_url
from minato.auth.request.context import RequestContext
from minato.auth.request.response import Response
from minato.auth.sessions.authentication import require_user
from minato.auth.wire.errors import AuthError


async def authorize(context: RequestContext) -> Response:
    return Response(status=302, headers={"Location": await authorize_url(context)})


async def authorize_link(context: RequestContext) -> Response:
    async with context.read() as tx:
        who = await require_user(tx)
    if not context.settings.security_manual_linking_enabled:
        raise AuthError(404, "manual_linking_disabled", "Manual linking is disabled")
    url = await authorize_url(context, who.user)
    if context.query.get("skip_http_redirect") == "true":
        return Response({"url": url})
    return Response(status=302, headers={"Location": url})

"""GET /oauth/userinfo, and GET and DELETE /user/oauth/grants: what clients know, and what users allowed them."""

from __future__ import annotations

from uuid import UUID

from minato.auth import sessions
from minato.auth.authentication import require_user
from minato.auth.call import Answer, Call
from minato.auth.errors import AuthError, invalid
from minato.auth.json_format import render_time
from minato.auth.oauth_server import authorizations, clients
from minato.auth.oauth_server.authorizations import split_scopes
from minato.auth.oauth_server.feature import require_oauth_server
from minato.auth.oauth_server.person import userinfo


async def oauth_userinfo(call: Call) -> Answer:
    require_oauth_server(call)
    who = await require_user(call, by_client=True)
    return Answer(userinfo(who.user, split_scopes(who.session["scopes"] if who.session else None)))


async def list_grants(call: Call) -> Answer:
    who = await require_user(call)
    require_oauth_server(call)
    grants = []
    for consent in await authorizations.consents_of(call.db, who.user.id):
        client = await clients.find(call.db, consent["client_id"])
        if client is not None:
            scopes, given = split_scopes(consent["scopes"]), render_time(consent["granted_at"])
            grants.append({"client": clients.client_summary(client), "scopes": scopes, "granted_at": given})
    return Answer(grants)


async def revoke_grant(call: Call) -> Answer:
    who = await require_user(call)
    require_oauth_server(call)
    given = call.query.get("client_id", "")
    if not given:
        raise invalid("client_id query parameter is required")
    try:
        client_id = UUID(given)
    except ValueError as error:
        raise invalid("invalid client_id format") from error
    consent = await authorizations.consent_of(call.db, who.user.id, client_id)
    if consent is None:
        raise AuthError(404, "oauth_consent_not_found", "No active grant found for this client")
    await authorizations.revoke_consent(call.db, consent["id"], call.now)
    await sessions.end_of_client(call.db, who.user.id, client_id)
    await call.record(who.user, "token_revoked", oauth_client_id=str(client_id), action="revoke_oauth_grant")
    return Answer(status=204)

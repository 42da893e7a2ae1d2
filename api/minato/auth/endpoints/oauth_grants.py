"""GET /oauth/userinfo, and GET and DELETE /user/oauth/grants: what clients know, and what users allowed them."""

from __future__ import annotations

from uuid import UUID

from minato.auth.oauth_server import authorizations, clients
from minato.auth.oauth_server.access import require_oauth_server
from minato.auth.oauth_server.authorizations import split_scopes
from minato.auth.oauth_server.userinfo import userinfo
from minato.auth.request.context import ReadTransaction, Transaction
from minato.auth.request.response import Response
from minato.auth.rows import sessions
from minato.auth.sessions.authentication import require_user
from minato.auth.wire.errors import AuthError, invalid
from minato.auth.wire.json_format import render_time


async def oauth_userinfo(tx: ReadTransaction) -> Response:
    require_oauth_server(tx)
    who = await require_user(tx, by_client=True)
    return Response(userinfo(who.user, split_scopes(who.session.scopes if who.session else None)))


async def list_grants(tx: ReadTransaction) -> Response:
    who = await require_user(tx)
    require_oauth_server(tx)
    grants = []
    for consent in await authorizations.consents_of(tx.db, who.user.id):
        client = await clients.find(tx.db, consent.client_id)
        if client is not None:
            scopes, given = split_scopes(consent.scopes), render_time(consent.granted_at)
            grants.append({"client": clients.client_summary(client), "scopes": scopes, "granted_at": given})
    return Response(grants)


async def revoke_grant(tx: Transaction) -> Response:
    who = await require_user(tx)
    require_oauth_server(tx)
    given = tx.query.get("client_id", "")
    if not given:
        raise invalid("client_id query parameter is required")
    try:
        client_id = UUID(given)
    except ValueError as error:
        raise invalid("invalid client_id format") from error
    consent = await authorizations.consent_of(tx.db, who.user.id, client_id)
    if consent is None:
        raise AuthError(404, "oauth_consent_not_found", "No active grant found for this client")
    await authorizations.revoke_consent(tx.db, consent.id, tx.now)
    await sessions.end_of_client(tx.db, who.user.id, client_id)
    await tx.record(who.user, "token_revoked", oauth_client_id=str(client_id), action="revoke_oauth_grant")
    return Response(status=204)

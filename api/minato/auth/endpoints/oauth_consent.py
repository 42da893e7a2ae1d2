"""/oauth/authorize, /oauth/authorizations and /user/oauth/grants: a client asks, its user decides and may take it back.

The first look binds the request to the user who looks; an earlier consent to the same scopes decides at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from urllib.parse import urlsplit
from uuid import UUID

from minato.auth.oauth_server import authorizations, clients
from minato.auth.oauth_server.access import require_oauth_server, require_own_origin
from minato.auth.oauth_server.authorizations import SCOPES, Authorization, split_scopes
from minato.auth.oauth_server.clients import OAuthClient
from minato.auth.oauth_server.userinfo import userinfo
from minato.auth.request.context import ReadTransaction, Transaction
from minato.auth.request.response import Response
from minato.auth.rows import sessions
from minato.auth.sessions.authentication import Authenticated, require_user
from minato.auth.wire.body import parse_json
from minato.auth.wire.errors import AuthError, CommittedError, invalid
from minato.auth.wire.json_format import render_time
from minato.auth.wire.redirects import with_query

OPTIONAL = ("state", "resource", "nonce")
# as long as their columns
LONGEST = {"redirect_uri": 2048, "scope": 4096, "state": 4096, "resource": 2048, "nonce": 255}


async def oauth_authorize(tx: Transaction) -> Response:
    require_oauth_server(tx)
    client = await _client(tx)
    redirect_uri, state = tx.query["redirect_uri"], tx.query.get("state", "")
    scope = tx.query.get("scope") or tx.settings.oauth_server_default_scope
    reason = _why_invalid(tx.query, scope)
    if reason:
        values = {"error": "invalid_request", "error_description": reason, **({"state": state} if state else {})}
        return _redirect(with_query(redirect_uri, values))
    authorization_id = tx.backend.entropy.base32(32)
    await authorizations.create(
        tx.db,
        tx.backend.entropy.uuid4(),
        authorization_id=authorization_id,
        client_id=client.id,
        redirect_uri=redirect_uri,
        scope=scope,
        code_challenge=tx.query["code_challenge"],
        code_challenge_method=tx.query["code_challenge_method"].lower(),
        created_at=tx.now,
        expires_at=tx.now + timedelta(seconds=tx.settings.oauth_server_authorization_ttl),
        **{name: tx.query.get(name) or None for name in OPTIONAL},
    )
    page = f"{tx.site_url}/{tx.settings.oauth_server_authorization_path.lstrip('/')}"
    return _redirect(f"{page}?authorization_id={authorization_id}")


async def _client(tx: Transaction) -> OAuthClient:
    """The client, and certainty that the redirect is its own: only then may errors travel there."""
    for name in ("client_id", "redirect_uri"):
        if not tx.query.get(name):
            raise invalid(f"{name} is required")
    try:
        client_id = UUID(tx.query["client_id"])
    except ValueError as error:
        raise AuthError(400, "oauth_client_not_found", "invalid client_id format") from error
    client = await clients.find(tx.db, client_id)
    if client is None:
        raise AuthError(400, "oauth_client_not_found", "invalid client_id")
    if tx.query["redirect_uri"] not in clients.redirect_uris(client):
        raise invalid("invalid redirect_uri")
    return client


def _why_invalid(query: Mapping[str, str], scope: str) -> str:
    if query.get("response_type", "code") not in ("code", ""):
        return "only response_type=code is supported"
    scopes = split_scopes(scope)
    if not scopes:
        return "scope parameter cannot be empty"
    unknown = next((one for one in scopes if one not in SCOPES), None)
    if unknown is not None:
        return f"unsupported scope: {unknown}"
    too_long = next((name for name, most in LONGEST.items() if len(query.get(name, "")) > most), None)
    if too_long:
        return f"{too_long} is too long"
    return _why_no_resource(query.get("resource", "")) or _why_no_challenge(query)


def _why_no_resource(resource: str) -> str:
    """RFC 8707."""
    if not resource:
        return ""
    try:
        parts = urlsplit(resource)
    except ValueError:
        return "resource must be a valid URI"
    if not parts.scheme:
        return "resource must be an absolute URI"
    if parts.fragment:
        return "resource must not include a fragment component"
    return "resource must not include a query component" if parts.query else ""


def _why_no_challenge(query: Mapping[str, str]) -> str:
    challenge, method = query.get("code_challenge", ""), query.get("code_challenge_method", "")
    if not challenge or not method:
        return "PKCE flow requires both code_challenge and code_challenge_method"
    if method.lower() not in ("s256", "plain"):
        return "code_challenge_method must be 'S256' or 'plain'"
    if not 43 <= len(challenge.encode()) <= 128:
        return "code_challenge must be between 43 and 128 characters"
    return ""


def _redirect(location: str) -> Response:
    return Response(status=302, headers={"Location": location})


async def get_authorization(tx: Transaction) -> Response:
    require_oauth_server(tx)
    who = await require_user(tx)
    require_own_origin(tx)
    authorization = await _pending(tx, "authorization request cannot be processed")
    if authorization.user_id not in (None, who.user.id):
        raise _not_found()
    if authorization.user_id is None:
        authorization = await authorizations.change(tx.db, authorization.id, user_id=who.user.id)
        if await _is_covered(tx, who, authorization):
            return Response({"redirect_url": await _approve(tx, authorization)})
    client = await clients.find(tx.db, authorization.client_id)
    if client is None:
        raise _not_found()
    asking: dict[str, object] = {"id": str(who.user.id), **({"email": who.user.email} if who.user.email else {})}
    return Response(
        {
            "authorization_id": authorization.authorization_id,
            "redirect_uri": authorization.redirect_uri,
            "client": clients.client_summary(client),
            "user": asking,
            "scope": authorization.scope,
        }
    )


async def decide(tx: Transaction) -> Response:
    require_oauth_server(tx)
    who = await require_user(tx)
    require_own_origin(tx)
    action = _action(tx)
    authorization = await _pending(tx, "authorization request is no longer pending")
    if authorization.user_id != who.user.id:
        raise _not_found()
    if action == "deny":
        await authorizations.change(tx.db, authorization.id, status="denied")
        values = {"error": "access_denied", "error_description": "User denied the request"}
        return Response({"redirect_url": _back(authorization, values)})
    scopes = split_scopes(authorization.scope)
    await authorizations.give_consent(tx.writer, who.user.id, authorization.client_id, scopes)
    return Response({"redirect_url": await _approve(tx, authorization)})


def _action(tx: Transaction) -> str:
    try:
        document = parse_json(tx.body)
    except AuthError as error:
        raise AuthError(400, "bad_json", "invalid JSON body") from error
    if not isinstance(document, dict | None) or not isinstance((document or {}).get("action", ""), str | None):
        raise AuthError(400, "bad_json", "invalid JSON body")
    action = (document or {}).get("action")
    if action not in ("approve", "deny"):
        raise invalid("action must be 'approve' or 'deny'")
    return str(action)


async def _pending(tx: Transaction, otherwise: str) -> Authorization:
    """The authorization of the path, which still waits; `otherwise` words that it does not."""
    authorization = await authorizations.lock(tx.db, tx.path_params["id"])
    if authorization is None:
        raise _not_found()
    if authorization.expires_at < tx.now:
        if authorization.status == "pending":
            await authorizations.change(tx.db, authorization.id, status="expired")
        raise CommittedError(404, "oauth_authorization_not_found", "authorization not found")
    if authorization.status != "pending":
        raise invalid(otherwise)
    return authorization


async def _is_covered(tx: Transaction, who: Authenticated, authorization: Authorization) -> bool:
    consent = await authorizations.lock_consent(tx.db, who.user.id, authorization.client_id)
    asked = set(split_scopes(authorization.scope))
    return consent is not None and asked <= set(split_scopes(consent.scopes))


async def _approve(tx: Transaction, authorization: Authorization) -> str:
    """Where the user goes with the code."""
    code = str(tx.backend.entropy.uuid4())
    values = {"status": "approved", "approved_at": tx.now, "authorization_code": code}
    return _back(await authorizations.change(tx.db, authorization.id, **values), {"code": code})


def _back(authorization: Authorization, values: dict[str, str]) -> str:
    state = {"state": authorization.state} if authorization.state else {}
    return with_query(authorization.redirect_uri, {**values, **state})


def _not_found() -> AuthError:
    return AuthError(404, "oauth_authorization_not_found", "authorization not found")


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
    consent = await authorizations.lock_consent(tx.db, who.user.id, client_id)
    if consent is None:
        raise AuthError(404, "oauth_consent_not_found", "No active grant found for this client")
    await authorizations.revoke_consent(tx.db, consent.id, tx.now)
    # Before the sessions: a code that is being traded this moment leads to one that has to end, too.
    authorizations.forget_codes(tx.db, who.user.id, client_id)
    await sessions.end_of_client(tx.db, who.user.id, client_id)
    await tx.record(who.user, "token_revoked", oauth_client_id=str(client_id), action="revoke_oauth_grant")
    return Response(status=204)

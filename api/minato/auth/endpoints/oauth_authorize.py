"""GET /oauth/authorize: a client's user arrives and is sent to the page that asks for consent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from urllib.parse import urlsplit
from uuid import UUID

from minato.auth.oauth_server import authorizations, clients
from minato.auth.oauth_server.access import require_oauth_server
from minato.auth.oauth_server.authorizations import SCOPES, split_scopes
from minato.auth.oauth_server.clients import OAuthClient
from minato.auth.request.context import Transaction
from minato.auth.request.response import Response
from minato.auth.wire.errors import AuthError, invalid
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

"""GET /oauth/authorize: a client's user arrives and is sent to the page that asks for consent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from urllib.parse import urlsplit
from uuid import UUID

from sqlalchemy import RowMapping

from minato.auth.call import Answer, Call
from minato.auth.errors import AuthError, invalid
from minato.auth.oauth_server import authorizations, clients
from minato.auth.oauth_server.authorizations import SCOPES, split_scopes
from minato.auth.oauth_server.feature import require_oauth_server
from minato.auth.redirects import with_query

OPTIONAL = ("state", "resource", "nonce")
# as long as their columns
LONGEST = {"redirect_uri": 2048, "scope": 4096, "state": 4096, "resource": 2048, "nonce": 255}


async def oauth_authorize(call: Call) -> Answer:
    require_oauth_server(call)
    client = await _client(call)
    redirect_uri, state = call.query["redirect_uri"], call.query.get("state", "")
    scope = call.query.get("scope") or call.settings.oauth_server_default_scope
    reason = _why_invalid(call.query, scope)
    if reason:
        values = {"error": "invalid_request", "error_description": reason, **({"state": state} if state else {})}
        return _redirect(with_query(redirect_uri, values))
    authorization_id = call.backend.entropy.base32(32)
    await authorizations.create(
        call.db,
        call.backend.entropy.uuid4(),
        authorization_id=authorization_id,
        client_id=client["id"],
        redirect_uri=redirect_uri,
        scope=scope,
        code_challenge=call.query["code_challenge"],
        code_challenge_method=call.query["code_challenge_method"].lower(),
        created_at=call.now,
        expires_at=call.now + timedelta(seconds=call.settings.oauth_server_authorization_ttl),
        **{name: call.query.get(name) or None for name in OPTIONAL},
    )
    page = f"{call.site_url}/{call.settings.oauth_server_authorization_path.lstrip('/')}"
    return _redirect(f"{page}?authorization_id={authorization_id}")


async def _client(call: Call) -> RowMapping:
    """The client, and certainty that the redirect is its own: only then may errors travel there."""
    for name in ("client_id", "redirect_uri"):
        if not call.query.get(name):
            raise invalid(f"{name} is required")
    try:
        client_id = UUID(call.query["client_id"])
    except ValueError as error:
        raise AuthError(400, "oauth_client_not_found", "invalid client_id format") from error
    client = await clients.find(call.db, client_id)
    if client is None:
        raise AuthError(400, "oauth_client_not_found", "invalid client_id")
    if call.query["redirect_uri"] not in clients.redirect_uris(client):
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


def _redirect(location: str) -> Answer:
    return Answer(status=302, headers={"Location": location})

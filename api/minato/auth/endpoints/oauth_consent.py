"""GET /oauth/authorizations/{id} and POST …/consent: what a client asks for, and the user's decision.

The first look binds the request to the user who looks; an earlier consent to the same scopes decides at once.
"""

from __future__ import annotations

from minato.auth.oauth_server import authorizations, clients
from minato.auth.oauth_server.access import require_oauth_server, require_own_origin
from minato.auth.oauth_server.authorizations import Authorization, split_scopes
from minato.auth.request.context import Transaction
from minato.auth.request.response import Response
from minato.auth.sessions.authentication import Authenticated, require_user
from minato.auth.wire.body import parse_json
from minato.auth.wire.errors import AuthError, CommittedError, invalid
from minato.auth.wire.redirects import with_query


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
    ids = (tx.backend.entropy.uuid4(), who.user.id, authorization.client_id)
    await authorizations.give_consent(tx.db, *ids, scopes, tx.now)
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
    consent = await authorizations.consent_of(tx.db, who.user.id, authorization.client_id)
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

"""POST /oauth/token: a client, authenticated as it is registered for, trades its user's code or a refresh token."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from minato.auth.grants.refresh_token import refresh
from minato.auth.oauth_server import authorizations, clients
from minato.auth.oauth_server.access import require_oauth_server
from minato.auth.oauth_server.authorizations import Authorization, split_scopes
from minato.auth.oauth_server.clients import OAuthClient
from minato.auth.oauth_server.userinfo import id_token_claims
from minato.auth.request.context import ReadTransaction, Transaction
from minato.auth.request.response import Response
from minato.auth.rows import users
from minato.auth.rows.flow_states import challenge_matches
from minato.auth.rows.users import User
from minato.auth.sessions.sign_in import SessionClient, start_session
from minato.auth.wire.body import parse_form, parse_json
from minato.auth.wire.errors import AuthError, OAuthError

METHOD = "oauth_provider/authorization_code"


async def oauth_token(tx: Transaction) -> Response:
    require_oauth_server(tx)
    client = await require_client(tx)
    try:
        params = read_params(tx)
    except ValueError as error:
        raise OAuthError("invalid_request", "Invalid JSON body") from error
    grant = params.get("grant_type", "")
    if not grant:
        raise OAuthError("invalid_request", "grant_type is required")
    if grant not in clients.grant_types(client):
        raise OAuthError("unsupported_grant_type", f"Client is not allowed to use grant type: {grant}")
    if grant == "refresh_token":
        return await _refresh(tx, client, params)
    return await _redeem(tx, client, params)


async def _refresh(tx: Transaction, client: OAuthClient, params: Mapping[str, str]) -> Response:
    if not params.get("refresh_token"):
        raise OAuthError("invalid_request", "refresh_token is required for refresh_token grant")
    answer = await refresh(tx, params["refresh_token"], client.id)
    return Response(_token_json(answer.body), headers=answer.headers)


async def _redeem(tx: Transaction, client: OAuthClient, params: Mapping[str, str]) -> Response:
    if not params.get("code"):
        raise OAuthError("invalid_request", "code is required for authorization_code grant")
    authorization = await authorizations.lock_approved(tx.db, params["code"])
    if authorization is None:
        raise _refused("Invalid authorization code")
    _require_fitting(tx, client, params, authorization)
    user = await _user(tx, authorization)
    await tx.record(user, "login", provider_type="oauth_provider_authorization_code", client_id=str(client.id))
    body, headers = await start_session(tx, user, METHOD, SessionClient(client.id, authorization.scope))
    await authorizations.remove(tx.db, authorization.id)
    answered = _token_json(body)
    signing = tx.backend.keys.signing_key
    scopes = split_scopes(authorization.scope)
    # Nobody but this server can check a shared secret's signature.
    if "openid" in scopes and signing is not None and signing.algorithm != "HS256":
        issued_at = int(tx.now.timestamp())
        user = await users.find(tx.db, user.id) or user
        claims = id_token_claims(user, str(client.id), tx.issuer, authorization.nonce, scopes, issued_at)
        answered["id_token"] = tx.backend.keys.sign(claims)
    return Response(dict(sorted(answered.items())), headers=headers)


def _require_fitting(
    tx: Transaction, client: OAuthClient, params: Mapping[str, str], authorization: Authorization
) -> None:
    """The code is fresh, this client's, and comes with what was promised when it was asked for."""
    if authorization.expires_at < tx.now:
        raise _refused("Authorization code has expired")
    if authorization.client_id != client.id:
        raise _refused("Authorization code was not issued for this client")
    resource, redirect_uri = params.get("resource"), params.get("redirect_uri")
    if resource and resource != (authorization.resource or ""):
        raise _refused("Authorization code resource does not match the resource parameter")
    if redirect_uri and redirect_uri != authorization.redirect_uri:
        raise _refused("Invalid redirect_uri")
    verifier, challenge = params.get("code_verifier", ""), authorization.code_challenge
    if challenge and not verifier:
        raise _refused("PKCE verification failed: code_verifier is required when PKCE challenge is present")
    if challenge and not challenge_matches(authorization.code_challenge_method, challenge, verifier):
        reason = "code challenge does not match previously saved code verifier"
        raise _refused(f"PKCE verification failed: {reason}")


async def _user(tx: Transaction, authorization: Authorization) -> User:
    if authorization.user_id is None:
        raise _refused("Authorization code has no associated user")
    user = await users.find(tx.db, authorization.user_id)
    if user is None:
        raise _refused("User not found for authorization code")
    if user.is_banned(tx.now):
        raise OAuthError("access_denied", "User is banned")
    return user


def _token_json(session: Mapping[str, object]) -> dict[str, object]:
    return {name: session[name] for name in ("access_token", "expires_in", "refresh_token", "token_type")}


def _refused(description: str) -> OAuthError:
    return OAuthError("invalid_grant", description)


@dataclass(frozen=True)
class Credentials:
    client_id: str
    secret: str = field(repr=False)
    method: str


def read_params(tx: ReadTransaction) -> Mapping[str, str]:
    """The parameters of a token request, form or JSON. Raises ValueError on broken JSON."""
    if "application/json" in tx.headers.get("content-type", ""):
        try:
            document = parse_json(tx.body)
        except AuthError as error:
            raise ValueError("JSON") from error
        if not isinstance(document, dict) or not all(isinstance(value, str | None) for value in document.values()):
            raise ValueError("JSON")
        return {name: value for name, value in document.items() if value is not None}
    return {**tx.query, **parse_form(tx.body)}


async def require_client(tx: ReadTransaction) -> OAuthClient:
    """The authenticated client; 400 invalid_credentials."""
    given = _credentials(tx)
    try:
        client_id = UUID(given.client_id)
    except ValueError as error:
        raise _unknown_client("Invalid client_id format") from error
    client = await clients.find(tx.db, client_id)
    if client is None:
        raise _unknown_client("Invalid client credentials")
    registered = client.token_endpoint_auth_method
    if given.method != registered:
        reason = f"client is registered for '{registered}' but '{given.method}' was used"
        raise _unknown_client(f"invalid authentication method: {reason}")
    if client.client_type == "public":
        if given.secret:
            raise _unknown_client("public clients must not provide client_secret")
    elif not given.secret:
        raise _unknown_client("confidential clients must provide client_secret")
    elif not clients.secret_matches(client, given.secret):
        raise _unknown_client("invalid client credentials")
    return client


def _credentials(tx: ReadTransaction) -> Credentials:
    header = tx.headers.get("authorization", "")
    if header.startswith("Basic "):
        return _basic(header.removeprefix("Basic "))
    try:
        params = read_params(tx)
    except ValueError as error:
        raise _unknown_client("Invalid client credentials: failed to parse JSON body") from error
    client_id, secret = params.get("client_id", ""), params.get("client_secret", "")
    if not client_id:
        raise _unknown_client("Invalid client credentials: client_id is required")
    return Credentials(client_id, secret, "client_secret_post" if secret else "none")


def _basic(encoded: str) -> Credentials:
    try:
        decoded = base64.b64decode(encoded, validate=True).decode()
    except (binascii.Error, ValueError) as error:
        raise _unknown_client("Invalid client credentials: invalid basic auth encoding") from error
    client_id, colon, secret = decoded.partition(":")
    if not colon:
        raise _unknown_client("Invalid client credentials: invalid basic auth format")
    return Credentials(client_id, secret, "client_secret_basic")


def _unknown_client(message: str) -> AuthError:
    return AuthError(400, "invalid_credentials", message)

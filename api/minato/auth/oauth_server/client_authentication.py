"""Which client asks for tokens: by Basic, form or JSON, and only in the way it is registered for."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl
from uuid import UUID

from minato.auth.oauth_server import clients
from minato.auth.oauth_server.clients import OAuthClient
from minato.auth.request.context import ReadTransaction
from minato.auth.wire.body import parse_json
from minato.auth.wire.errors import AuthError


@dataclass(frozen=True)
class Credentials:
    client_id: str
    secret: str
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
    posted = tx.body.decode("utf-8", "replace").replace("\0", "")
    return {**tx.query, **dict(parse_qsl(posted, keep_blank_values=True))}


async def require_client(tx: ReadTransaction) -> OAuthClient:
    """The authenticated client; 400 invalid_credentials."""
    given = _credentials(tx)
    try:
        client_id = UUID(given.client_id)
    except ValueError as error:
        raise _refused("Invalid client_id format") from error
    client = await clients.find(tx.db, client_id)
    if client is None:
        raise _refused("Invalid client credentials")
    registered = client.token_endpoint_auth_method
    if given.method != registered:
        reason = f"client is registered for '{registered}' but '{given.method}' was used"
        raise _refused(f"invalid authentication method: {reason}")
    if client.client_type == "public":
        if given.secret:
            raise _refused("public clients must not provide client_secret")
    elif not given.secret:
        raise _refused("confidential clients must provide client_secret")
    elif not clients.secret_matches(client, given.secret):
        raise _refused("invalid client credentials")
    return client


def _credentials(tx: ReadTransaction) -> Credentials:
    header = tx.headers.get("authorization", "")
    if header.startswith("Basic "):
        return _basic(header.removeprefix("Basic "))
    try:
        params = read_params(tx)
    except ValueError as error:
        raise _refused("Invalid client credentials: failed to parse JSON body") from error
    client_id, secret = params.get("client_id", ""), params.get("client_secret", "")
    if not client_id:
        raise _refused("Invalid client credentials: client_id is required")
    return Credentials(client_id, secret, "client_secret_post" if secret else "none")


def _basic(encoded: str) -> Credentials:
    try:
        decoded = base64.b64decode(encoded, validate=True).decode()
    except (binascii.Error, ValueError) as error:
        raise _refused("Invalid client credentials: invalid basic auth encoding") from error
    client_id, colon, secret = decoded.partition(":")
    if not colon:
        raise _refused("Invalid client credentials: invalid basic auth format")
    return Credentials(client_id, secret, "client_secret_basic")


def _refused(message: str) -> AuthError:
    return AuthError(400, "invalid_credentials", message)

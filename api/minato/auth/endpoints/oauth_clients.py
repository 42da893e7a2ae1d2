"""/admin/oauth/clients and POST /oauth/clients/register: applications, entered by an administrator or by themselves.

What they are registered with and changed to is checked in GoTrue's order (internal/api/oauthserver/service.go).
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit
from uuid import UUID

from minato.auth.oauth_server import authorizations, clients
from minato.auth.oauth_server.access import require_oauth_server
from minato.auth.oauth_server.clients import METHODS, OAuthClient, client_json
from minato.auth.request.context import ReadTransaction, Transaction
from minato.auth.request.response import Response
from minato.auth.rows import sessions
from minato.auth.sessions.authentication import require_admin
from minato.auth.wire.body import parse_json
from minato.auth.wire.errors import AuthError, invalid
from minato.auth.wire.redirects import is_request_uri
from minato.json_text import JsonMapping, JsonObject

ALL_METHODS = ("none", "client_secret_basic", "client_secret_post")
GRANT_TYPES = ("authorization_code", "refresh_token")
DANGEROUS = frozenset({"javascript", "data", "file", "vbscript", "about", "blob"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
LISTS = ("redirect_uris", "grant_types")
TEXTS = ("client_type", "token_endpoint_auth_method", "client_name", "client_uri", "logo_uri")


async def list_clients(tx: ReadTransaction) -> Response:
    await _require_admin(tx)
    found = [client_json(client) for client in await clients.find_all(tx.db)]
    return Response({"clients": found} if found else {})


async def create_client(tx: Transaction) -> Response:
    await _require_admin(tx)
    return await _register(tx, "manual")


async def register_client(tx: Transaction) -> Response:
    require_oauth_server(tx)
    if not tx.settings.oauth_server_allow_dynamic_registration:
        message = "Dynamic client registration is not enabled"
        raise AuthError(403, "oauth_dynamic_client_registration_disabled", message)
    return await _register(tx, "dynamic")


async def get_client(tx: ReadTransaction) -> Response:
    await _require_admin(tx)
    return Response(client_json(await _client(tx)))


async def put_client(tx: Transaction) -> Response:
    await _require_admin(tx)
    client = await _client(tx)
    given = {name: value for name, value in read_client(tx.body).items() if name != "client_type"}
    check_change(given, client.client_type)
    return Response(client_json(await clients.change(tx.db, client.id, tx.now, **_columns(given))))


async def delete_client(tx: Transaction) -> Response:
    await _require_admin(tx)
    client = await _client(tx)
    await clients.change(tx.db, client.id, tx.now, deleted_at=tx.now)
    # Before the sessions: a code that is being traded this moment leads to one that has to end, too.
    authorizations.forget_all_codes(tx.db, client.id)
    sessions.end_all_of_client(tx.db, client.id)
    return Response(status=204)


async def regenerate_secret(tx: Transaction) -> Response:
    await _require_admin(tx)
    client = await _client(tx)
    if client.client_type == "public":
        raise invalid("Cannot regenerate secret for public client")
    secret = clients.new_secret(tx.backend.entropy)
    values = {"client_secret_hash": clients.hash_secret(secret)}
    return Response(client_json(await clients.change(tx.db, client.id, tx.now, **values), secret))


async def _require_admin(tx: ReadTransaction) -> None:
    await require_admin(tx)
    require_oauth_server(tx)


async def _client(tx: ReadTransaction) -> OAuthClient:
    try:
        client_id = UUID(tx.path_params["id"])
    except ValueError as error:
        raise invalid("invalid client_id format") from error
    client = await clients.find(tx.db, client_id)
    if client is None:
        raise AuthError(404, "oauth_client_not_found", "OAuth client not found")
    return client


async def _register(tx: Transaction, registration_type: str) -> Response:
    given = read_client(tx.body)
    check_registration(given)
    given = {name: value for name, value in given.items() if value}
    method = given.get("token_endpoint_auth_method", "")
    kind = given.setdefault("client_type", type_of(method))
    given.setdefault("token_endpoint_auth_method", METHODS[kind][0])
    given.setdefault("grant_types", list(GRANT_TYPES))
    secret = clients.new_secret(tx.backend.entropy) if kind == "confidential" else ""
    values = {**_columns(given), "client_secret_hash": clients.hash_secret(secret) if secret else ""}
    client_id = tx.backend.entropy.uuid4()
    client = await clients.create(tx.db, client_id, tx.now, registration_type=registration_type, **values)
    return Response(client_json(client, secret), 201)


def _columns(given: dict[str, object]) -> dict[str, object]:
    return {name: ",".join(value) if isinstance(value, list) else value for name, value in given.items()}


def read_client(body: bytes) -> JsonObject:
    """The given fields of a client: lists of texts and texts. 400 bad_json for anything else."""
    try:
        document = parse_json(body)
    except AuthError as error:
        raise _bad_json() from error
    if not isinstance(document, Mapping | None):
        raise _bad_json()
    given = {name: value for name in (*LISTS, *TEXTS) if (value := (document or {}).get(name)) is not None}
    for name, value in given.items():
        is_list = isinstance(value, list) and all(isinstance(item, str) for item in value)
        if not (is_list if name in LISTS else isinstance(value, str)):
            raise _bad_json()
    return given


def check_registration(given: JsonMapping) -> None:
    """Refuses what cannot be registered; GoTrue wraps these errors in one another, so their status is in the text."""
    try:
        if not given.get("redirect_uris"):
            raise invalid("redirect_uris is required")
        _check({name: value for name, value in given.items() if value})
        kind, method = given.get("client_type", ""), given.get("token_endpoint_auth_method", "")
        if kind and kind not in METHODS:
            raise invalid("client_type must be 'public' or 'confidential'")
        if method and method not in ALL_METHODS:
            raise invalid(f"token_endpoint_auth_method must be one of: [{' '.join(ALL_METHODS)}]")
        expected = type_of(method)
        if kind and method and kind != expected:
            consequence = f"is inconsistent with token_endpoint_auth_method '{method}'"
            raise invalid(f"client_type '{kind}' {consequence} (expected client_type '{expected}')")
    except AuthError as error:
        raise invalid(f"400: {error.message}") from error


def check_change(given: Mapping[str, object], client_type: str) -> None:
    """Refuses what a client of this type cannot become."""
    if not given:
        raise invalid("No fields provided for update")
    _check(given)
    method = given.get("token_endpoint_auth_method")
    if method is not None and method not in ALL_METHODS:
        raise invalid(f"invalid token_endpoint_auth_method: must be one of [{' '.join(ALL_METHODS)}]")
    if method is not None and method not in METHODS[client_type]:
        valid = f"valid methods: [{' '.join(METHODS[client_type])}]"
        raise invalid(f"token_endpoint_auth_method '{method}' is not valid for client_type '{client_type}'; {valid}")


def type_of(method: str) -> str:
    """Who authenticates by no secret cannot keep one."""
    return "public" if method == "none" else "confidential"


def _check(given: JsonMapping) -> None:
    if "redirect_uris" in given:
        _check_redirects(given["redirect_uris"])
    if "grant_types" in given:
        if not given["grant_types"]:
            raise invalid("grant_types cannot be empty")
        if any(name not in GRANT_TYPES for name in given["grant_types"]):
            raise invalid("grant_types must only contain 'authorization_code' and/or 'refresh_token'")
    if len(given.get("client_name", "").encode()) > 1024:
        raise invalid("client_name cannot exceed 1024 characters")
    for name in ("client_uri", "logo_uri"):
        uri = given.get(name, "")
        if len(uri.encode()) > 2048:
            raise invalid(f"{name} cannot exceed 2048 characters")
        if uri and not is_request_uri(uri):
            raise invalid(f"{name} must be a valid URL")


def _check_redirects(uris: list[str]) -> None:
    if not uris:
        raise invalid("redirect_uris cannot be empty")
    if len(uris) > 10:
        raise invalid("redirect_uris cannot exceed 10 items")
    for uri in uris:
        reason = _why_no_redirect(uri)
        if reason:
            raise invalid(f"invalid redirect_uri '{uri}': {reason}")


def _why_no_redirect(uri: str) -> str:
    if not uri:
        return "redirect URI cannot be empty"
    try:
        parts = urlsplit(uri)
        host = parts.hostname
    except ValueError:
        return "invalid URL format"
    # A comma would make two of it where they are kept; a control character is none of a URL.
    if "," in uri or any(ord(character) < 33 or ord(character) == 127 for character in uri):
        return "invalid URL format"
    if not parts.scheme or not parts.netloc:
        return "must have scheme and host"
    if parts.scheme.lower() in DANGEROUS:
        return f"scheme '{parts.scheme}' is not allowed for security reasons"
    if parts.scheme == "http" and host not in LOOPBACK:
        return "HTTP scheme only allowed for localhost"
    return "fragment not allowed in redirect URI" if parts.fragment else ""


def _bad_json() -> AuthError:
    return AuthError(400, "bad_json", "Invalid JSON body")

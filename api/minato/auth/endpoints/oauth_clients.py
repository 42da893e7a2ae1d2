"""/admin/oauth/clients and POST /oauth/clients/register: applications, entered by an administrator or by themselves."""

from __future__ import annotations

from uuid import UUID

from minato.auth.oauth_server import clients
from minato.auth.oauth_server.access import require_oauth_server
from minato.auth.oauth_server.client_params import GRANT_TYPES, check_change, check_registration, read_client, type_of
from minato.auth.oauth_server.clients import METHODS, OAuthClient, client_json
from minato.auth.request.context import ReadTransaction, Transaction
from minato.auth.request.response import Response
from minato.auth.sessions.authentication import require_admin
from minato.auth.wire.errors import AuthError, invalid


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

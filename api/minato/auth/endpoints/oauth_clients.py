"""/admin/oauth/clients and POST /oauth/clients/register: applications, entered by an administrator or by themselves."""

from __future__ import annotations

from uuid import UUID

from minato.auth.oauth_server import clients
from minato.auth.oauth_server.access import require_oauth_server
from minato.auth.oauth_server.client_params import GRANT_TYPES, check_change, check_registration, read_client, type_of
from minato.auth.oauth_server.clients import METHODS, OAuthClient, client_json
from minato.auth.request.call import Answer, Call
from minato.auth.sessions.authentication import require_admin
from minato.auth.wire.errors import AuthError, invalid


async def list_clients(call: Call) -> Answer:
    await _require_admin(call)
    found = [client_json(client) for client in await clients.find_all(call.db)]
    return Answer({"clients": found} if found else {})


async def create_client(call: Call) -> Answer:
    await _require_admin(call)
    return await _register(call, "manual")


async def register_client(call: Call) -> Answer:
    require_oauth_server(call)
    if not call.settings.oauth_server_allow_dynamic_registration:
        message = "Dynamic client registration is not enabled"
        raise AuthError(403, "oauth_dynamic_client_registration_disabled", message)
    return await _register(call, "dynamic")


async def get_client(call: Call) -> Answer:
    await _require_admin(call)
    return Answer(client_json(await _client(call)))


async def put_client(call: Call) -> Answer:
    await _require_admin(call)
    client = await _client(call)
    given = {name: value for name, value in read_client(call.body).items() if name != "client_type"}
    check_change(given, client.client_type)
    return Answer(client_json(await clients.change(call.db, client.id, call.now, **_columns(given))))


async def delete_client(call: Call) -> Answer:
    await _require_admin(call)
    client = await _client(call)
    await clients.change(call.db, client.id, call.now, deleted_at=call.now)
    return Answer(status=204)


async def regenerate_secret(call: Call) -> Answer:
    await _require_admin(call)
    client = await _client(call)
    if client.client_type == "public":
        raise invalid("Cannot regenerate secret for public client")
    secret = clients.new_secret(call.backend.entropy)
    values = {"client_secret_hash": clients.hash_secret(secret)}
    return Answer(client_json(await clients.change(call.db, client.id, call.now, **values), secret))


async def _require_admin(call: Call) -> None:
    await require_admin(call)
    require_oauth_server(call)


async def _client(call: Call) -> OAuthClient:
    try:
        client_id = UUID(call.request.path_params["id"])
    except ValueError as error:
        raise invalid("invalid client_id format") from error
    client = await clients.find(call.db, client_id)
    if client is None:
        raise AuthError(404, "oauth_client_not_found", "OAuth client not found")
    return client


async def _register(call: Call, registration_type: str) -> Answer:
    given = read_client(call.body)
    check_registration(given)
    given = {name: value for name, value in given.items() if value}
    method = given.get("token_endpoint_auth_method", "")
    kind = given.setdefault("client_type", type_of(method))
    given.setdefault("token_endpoint_auth_method", METHODS[kind][0])
    given.setdefault("grant_types", list(GRANT_TYPES))
    secret = clients.new_secret(call.backend.entropy) if kind == "confidential" else ""
    values = {**_columns(given), "client_secret_hash": clients.hash_secret(secret) if secret else ""}
    client_id = call.backend.entropy.uuid4()
    client = await clients.create(call.db, client_id, call.now, registration_type=registration_type, **values)
    return Answer(client_json(client, secret), 201)


def _columns(given: dict[str, object]) -> dict[str, object]:
    return {name: ",".join(value) if isinstance(value, list) else value for name, value in given.items()}

"""Before the websocket: protocol version, API key, room for one more. A refusal is an HTTP answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs

import orjson

from minato.http.asgi import JSON, Scope, Send, header_map
from minato.http.client_address import client_subscriber
from minato.realtime.access_token import TokenRefused
from minato.realtime.errors import HandshakeRefused
from minato.realtime.payloads import OPAQUE_KEY
from minato.realtime.serializer import SERIALIZERS, Serializer
from minato.realtime.services import Services
from minato.tokens.api_keys import ApiKeys

DEFAULT_VERSION = "1.0.0"
BEARER = "bearer "


@dataclass(frozen=True)
class Handshake:
    """What an accepted handshake settled: the wire format, the API key's JWT, the `x-…` headers, the address."""

    serializer: Serializer
    api_token: str = field(repr=False)
    headers: Mapping[str, str]
    address: str


def shake_hands(services: Services, keys: ApiKeys, scope: Scope) -> Handshake:
    """Judge a websocket request. Raises HandshakeRefused."""
    headers = header_map(scope)
    query = {name: values[0] for name, values in parse_qs(scope["query_string"].decode("latin-1")).items()}
    serializer = SERIALIZERS.get(query.get("vsn", DEFAULT_VERSION))
    if serializer is None:
        raise HandshakeRefused(403, None)
    key = headers.get("x-api-key") or query.get("apikey") or _bearer(headers)
    if not key:
        raise HandshakeRefused(401, "API key is missing")
    token = (keys.jwt_for(key) or key) if key.startswith(OPAQUE_KEY) else key
    try:
        services.tokens.verify(token)
    except TokenRefused as refusal:
        raise HandshakeRefused(401, refusal.handshake) from refusal
    if services.limits.sockets >= services.settings.max_concurrent_users:
        raise HandshakeRefused(429, "Too many connected users")
    address = client_subscriber(scope)
    if services.limits.by_address[address] >= services.settings.max_sockets_per_address:
        raise HandshakeRefused(429, "Too many connected users")
    if services.limits.joins.exceeded:
        raise HandshakeRefused(429, "Too many joins per second")
    own = {name: value for name, value in headers.items() if name.startswith("x-")}
    return Handshake(serializer, token, own, address)


async def refuse(scope: Scope, send: Send, refusal: HandshakeRefused) -> None:
    """Answer with HTTP; a server that can't do that closes, which clients see as 403."""
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008})
        return
    body = b"" if refusal.message is None else orjson.dumps({"error": refusal.message})
    headers = [JSON, (b"content-length", str(len(body)).encode())]
    await send({"type": "websocket.http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body})


def _bearer(headers: Mapping[str, str]) -> str:
    value = headers.get("authorization", "")
    return value[len(BEARER) :] if value.lower().startswith(BEARER) else ""

"""A small OpenID provider on loopback: real HTTP, real keys, and a person who always says yes.

It also answers wherever else providers do, so that each record meets a real server too. Give it a
certificate (`tests.support.tls`) and it speaks https.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode

import uvicorn
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from fastapi import FastAPI, Request
from jose import jwk, jws
from minato.auth.providers.exchange import sign
from minato.clock import Clock
from minato.entropy import Entropy
from starlette.responses import JSONResponse, RedirectResponse, Response

from tests.support.prompt_server import PromptServer
from tests.support.server import KEPT_SECONDS

CLIENT_ID, CLIENT_SECRET = "harbour", "harbour-secret"
_PEM = (Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())


@dataclass
class OIDCProvider:
    """The provider. `person` is who signs in there; `emails` what GitHub and GitLab tell of them.

    `endpoints` replace those of the discovery document, which was asked for `discoveries` times; `documents` is what an
    access token is told at a path, `open_documents` what anybody is; `told_with_token` is beside the tokens. `heard`
    are the paths that were asked, with the headers.
    """

    url: str
    clock: Clock
    person: dict[str, Any]
    endpoints: dict[str, str] = field(default_factory=dict)
    emails: list[dict[str, Any]] = field(default_factory=list)
    sends_id_token: bool = True
    documents: dict[str, Any] = field(default_factory=dict)
    told_with_token: dict[str, Any] = field(default_factory=dict)
    refuses_header: bool = False
    heard: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    issued: dict[str, dict[str, str]] = field(default_factory=dict)
    seen: list[dict[str, str]] = field(default_factory=list)
    discoveries: int = 0
    open_documents: dict[str, Any] = field(default_factory=dict)
    entropy: Entropy = field(default_factory=Entropy)

    def __post_init__(self) -> None:
        self.rotate()

    def rotate(self) -> None:
        """Another key, under another id."""
        private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.kid = self.entropy.base32(8)
        self.key = jwk.construct(private.private_bytes(*_PEM).decode(), "RS256")

    @property
    def keys(self) -> list[dict[str, Any]]:
        public = {
            name: value.decode() if isinstance(value, bytes) else value
            for name, value in self.key.public_key().to_dict().items()
        }
        return [{**public, "kid": self.kid, "use": "sig"}]

    def id_token(self, **claims: Any) -> str:
        """A signed token for the person; `claims` replace its own."""
        now = int(self.clock.timestamp())
        known = {"iss": self.url, "aud": CLIENT_ID, "iat": now, "exp": now + 600, **self.person, **claims}
        payload = {name: value for name, value in known.items() if value is not None}
        return str(jws.sign(payload, self.key, headers={"kid": self.kid}, algorithm="RS256"))

    def discovery(self) -> dict[str, Any]:
        self.discoveries += 1
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "jwks_uri": f"{self.url}/jwks",
            **self.endpoints,
        }

    async def anything(self, request: Request) -> Response:
        """What is asked, told by how it is asked."""
        if request.url.path in self.open_documents:
            return JSONResponse(self.open_documents[request.url.path])
        if request.headers.get("authorization", "").startswith("OAuth "):
            return await self.signed(request)
        if request.method == "POST":
            return await self.token(request)
        if "oauth_token" in request.query_params:
            return self.authenticate(request)
        if "client_id" in request.query_params:
            return await self.authorize(request)
        known = request.url.path in self.documents
        return await self.tell(request) if known else JSONResponse({"message": "Not Found"}, 404)

    async def signed(self, request: Request) -> Response:
        """OAuth 1.0a: a token to leave with, a token for what came back, and the person."""
        path, given = request.url.path, oauth1_fields(request.headers["authorization"])
        self.heard.append((path, dict(request.headers)))
        secrets = {"request-token": "", "provider-access": "access-secret"}
        params = {**given, **dict(request.query_params)}
        signature = params.pop("oauth_signature")
        key = f"{CLIENT_SECRET}&{secrets.get(given.get('oauth_token', ''), '')}"
        if signature != sign(request.method, f"{self.url}{path}", params, key):
            return JSONResponse({"errors": [{"code": 32}]}, 401)
        if request.method == "GET":
            return JSONResponse(self.documents[path])
        if "oauth_callback" in given:
            self.issued["request-token"] = given
            return Response("oauth_token=request-token&oauth_token_secret=x", media_type="text/html")
        proven = self.issued.pop(given["oauth_token"], None) and given["oauth_verifier"] == "proof"
        answer = "oauth_token=provider-access&oauth_token_secret=access-secret"
        return Response(answer, media_type="text/html") if proven else JSONResponse({}, 401)

    def authenticate(self, request: Request) -> Response:
        """Back to where the request token was asked for."""
        self.heard.append((request.url.path, dict(request.headers)))
        token = request.query_params["oauth_token"]
        back = self.issued[token]["oauth_callback"]
        return RedirectResponse(f"{back}&{urlencode({'oauth_token': token, 'oauth_verifier': 'proof'})}", 302)

    async def authorize(self, request: Request) -> Response:
        self.heard.append((request.url.path, dict(request.headers)))
        query = dict(request.query_params)
        self.seen.append(query)
        code = self.entropy.base32(20)
        self.issued[code] = query
        back = {"code": code, "state": query["state"]}
        return RedirectResponse(f"{query['redirect_uri']}?{urlencode(back)}", 302)

    async def token(self, request: Request) -> Response:
        self.heard.append((request.url.path, dict(request.headers)))
        form = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
        if self.refuses_header and "authorization" in request.headers:
            return JSONResponse({"error": "invalid_client"}, 401)
        basic = request.headers.get("authorization", "").removeprefix("Basic ")
        given = base64.b64decode(basic).decode() if basic else f"{form.get('client_id')}:{form.get('client_secret')}"
        asked = self.issued.pop(form.get("code", ""), None)
        challenge = asked.get("code_challenge") if asked else None
        proven = challenge is None or challenge == _s256(form.get("code_verifier", ""))
        same = asked is not None and asked["redirect_uri"] == form.get("redirect_uri")
        if given != f"{CLIENT_ID}:{CLIENT_SECRET}" or not proven or not same:
            return JSONResponse({"error": "invalid_grant"}, 400)
        answer: dict[str, Any] = {
            "access_token": "provider-access",
            "refresh_token": "provider-refresh",
            "token_type": "bearer",
        }
        answer |= self.told_with_token
        return JSONResponse({**answer, **({"id_token": self.id_token()} if self.sends_id_token else {})})

    async def tell(self, request: Request) -> Response:
        """Whatever an access token opens."""
        self.heard.append((request.url.path, dict(request.headers)))
        if request.headers.get("authorization") != "Bearer provider-access":
            return JSONResponse({"message": "Bad credentials"}, 401)
        if request.url.path in self.documents:
            return JSONResponse(self.documents[request.url.path])
        return JSONResponse(self.emails if request.url.path.endswith("/emails") else self.person)


def oauth1_fields(header: str) -> dict[str, str]:
    """The fields of an Authorization header of OAuth 1.0a."""
    pairs = (one.split("=", 1) for one in header.removeprefix("OAuth ").split(", "))
    return {name: unquote(value.strip('"')) for name, value in pairs}


def _s256(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


@asynccontextmanager
async def serving_provider(
    clock: Clock, certificate: Path | None = None, port: int = 0, **person: Any
) -> AsyncIterator[OIDCProvider]:
    """The provider until the block ends, at a free port unless one is named; `person` is who signs in."""
    listener = socket.create_server(("127.0.0.1", port))
    # uvicorn sends a head and its body apart; its connections have this from here.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    scheme, host = ("https", "localhost") if certificate else ("http", "127.0.0.1")
    provider = OIDCProvider(f"{scheme}://{host}:{listener.getsockname()[1]}", clock, person)
    app = FastAPI(openapi_url=None)
    for path in ("/authorize", "/login/oauth/authorize", "/oauth/authorize", "/protocol/openid-connect/auth"):
        app.add_route(path, provider.authorize)
    for path in ("/token", "/login/oauth/access_token", "/oauth/token", "/protocol/openid-connect/token"):
        app.add_route(path, provider.token, methods=["POST"])
    for path in ("/userinfo", "/api/v3/user", "/api/v3/user/emails", "/api/v4/user", "/api/v4/user/emails"):
        app.add_route(path, provider.tell)
    app.add_route("/protocol/openid-connect/userinfo", provider.tell)
    app.add_api_route("/.well-known/openid-configuration", provider.discovery)
    app.add_api_route("/jwks", lambda: {"keys": provider.keys})
    app.add_route("/{path:path}", provider.anything, methods=["GET", "POST"])
    config = uvicorn.Config(
        app, log_level="warning", lifespan="off", ssl_certfile=certificate, timeout_keep_alive=KEPT_SECONDS
    )
    server = PromptServer(config)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        if task.done():
            raise RuntimeError("the provider did not start") from task.exception()
        await asyncio.sleep(0.01)
    try:
        yield provider
    finally:
        server.end()
        await task

"""What providers answer, which is never trusted to be in time, small or JSON."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from urllib.parse import parse_qsl, quote_plus

import orjson

from minato.auth.providers.provider import BadStatus, ProviderError
from minato.http.outgoing import Outgoing, OutgoingError, Reply

SECONDS = 5.0


class Web:
    """The way to providers."""

    def __init__(self, outgoing: Outgoing) -> None:
        self._outgoing = outgoing

    async def get_json(self, url: str, access_token: str = "", headers: Mapping[str, str] | None = None) -> object:
        """The document at `url`. Raises ProviderError."""
        token = {"authorization": f"Bearer {access_token}"} if access_token else {}
        return _json(url, await self.get_bytes(url, "application/json", **token, **(headers or {})))

    async def get_bytes(self, url: str, accept: str, **headers: str) -> bytes:
        """What is at `url`. Raises ProviderError, BadStatus among them."""
        try:
            reply = await self._outgoing.get(url, headers={"accept": accept, **headers}, seconds=SECONDS)
        except OutgoingError as error:
            raise ProviderError(f"{url} cannot be reached: {error}") from error
        return _success(url, reply)

    async def post_form(self, url: str, form: Mapping[str, str], auth: tuple[str, str] | None = None) -> object:
        """The answer to a form, JSON or itself a form. Raises ProviderError."""
        headers = {"accept": "application/json"}
        if auth:
            headers["authorization"] = f"Basic {b64encode(':'.join(map(quote_plus, auth)).encode()).decode()}"
        try:
            reply = await self._outgoing.post(url, form=form, headers=headers, seconds=SECONDS)
        except OutgoingError as error:
            raise ProviderError(f"{url} cannot be reached: {error}") from error
        body = _success(url, reply)
        if reply.headers.get("content-type", "").startswith(("application/x-www-form-urlencoded", "text/plain")):
            return dict(parse_qsl(body.decode("utf-8", "replace")))
        return _json(url, body)

    async def post_signed(self, url: str, authorization: str) -> dict[str, str]:
        """The form that a request of nothing but this header is answered with. Raises ProviderError."""
        try:
            reply = await self._outgoing.post(url, headers={"authorization": authorization}, seconds=SECONDS)
        except OutgoingError as error:
            raise ProviderError(f"{url} cannot be reached: {error}") from error
        return dict(parse_qsl(_success(url, reply).decode("utf-8", "replace")))


def _success(url: str, reply: Reply) -> bytes:
    if not 200 <= reply.status < 300:
        raise BadStatus(url, reply.status)
    return reply.body


def _json(url: str, body: bytes) -> object:
    try:
        return orjson.loads(body)
    except ValueError as error:
        raise ProviderError(f"{url} did not answer JSON") from error

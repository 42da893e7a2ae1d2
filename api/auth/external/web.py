"""Speaking to providers over HTTP: bounded in time and size, and nothing they answer is trusted to be JSON."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote_plus

import orjson

from api.auth.external.provider import BadStatus, ProviderError

if TYPE_CHECKING:
    import httpx

TIMEOUT = 5.0
LARGEST = 1024 * 1024


class Web:
    """One HTTP client for every provider, opened by its first use."""

    def __init__(self) -> None:
        self._client: httpx.AsyncClient | None = None

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def get_json(self, url: str, access_token: str = "") -> Any:
        """The document at `url`. Raises ProviderError."""
        headers = {"accept": "application/json"}
        if access_token:
            headers["authorization"] = f"Bearer {access_token}"
        _, body = await self._send("GET", url, headers=headers)
        return _json(url, body)

    async def get_bytes(self, url: str, accept: str) -> bytes:
        """What is at `url`. Raises ProviderError, BadStatus among them."""
        return (await self._send("GET", url, headers={"accept": accept}))[1]

    async def post_form(self, url: str, form: Mapping[str, str], auth: tuple[str, str] | None = None) -> Any:
        """The answer to a form, JSON or itself a form. Raises ProviderError."""
        headers = {"accept": "application/json"}
        if auth:
            headers["authorization"] = f"Basic {b64encode(':'.join(map(quote_plus, auth)).encode()).decode()}"
        kind, body = await self._send("POST", url, data=form, headers=headers)
        if kind.startswith(("application/x-www-form-urlencoded", "text/plain")):
            return dict(parse_qsl(body.decode("utf-8", "replace")))
        return _json(url, body)

    async def _send(self, method: str, url: str, **options: Any) -> tuple[str, bytes]:
        import httpx  # 10 MB that a server without providers has no use for

        if self._client is None:
            self._client = httpx.AsyncClient(timeout=TIMEOUT, follow_redirects=False)
        try:
            async with self._client.stream(method, url, **options) as response:
                body = b""
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if len(body) > LARGEST:
                        raise ProviderError(f"{url} answered more than {LARGEST} bytes")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ProviderError(f"{url} cannot be reached: {type(error).__name__}") from error
        if not response.is_success:
            raise BadStatus(url, response.status_code)
        return response.headers.get("content-type", ""), body


def _json(url: str, body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except ValueError as error:
        raise ProviderError(f"{url} did not answer JSON") from error

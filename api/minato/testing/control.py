"""The control API of a server: JSON in and out, refusals as errors."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

# A JSON object.
Told = dict[str, Any]
# Longer than any call of the API may wait.
TIMEOUT = 90.0
OLDER = "This server does not know the call: it is older than this library, or one of production."
# What the environment says of proxies is not for a server of this machine.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class MinatoError(Exception):
    """What a call was refused with; `code` as the API's documentation lists them."""

    def __init__(self, status: int, code: str, message: str, hint: str | None = None, details: object = None) -> None:
        super().__init__(f"{message} {hint}" if hint else message)
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
        self.details = details


def call(method: str, url: str, body: Mapping[str, object] | None = None) -> Any:
    """The answer's JSON, None for an empty one. What is None in the body is not sent. Raises `MinatoError`."""
    headers = {"authorization": f"Bearer {token}"} if (token := os.environ.get("MINATO_DEV_TOKEN")) else {}
    data = None
    if body is not None:
        headers["content-type"] = "application/json"
        data = json.dumps({name: value for name, value in body.items() if value is not None}, default=str).encode()
    try:
        with _OPENER.open(urllib.request.Request(url, data, headers, method=method), timeout=TIMEOUT) as answer:
            text = answer.read()
    except urllib.error.HTTPError as error:
        with error:
            raise _refusal(f"{method} {url}", error.code, error.read().decode(errors="replace")) from None
    return json.loads(text) if text else None


def ask(method: str, url: str, body: Mapping[str, object] | None = None) -> Told:
    """The same, where the answer is an object."""
    told: Told = call(method, url, body)
    return told


def wish_to_keep() -> str:
    """Which branches stay when their tests have ended: those of `failed` ones, `all`, or none."""
    return os.environ.get("MINATO_KEEP", "")


def with_query(url: str, **asked: object) -> str:
    """The address with a query; without what is None."""
    given = {name: str(value) for name, value in asked.items() if value is not None}
    return f"{url}?{urlencode(given)}" if given else url


def _refusal(asked: str, status: int, text: str) -> MinatoError:
    try:
        told = json.loads(text)
    except ValueError:
        told = None
    told = told if isinstance(told, dict) else {}
    code = str(told.get("code") or ("no_such_endpoint" if status == 404 else "unexpected_answer"))
    hint = told.get("hint") or (OLDER if code == "no_such_endpoint" else None)
    return MinatoError(
        status, code, str(told.get("message") or f"{asked}: {status} {text[:200]}"), hint, told.get("details")
    )

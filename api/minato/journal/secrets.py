"""What is never shown of a request: keys, tokens, codes and passwords."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import orjson

HIDDEN: Final = "•••"
# By the names that auth, storage and their clients use.
_NAMES: Final = re.compile(
    r"(?:.*[_-])?(?:pass(?:word)?|passphrase|secret|token|nonce|code|otp|verifier|assertion|key|signature|credential)s?"
    r"(?:[_-]hash)?|apikey|action_link|signed_?url|hashed_token|x-amz-.*|access[_-]?key.*|samlresponse",
    re.I,
)
# What looks like a secret by its name, and is none.
_HARMLESS: Final = re.compile(r"error_code|status_?code|zip_?code|post(?:al)?_?code|country_?code|primary_?key", re.I)


def is_secret(name: str) -> bool:
    """Whether what goes by this name is hidden.

    >>> [is_secret(name) for name in ("password", "refresh_token", "apikey", "error_code", "email")]
    [True, True, True, False, False]
    """
    return bool(_NAMES.fullmatch(name)) and not _HARMLESS.fullmatch(name)


def shown_query(query: str) -> str:
    """A query string without the values of secrets.

    >>> shown_query("select=id&apikey=abc")
    'select=id&apikey=•••'
    """
    return "&".join(_shown_pair(pair) for pair in query.split("&"))


def _shown_pair(pair: str) -> str:
    name, equals, _ = pair.partition("=")
    return f"{name}={HIDDEN}" if equals and is_secret(name) else pair


def shown_address(url: str) -> str:
    """The address of another server, without a password in it and without its query.

    >>> shown_address("https://anna:secret@example.com/hook?token=abc")
    'https://example.com/hook'
    """
    return re.sub(r"//[^/]*@", "//", url.partition("?")[0])


def shown_json(body: bytes) -> bytes | None:
    """A JSON body without its secrets; None for what is no JSON.

    >>> shown_json(b'{"code": "123456"}').decode(), shown_json(b'{"code": "42501", "message": "denied"}').decode()
    ('{"code":"•••"}', '{"code":"42501","message":"denied"}')
    >>> shown_json(b'{"uri": "otpauth://totp/a?secret=abc"}').decode()
    '{"uri":"•••"}'
    """
    try:
        return orjson.dumps(_without_secrets(orjson.loads(body)))
    except (orjson.JSONDecodeError, RecursionError):
        return None


def _without_secrets(value: object) -> object:
    if isinstance(value, list):
        return [_without_secrets(each) for each in value]
    if not isinstance(value, dict):
        # What an authenticator app reads has its secret within.
        return HIDDEN if isinstance(value, str) and value.startswith("otpauth:") else value
    return {
        name: HIDDEN
        if is_secret(name) and each is not None and not _is_of_error(name, value)
        else _without_secrets(each)
        for name, each in value.items()
    }


def _is_of_error(name: str, around: Mapping[str, object]) -> bool:
    """Beside a message a code says which error it is; it opens nothing."""
    return name == "code" and ("message" in around or "msg" in around)

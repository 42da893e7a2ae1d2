"""The one place inside that SQL may call in production: this server's own functions, at the address the world has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import httpx

# A function's name, and behind it nothing that could lead out of it again.
_PATH: Final = re.compile(r"/functions/v1/[A-Za-z][A-Za-z0-9_-]*(?:/(?!\.{1,2}(?:/|$))[^/\\]*)*")
_DISGUISED: Final = re.compile(r"%(?:2e|2f|5c|00)", re.I)


def is_own_function(asked: httpx.URL, public: httpx.URL) -> bool:
    """Whether `asked` is a function of the server at `public`: the same scheme, host and port, and no name before it.

    >>> import httpx
    >>> public = httpx.URL("https://api.shop.example")
    >>> [is_own_function(httpx.URL(url), public) for url in (
    ...     "https://api.shop.example/functions/v1/hello?a=1", "https://API.shop.example:443/functions/v1/hello/deep",
    ...     "https://api.shop.example/rest/v1/cars", "https://api.shop.example/functions/v1/../../rest/v1",
    ...     "http://api.shop.example/functions/v1/hello", "https://api.shop.example@10.0.0.1/functions/v1/hello")]
    [True, True, False, False, False, False]
    """
    if (asked.scheme, asked.host, asked.port) != (public.scheme, public.host, public.port) or asked.userinfo:
        return False
    path = asked.raw_path.partition(b"?")[0].decode("ascii", "replace")
    prefix = public.path.rstrip("/")
    if not path.startswith(prefix) or _DISGUISED.search(path):
        return False
    return _PATH.fullmatch(path.removeprefix(prefix)) is not None

"""What the developer's commands ask the running server, with the token that opens its pages where there is one."""

from __future__ import annotations

from typing import Final

import httpx

from minato.cli.functions.project import FunctionsProject
from minato.cli.local.failures import CommandFailure
from minato.config import Settings

_SECONDS: Final = 10.0


def ask_developer(project: FunctionsProject, method: str, path: str, body: object = None) -> httpx.Response:
    """The answer below `/_dev/v1`, whatever it says. Raises `CommandFailure` without one."""
    assert project.state is not None
    token = Settings.of(project.state.settings).server.dev_token
    headers = {"authorization": f"Bearer {token.get_secret_value()}"} if token is not None else {}
    try:
        with httpx.Client(trust_env=False, timeout=_SECONDS, headers=headers) as client:
            url = f"{project.state.announcement['url']}/_dev/v1{path}"
            return client.request(method, url, json=body)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise CommandFailure(f"failed to ask the server: {str(error) or type(error).__name__}") from None

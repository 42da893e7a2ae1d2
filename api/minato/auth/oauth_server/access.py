"""Whether the OAuth server is on, and who may speak to its consent page's endpoints."""

from __future__ import annotations

from minato.auth.request.data import RequestData
from minato.auth.wire.errors import AuthError, invalid
from minato.auth.wire.redirects import is_allowed


def require_oauth_server(data: RequestData) -> None:
    """404 feature_disabled while it is off."""
    if not data.settings.oauth_server_enabled:
        raise AuthError(404, "feature_disabled", "OAuth server is disabled")


def require_own_origin(data: RequestData) -> None:
    """A browser's page must be one that redirects may lead to; who sends no Origin is no page."""
    origin = data.headers.get("origin", "")
    if origin and not is_allowed(origin, data.site_url, data.settings.allowed_redirects):
        raise invalid("unauthorized request origin")

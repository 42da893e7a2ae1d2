"""Whether the OAuth server is on, and who may speak to its consent page's endpoints."""

from __future__ import annotations

from minato.auth.call import Call
from minato.auth.errors import AuthError, invalid
from minato.auth.redirects import is_allowed


def require_oauth_server(call: Call) -> None:
    """404 feature_disabled while it is off."""
    if not call.settings.oauth_server_enabled:
        raise AuthError(404, "feature_disabled", "OAuth server is disabled")


def require_own_origin(call: Call) -> None:
    """A browser's page must be one that redirects may lead to; who sends no Origin is no page."""
    origin = call.request.headers.get("origin", "")
    if origin and not is_allowed(origin, call.site_url, call.settings.allowed_redirects):
        raise invalid("unauthorized request origin")

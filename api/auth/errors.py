"""Every refusal of this room, and its two wire forms.

Clients that send `X-Supabase-Api-Version: 2024-01-01` or newer get `{code, message}`, others `{code, error_code, msg}`.
"""

from __future__ import annotations

from typing import Any

from api.http.errors import ApiError

API_VERSION = "2024-01-01"
INTERNAL = "Unexpected failure, please check server logs for more information"


class AuthError(ApiError):
    """A refusal. With `keeps` the transaction is committed before the error is sent, so that its mark stays."""

    keeps = False

    def body(self, new_format: bool, request_id: str = "") -> dict[str, Any]:
        """The JSON body in one of the two forms."""
        if new_format:
            return {"code": self.code, "message": self.message}
        old = {"code": self.status, "error_code": self.code, "msg": self.message}
        return {**old, "error_id": request_id} if self.status >= 500 else old


class MarkedError(AuthError):
    """A refusal whose writes stay: a revoked token family, a spent challenge. GoTrue's NewCommitWithError."""

    keeps = True


class WeakPasswordError(AuthError):
    """A password that breaks the rules; `reasons` are `length`, `characters`, `pwned`."""

    def __init__(self, message: str, reasons: list[str]) -> None:
        super().__init__(422, "weak_password", message)
        self.reasons = reasons

    def body(self, new_format: bool, request_id: str = "") -> dict[str, Any]:
        return {**super().body(new_format, request_id), "weak_password": {"reasons": self.reasons}}


def invalid(message: str, status: int = 400) -> AuthError:
    """The most common refusal: the request itself makes no sense."""
    return AuthError(status, "validation_failed", message)


def bad_json(detail: str) -> AuthError:
    """A body that is not the JSON we need; `detail` is in the words of Go's parser."""
    return AuthError(400, "bad_json", f"Could not parse request body as JSON: {detail}")


def too_soon(code: str, seconds: int) -> AuthError:
    """The same kind of message was sent a moment ago."""
    return AuthError(429, code, f"For security purposes, you can only request this after {seconds} seconds.")


def internal(message: str = INTERNAL) -> AuthError:
    """Something failed that is not the caller's fault."""
    return AuthError(500, "unexpected_failure", message)


def not_implemented(feature: str) -> AuthError:
    """Part of GoTrue that is not there yet; never a fake success."""
    return AuthError(501, "not_implemented", f"{feature} is not implemented; see docs/compatibility.md")

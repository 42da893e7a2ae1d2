"""Signatures of Standard Webhooks (standardwebhooks.com), version 1: HMAC-SHA256 with a shared secret."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterable


def signed_headers(secrets: Iterable[str], message_id: str, timestamp: int, payload: bytes) -> dict[str, str]:
    """The three headers of a message; each secret is `v1,whsec_<base64>`."""
    content = f"{message_id}.{timestamp}.".encode() + payload
    signatures = ", ".join(f"v1,{_sign(secret, content)}" for secret in secrets)
    return {"webhook-id": message_id, "webhook-timestamp": str(timestamp), "webhook-signature": signatures}


def _sign(secret: str, content: bytes) -> str:
    key = base64.b64decode(secret.removeprefix("v1,").removeprefix("whsec_"))
    return base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()

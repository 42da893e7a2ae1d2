"""Time-based one-time passwords (RFC 6238: SHA-1, six digits, thirty seconds) and the QR code that shares a secret."""

from __future__ import annotations

import base64
import hashlib
import hmac
import io
from urllib.parse import quote, urlencode

PERIOD, DIGITS, SKEW = 30, 6, 1
QR_SCALE = 3


def totp(secret: str, moment: float) -> str:
    """The code of `secret` (base32) at `moment` (Unix seconds).

    >>> totp("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", 59)
    '287082'
    """
    counter = int(moment // PERIOD).to_bytes(8, "big")
    digest = hmac.digest(base64.b32decode(secret), counter, hashlib.sha1)
    start = digest[-1] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return str(number % 10**DIGITS).zfill(DIGITS)


def matching_step(code: str, secret: str, moment: float) -> int | None:
    """Which period `code` belongs to: this one or one beside it; None if it fits none of them."""
    now = int(moment // PERIOD)
    given = code.strip().encode()
    for step in range(now - SKEW, now + SKEW + 1):
        if hmac.compare_digest(given, totp(secret, step * PERIOD).encode()):
            return step
    return None


def otpauth_uri(issuer: str, account: str, secret: str) -> str:
    """What the QR code says."""
    values = {"algorithm": "SHA1", "digits": DIGITS, "issuer": issuer, "period": PERIOD, "secret": secret}
    return f"otpauth://totp/{quote(issuer, safe=':')}:{quote(account, safe='@')}?{urlencode(values, quote_via=quote)}"


def qr_svg(text: str) -> str:
    """`text` as the source of an SVG image, as large as GoTrue's.

    Clients put the source into a data: URL as it is. There an image without its namespace stays blank, and one with a
    "#" ends at it, so that colours have names. White lies below, for pages that are dark.
    """
    import segno  # 8 MB that only enrolling needs

    image = io.BytesIO()
    code = segno.make(text, error="h")
    code.save(image, kind="svg", scale=QR_SCALE, light="#fff", xmldecl=False, svgns=True, nl=False)
    return image.getvalue().decode().replace("#000", "black").replace("#fff", "white")

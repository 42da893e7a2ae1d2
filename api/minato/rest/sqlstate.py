"""A database error → the HTTP answer: SQLSTATE to status, and the two ways in which SQL code chooses its own."""

from __future__ import annotations

import orjson

from minato.database.wording import Fields, is_unknown_role
from minato.json_text import JsonObject
from minato.rest.errors import RestError
from minato.rest.result import is_sendable

# The first prefix that fits decides; special cases stand before it in `_status`.
STATUSES = (
    ("08", 503),
    ("09", 500),
    ("0L", 403),
    ("0P", 403),
    ("23503", 409),
    ("23505", 409),
    ("25006", 405),
    ("25", 500),
    ("28", 403),
    ("2D", 500),
    ("38", 500),
    ("39", 500),
    ("3B", 500),
    ("40", 500),
    ("53400", 500),
    ("53", 503),
    ("54", 500),
    ("55", 500),
    ("57P", 503),
    ("57", 500),
    ("58", 500),
    ("F0", 500),
    ("HV", 500),
    ("P0001", 400),
    ("P0", 500),
    ("XX", 500),
    ("42P01", 404),
    ("42P17", 500),
)
RETRY_AFTER = ("Retry-After", "1")
BEARER = ("WWW-Authenticate", "Bearer")
MESSAGE_KEYS = (
    "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'."
)
DETAIL_KEYS = "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'."


def database_error(fields: Fields, authenticated: bool) -> RestError:
    """The answer to an error PostgreSQL raised. `authenticated`: the role is not the anonymous one."""
    sqlstate, message, detail, hint = fields.get("C", "XX000"), fields.get("M", ""), fields.get("D"), fields.get("H")
    if sqlstate == "PGRST":
        return _raised(message, detail)
    status = 401 if is_unknown_role(fields) else _status(sqlstate, message, authenticated)
    headers = {401: [BEARER], 503: [RETRY_AFTER]}.get(status, [])
    return RestError(status, sqlstate, message, detail, hint, headers)


def _status(sqlstate: str, message: str, authenticated: bool) -> int:
    match sqlstate:
        case "21000":
            return 400 if message.endswith("requires a WHERE clause") else 500
        case "42883":
            return 406 if " xmlagg(" in message else 404
        case "42501":
            return 403 if authenticated else 401
    if sqlstate.startswith("PT"):
        return _chosen_status(sqlstate[2:])
    return next((status for prefix, status in STATUSES if sqlstate.startswith(prefix)), 400)


def _chosen_status(digits: str) -> int:
    status = int(digits) if digits.isdecimal() and digits.isascii() else 500
    # Three digits can still be no status that HTTP knows how to send.
    return status if 200 <= status <= 599 else 500


def _raised(message: str, detail: str | None) -> RestError:
    """`RAISE SQLSTATE 'PGRST'`: MESSAGE is the body, DETAIL the status and headers."""
    body = _object(message)
    if body is None or not _texts(body, ("code", "message"), ("details", "hint")):
        return _not_json(f"Invalid JSON value for MESSAGE: '{message}'", MESSAGE_KEYS)
    if detail is None:
        return _not_json("DETAIL is missing in the RAISE statement", DETAIL_KEYS)
    control = _object(detail)
    headers = control.get("headers") if control is not None else None
    status = control.get("status") if control is not None else None
    sendable = isinstance(headers, dict) and all(is_sendable(name, value) for name, value in headers.items())
    if not isinstance(status, int) or not isinstance(headers, dict) or not sendable:
        return _not_json(f"Invalid JSON value for DETAIL: '{detail}'", DETAIL_KEYS)
    chosen = _chosen_status(str(status))
    return RestError(
        chosen, body["code"], body["message"], body.get("details"), body.get("hint"), tuple(headers.items())
    )


def _object(text: str) -> JsonObject | None:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def _texts(values: dict[str, object], required: tuple[str, ...], optional: tuple[str, ...]) -> bool:
    given = all(isinstance(values.get(key), str) for key in required)
    return given and all(values.get(key) is None or isinstance(values[key], str) for key in optional)


def _not_json(details: str, hint: str) -> RestError:
    return RestError(500, "PGRST121", "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error", details, hint)

"""Every failure of the data API as a value: status, code, message, details, hint.

Codes are PostgREST's: 1xx the request, 2xx the schema cache, 3xx the token. The functions that make 2xx errors stand
beside the rules they protect; those used in many places are here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from minato.http.errors import ApiError
from minato.json_text import encode

Detail = str | Sequence[Mapping[str, str]] | None


class RestError(ApiError):
    """One refusal in PostgREST's wire shape. `headers` are sent beside the standard ones; `reason` is the phrase."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        details: Detail = None,
        hint: str | None = None,
        headers: Sequence[tuple[str, str]] = (),
    ) -> None:
        super().__init__(status, code, message)
        self.details = details
        self.hint = hint
        self.headers = tuple(headers)

    def body(self, verbose: bool = True) -> bytes:
        """The compact JSON body, keys sorted as the reference sends them."""
        if not verbose:
            return encode({"code": self.code, "message": self.message})
        return encode({"code": self.code, "details": self.details, "hint": self.hint, "message": self.message})


class SchemaMiss(RestError):
    """Something the schema cache doesn't have; the cache may be old, so the pipeline looks again before giving up."""


def parse_error(message: str, details: str) -> RestError:
    """PGRST100: the query string does not follow the grammar."""
    return RestError(400, "PGRST100", message, details)


def method_not_allowed_on_rpc(method: str) -> RestError:
    return RestError(405, "PGRST101", f"Cannot use the {method} method on RPC")


def invalid_body(message: str) -> RestError:
    return RestError(400, "PGRST102", message)


def invalid_range(details: str) -> RestError:
    return RestError(416, "PGRST103", "Requested range not satisfiable", details)


def put_filters() -> RestError:
    message = "Filters must include all and only primary key columns with 'eq' operators"
    return RestError(405, "PGRST105", message)


def unknown_profile(schema: str, exposed: Sequence[str]) -> RestError:
    hint = f"Only the following schemas are exposed: {', '.join(exposed)}"
    return RestError(406, "PGRST106", f"Invalid schema: {schema}", None, hint)


def no_media_type(accepted: Sequence[str]) -> RestError:
    return RestError(406, "PGRST107", f"None of these media types are available: {', '.join(accepted)}")


def not_embedded(name: str) -> RestError:
    hint = f"Verify that '{name}' is included in the 'select' query parameter."
    return RestError(400, "PGRST108", f"'{name}' is not an embedded resource in this request", None, hint)


def too_costly(message: str) -> RestError:
    """A limit of ours; the reference has none."""
    return RestError(400, "PGRSTX01", message)


def singular_expected(rows: int) -> RestError:
    message = "Cannot coerce the result to a single JSON object"
    return RestError(406, "PGRST116", message, f"The result contains {rows} rows")


def unsupported_method(method: str) -> RestError:
    return RestError(405, "PGRST117", f"Unsupported HTTP method: {method}")


def invalid_path() -> RestError:
    return RestError(404, "PGRST125", "Invalid path specified in request URL")


def not_implemented(what: str) -> RestError:
    """A call the reference answers and we don't yet: 501, so that nobody takes it for a result."""
    return RestError(501, "PGRST127", "Feature not implemented", what, "See docs/compatibility.md")

"""Refusals only S3 knows. Here the HTTP status says what is meant; texts are those of supabase/storage or of AWS."""

from __future__ import annotations

from minato.http.asgi import Header
from minato.storage.errors import StorageError
from minato.storage.reply import Reply
from minato.storage.s3_wire.xml import XML, render_xml

CLOSE: Header = (b"connection", b"close")
MISMATCH = (
    "The request signature we calculated does not match the signature you provided. Check your key and signing method."
)
UNKNOWN_KEY = "The Access Key Id you provided does not exist in our records."
SKEWED = "The difference between the request time and the server's time is too large."


def refuse(status: int, code: str, message: str) -> StorageError:
    return StorageError(status, code, message, status=status)


def signature_mismatch() -> StorageError:
    return refuse(403, "SignatureDoesNotMatch", MISMATCH)


def unknown_access_key() -> StorageError:
    return refuse(403, "InvalidAccessKeyId", UNKNOWN_KEY)


def denied(message: str) -> StorageError:
    return refuse(403, "AccessDenied", message)


def bad_signature(message: str = "Invalid signature format") -> StorageError:
    """A signature that can't be read."""
    return refuse(400, "InvalidSignature", message)


def expired() -> StorageError:
    return refuse(400, "ExpiredToken", "The provided token has expired.")


def skewed() -> StorageError:
    return refuse(403, "RequestTimeTooSkewed", SKEWED)


def missing_parameter(name: str) -> StorageError:
    return refuse(400, "MissingParameter", f"Missing Required Parameter {name}")


def invalid_argument(name: str) -> StorageError:
    return refuse(400, "InvalidParameter", f"Invalid Parameter {name}")


def malformed_xml() -> StorageError:
    return refuse(400, "MalformedXML", "The XML you provided was not well-formed or did not validate")


def no_such_upload() -> StorageError:
    return refuse(404, "NoSuchUpload", "Upload not found")


def no_such_part() -> StorageError:
    return refuse(416, "InvalidPartNumber", "The requested partnumber is not satisfiable")


def no_such_parts() -> StorageError:
    return refuse(400, "InvalidPart", "One or more of the specified parts could not be found")


def no_such_version() -> StorageError:
    return refuse(404, "NoSuchVersion", "The specified version does not exist")


def precondition_failed() -> StorageError:
    return refuse(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold")


def error_reply(error: StorageError, path: str, awaited: bool) -> Reply:
    """The refusal as XML; `path` is the request's, below the room's prefix.

    `awaited`: the client holds its body back until told to go on (`Expect: 100-continue`). Now it never sends it, and
    what comes next on the connection would be taken for it.
    """
    resource = path.removeprefix("/s3").strip("/")
    body = render_xml("Error", {"Resource": resource, "Code": error.code, "Message": error.message}, namespace=None)
    headers = [XML, *((CLOSE,) if awaited else ())]
    return Reply(error.meant if 400 <= error.meant < 600 else 500, headers, body)

"""Parts of the request schemas that several endpoints share; `minato.storage.validation` reads them."""

from __future__ import annotations

from minato.storage.validation import Schema

SIZE_PATTERN = r"^[0-9]+(?:\.[0-9]+)?(?:[gG][bB]|[mM][bB]|[kK][bB]|[bB])$"

BUCKET_LIMITS: Schema = {
    "public": {"type": "boolean"},
    "file_size_limit": {
        "anyOf": [
            {"type": "integer", "minimum": 0, "nullable": True},
            {"type": "string", "pattern": SIZE_PATTERN, "nullable": True},
        ]
    },
    "allowed_mime_types": {"type": "array", "items": {"type": "string"}, "nullable": True},
}

ORDER: Schema = {"type": "string", "enum": ["asc", "desc"]}
# A hundred years: what ends later than the year 9999 has no date.
EXPIRES_IN: Schema = {"type": "integer", "minimum": 1, "maximum": 100 * 365 * 86_400}
TOKEN_QUERY: Schema = {"type": "object", "required": ["token"], "properties": {"token": {"type": "string"}}}

# Move and copy name their objects alike.
SOURCE_AND_TARGET: Schema = {
    "bucketId": {"type": "string"},
    "sourceKey": {"type": "string"},
    "destinationBucket": {"type": "string"},
    "destinationKey": {"type": "string"},
}
SOURCE_AND_TARGET_REQUIRED = ["sourceKey", "bucketId", "destinationKey"]

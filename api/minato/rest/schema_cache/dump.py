"""The schema cache as JSON, for whoever looks into it; its shape follows the model and promises nothing."""

from __future__ import annotations

import orjson

from minato.rest.schema_cache.model import QualifiedName, SchemaCache


def dump_schema_cache(cache: SchemaCache) -> bytes:
    """Tables, relationships, functions, media handlers and settings of roles.

    >>> dump_schema_cache(SchemaCache("1"))
    b'{"version":"1","tables":[],"relationships":[],"routines":[],"handlers":[],"roles":{}}'
    """
    document = {
        "version": cache.version,
        "tables": list(cache.tables.values()),
        "relationships": [each for found in cache.relationships.values() for each in found],
        "routines": [each for overloads in cache.routines.values() for each in overloads],
        "handlers": list(cache.handlers.values()),
        "roles": cache.roles,
    }
    return orjson.dumps(document, default=_plain)


def _plain(value: object) -> object:
    if isinstance(value, QualifiedName):
        return str(value)
    return value._asdict() if hasattr(value, "_asdict") else str(value)

"""Which of the acceptable media types the answer has."""

from __future__ import annotations

from api.config.rest import RestSettings
from api.rest.errors import no_media_type, not_implemented
from api.rest.parse.media_type import JSON, MediaKind, MediaType

BUILT_IN = (MediaKind.JSON, MediaKind.OBJECT, MediaKind.ARRAY, MediaKind.CSV, MediaKind.GEOJSON)


def negotiate(accept: list[MediaType], settings: RestSettings) -> MediaType:
    """The first of `accept` that can be produced. Raises PGRST107."""
    for media in accept:
        if media.kind is MediaKind.ANY:
            return JSON
        if media.kind in BUILT_IN:
            return media
        if media.kind is MediaKind.PLAN and settings.db_plan_enabled:
            raise not_implemented("Execution plans are not implemented.")
    raise no_media_type([media.essence for media in accept])

"""`DELETE /cdn[/:bucket[/*]]`: forget the pictures made of an object, of a bucket, of all.

Originals are kept nowhere but in the backend, so `transformations=true` and its absence mean the same here.
"""

from __future__ import annotations

from minato.storage.errors import access_denied
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.services import Services
from minato.tokens.caller import SERVICE_ROLE

QUERY = {"type": "object", "properties": {"transformations": {"type": "boolean"}}}


async def purge_cache(services: Services, request: Request) -> Reply:
    """For the service alone, whether there is anything to forget or not."""
    if request.known_caller.role != SERVICE_ROLE:
        raise access_denied("Access denied: Invalid role", status=403)
    request.checked_query(QUERY)
    services.pictures.purge(request.bucket or None, request.key or None)
    return json_reply({"message": "success"})

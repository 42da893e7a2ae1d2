"""GET /admin/audit: the audit log, newest first."""

from __future__ import annotations

from minato.auth import audit_log
from minato.auth.authentication import require_admin
from minato.auth.call import Answer, Call
from minato.auth.errors import invalid
from minato.auth.json_format import render_time, sorted_map
from minato.auth.pagination import requested_page


async def list_audit_log(call: Call) -> Answer:
    await require_admin(call)
    page = requested_page(call)
    scope, wanted = _wanted(call.query.get("query", ""))
    entries, total = await audit_log.find_page(call.db, scope, wanted, page.offset, page.size)
    body = [
        {
            "id": str(entry["id"]),
            "payload": sorted_map(entry["payload"]),
            "created_at": render_time(entry["created_at"]),
            "ip_address": entry["ip_address"],
        }
        for entry in entries
    ]
    return Answer(body, headers=page.headers(call, total))


def _wanted(query: str) -> tuple[str, str]:
    """`author:x`, `action:x` or `type:x`; both empty without a query."""
    if not query:
        return "", ""
    scope, colon, wanted = query.partition(":")
    if not colon or scope not in audit_log.SCOPES:
        raise invalid(f"Invalid query scope: {query}")
    return scope, wanted

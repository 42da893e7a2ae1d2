"""GET /admin/audit: the audit log, newest first."""

from __future__ import annotations

from minato.auth.request.context import ReadTransaction
from minato.auth.request.response import Response
from minato.auth.rows import audit_log
from minato.auth.sessions.authentication import require_admin
from minato.auth.wire.errors import invalid
from minato.auth.wire.json_format import render_time, sorted_map
from minato.auth.wire.pagination import requested_page


async def list_audit_log(tx: ReadTransaction) -> Response:
    await require_admin(tx)
    page = requested_page(tx.query)
    scope, wanted = _wanted(tx.query.get("query", ""))
    entries, total = await audit_log.find_page(tx.db, scope, wanted, page.offset, page.size)
    body = [
        {
            "id": str(entry.id),
            "payload": sorted_map(entry.payload),
            "created_at": render_time(entry.created_at),
            "ip_address": entry.ip_address,
        }
        for entry in entries
    ]
    return Response(body, headers=page.headers(tx.http.url.path, tx.query, total))


def _wanted(query: str) -> tuple[str, str]:
    """`author:x`, `action:x` or `type:x`; both empty without a query."""
    if not query:
        return "", ""
    scope, colon, wanted = query.partition(":")
    if not colon or scope not in audit_log.SCOPES:
        raise invalid(f"Invalid query scope: {query}")
    return scope, wanted

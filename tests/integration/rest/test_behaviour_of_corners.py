"""Corners of writing in which answers and rows were compared with a PostgREST on the same database."""

from __future__ import annotations

import httpx
import pytest

from tests.integration.rest.exchange import Exchange as X
from tests.integration.rest.exchange import hold

TX = "tx=rollback"
REP = {"prefer": f"return=representation, {TX}"}
PLANNED = {"prefer": f"count=planned, {TX}"}
CSV = {"content-type": "text/csv", **REP}
NO_HEADER = {"code": "PGRST102", "message": 'parse error (not enough input) at ""', "details": None, "hint": None}
EXCHANGES = [
    # The planner's estimate is no count of rows that were written.
    X("INS-2", "POST /teams", "", 201, {"id": 8, "title": "a"}, PLANNED, {"content-range": "*/*"}),
    X("UPD-1", "PATCH /teams?id=eq.1", "", 204, {"title": "a"}, PLANNED, {"content-range": "0-0/*"}),
    X("DEL-1", "DELETE /letters?id=eq.1", "", 204, None, PLANNED, {"content-range": "*/*"}),
    X("DEL-1", "DELETE /letters?id=eq.1", "", 204, None, {"prefer": f"count=estimated, {TX}"}, {"content-range": "*/1"}),
    # A PUT writes what of its body has the key of its URL, wherever it stands.
    X("UPS-3", "PUT /teams?id=eq.8", [{"id": 8, "title": "b"}], 201, [{"id": 7, "title": "a"}, {"id": 8, "title": "b"}], REP),
    X("UPS-3", "PUT /teams?id=eq.8&id=eq.7", status=400, body={"id": 8, "title": "b"}, sent=REP, code="PGRST115"),
    X("UPS-3", "PUT /teams?title=eq.a", status=405, body={"id": 8, "nothing": "b"}, sent=REP, code="PGRST105"),
    X("UPS-3", "PUT /people?id=eq.1&select=id,clubs(id)&clubs.id=eq.1", status=405, body={"id": 1, "name": "b"}, sent=REP, code="PGRST105"),
    # A number that no double holds is JSON all the same.
    X("INS-1", "POST /clubs?select=name", [{"name": "n"}], 201, '{"name": "n", "address": {"far": 1e400}}', REP),
    X("INS-1", "POST /clubs", status=400, body='{"name": "n", "budget": 1e400}', sent=REP, code="22003"),
    X("INS-4", "POST /clubs", status=400, body='{"name": "n", "budget": NaN, "address": 1e400}', sent=REP, code="PGRST102"),
    X("INS-4", "POST /clubs", status=400, body='{"name": "n", "address": 1e400', sent=REP, code="PGRST102"),
    # CSV without a whole header line has no columns.
    X("INS-1", "POST /teams", NO_HEADER, 400, "", CSV),
    X("INS-1", "POST /teams", NO_HEADER, 400, "id,title", CSV),
    X("INS-1", "POST /teams", [], 201, "id,title\n", CSV),
    # The names of a form's fields, or of nothing, are the arguments, whatever `columns` says.
    X("RPC-1", "POST /rpc/add_them?columns=a", 3, 200, "a=1&b=2", {"content-type": "application/x-www-form-urlencoded"}),
    X("RPC-2", "POST /rpc/add_them?columns=a,b", status=404, body="a=1&c=2", sent={"content-type": "application/x-www-form-urlencoded"}, code="PGRST202"),
    X("RPC-2", "POST /rpc/add_them?columns=a,b", status=404, body="plain", sent={"content-type": "text/plain"}, code="PGRST202"),
    # One of a set of values is no object by itself.
    X("RPC-3", "GET /rpc/numbers?upto=1", {"pgrst_scalar": 1}, sent={"accept": "application/vnd.pgrst.object+json"}),
    X("RPC-3", "GET /rpc/add_them?a=1&b=2", 3, sent={"accept": "application/vnd.pgrst.object+json"}),
    # A length that SQL code makes up is not the body's.
    X("RPC-12", "POST /rpc/set_response", "", 200, {"status": "200", "headers": '[{"Content-Length": "7"}]'}, {"prefer": TX}, {"content-length": "0"}),
    # OPTIONS of a function plans the whole call.
    X("RPC-1", "OPTIONS /rpc/add_them?a=1&b=2", "", headers={"allow": "OPTIONS,GET,HEAD,POST"}),
    X("RPC-1", "OPTIONS /rpc/add_them?a=1&b=2&select=nothing(*)", status=400, code="PGRST200"),
    X("RPC-1", "OPTIONS /rpc/add_them?a=1&b=2", status=406, sent={"accept": "no/thing"}, code="PGRST107"),
]  # fmt: skip


@pytest.mark.parametrize("exchange", EXCHANGES, ids=str)
async def test_a_write_is_answered_as_by_postgrest(anon: httpx.AsyncClient, exchange: X) -> None:
    await hold(anon, exchange)

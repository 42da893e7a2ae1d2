"""What the reference's specification says of writing, line by line: insert, update, upsert, delete."""

from __future__ import annotations

import httpx
import pytest

from tests.integration.rest.exchange import Exchange as X
from tests.integration.rest.exchange import hold

TX = "tx=rollback"
REP = {"prefer": f"return=representation, {TX}"}
DEFAULTS = {"prefer": f"return=representation, missing=default, {TX}"}
LOCATION = {"prefer": f"return=headers-only, {TX}"}
CSV = {"content-type": "text/csv", **REP}
MERGE = {"prefer": f"return=representation, resolution=merge-duplicates, {TX}"}
IGNORE = {"prefer": f"return=representation, resolution=ignore-duplicates, {TX}"}
OBJECT = {"accept": "application/vnd.pgrst.object+json", **REP}
INSERT = [
    X("INS-1", "POST /teams", [{"id": 8, "title": "a"}, {"id": 9, "title": "b"}], 201, [{"id": 8, "title": "a"}, {"id": 9, "title": "b"}], REP),
    X("INS-1", "POST /teams", status=400, body=[{"id": 8}, {"title": "x"}], sent=REP, code="PGRST102"),
    X("INS-1", "POST /teams", [{"id": 8, "title": "a"}], 201, "id=8&title=a", {"content-type": "application/x-www-form-urlencoded", **REP}),
    X("INS-1", "POST /people?select=name,age", [{"name": "a", "age": None}], 201, "name,age\na,NULL", CSV),
    X("INS-1", "POST /teams", status=400, body="id,title\n8", sent=CSV, code="PGRST102"),
    X("INS-2, RULE-2", "POST /teams", "", 201, {"id": 8, "title": "a"}, {"prefer": TX}, {"content-length": "0", "content-type": None, "location": None}),
    X("INS-2", "POST /teams", "", 201, {"id": 8, "title": "a"}, LOCATION, {"location": "/teams?id=eq.8"}),
    X("INS-2", "POST /pairs_table", "", 201, {"a": 1, "b": 2}, LOCATION, {"location": "/pairs_table?a=eq.1&b=eq.2"}),
    X("INS-2", "POST /events", "", 201, {"id": 7, "kind": "a"}, LOCATION, {"location": "/events?id=eq.7&kind=eq.a"}),
    X("INS-2", "POST /passes", "", 201, {"pid": 2, "number": "N"}, LOCATION, {"location": "/passes?pid=eq.2"}),
    X("INS-2", "POST /teams", [{"id": 8, "title": "a"}], 201, {"id": 8, "title": "a"}, REP, {"location": None}),
    X("INS-3", "POST /people?select=n:name,club_id::text,clubs(name)", [{"n": "x", "club_id": "1", "clubs": {"name": "Rowing"}}], 201, {"name": "x", "club_id": 1}, REP),
    X("INS-3", "POST /teams?select=nothing", "", 201, {"id": 8, "title": "a"}, {"prefer": TX}),
    X("INS-4", "POST /teams", status=400, body="", sent=REP, code="PGRST102", expected={"code": "PGRST102", "message": "Empty or invalid json", "details": None, "hint": None}),
    X("INS-4", "POST /teams", status=400, body="{", sent=REP, code="PGRST102"),
    X("INS-4", "POST /defaulted?select=n", [{"n": 5}, {"n": 5}], 201, [{}, {}], REP),
    X("INS-4", "POST /teams", [], 201, [], REP),
    X("INS-5", "POST /teams", status=400, body={"id": 8}, sent=REP, code="23502"),
    X("INS-5", "POST /teams", status=409, body={"id": 1, "title": "x"}, sent=REP, code="23505"),
    X("INS-6", "POST /teams?columns=id,title", [{"id": 8, "title": "a"}], 201, {"id": 8, "title": "a", "more": 1}, REP),
    X("INS-6", "POST /teams?columns=", status=400, body={"id": 8}, sent=REP, code="PGRST100"),
    X("INS-6", "POST /teams?columns=nothing", status=400, body={"id": 8}, sent=REP, code="PGRST204"),
    X("INS-6", "POST /no_such?columns=nothing", status=404, body={"id": 8}, sent=REP, code="PGRST205"),
    X("INS-6", "POST /teams?columns=id", status=400, body=[1, 2], sent=REP),
    X("INS-7", "POST /defaulted?columns=id,n,s,x&select=n,s,x", [{"n": 5, "s": 7, "x": "a"}, {"n": 1, "s": 7, "x": None}], 201, [{"x": "a"}, {"n": 1}], DEFAULTS),
    X("INS-7", "POST /Mixed?columns=id,Name&select=Name", [{"Name": "n"}], 201, [{"Name": "n"}], DEFAULTS),
    X("INS-7", "POST /bits?columns=id,made", status=400, body=[{"id": 1, "made": 2}], sent=DEFAULTS, code="428C9"),
    X("INS-8", "POST /bits?select=b,c", [{"b": "101", "c": "ab   "}], 201, ' \n{"id": 1, "b": "101", "c": "ab"} ', REP),
    X("INS-8", "POST /bits", status=400, body={"id": 1, "b": "1011"}, sent=REP, code="22026"),
    X("INS-9", "POST /partly", status=401, body={"id": 2}, sent=REP, code="42501"),
    X("INS-9", "POST /partly?select=id,open", [{"id": 2, "open": None}], 201, {"id": 2}, REP),
    X("INS-9", "POST /partly", "", 201, {"id": 2, "closed": "x"}, {"prefer": TX}),
    X("INS-10, SCHEMA-2", "POST /Ünïcode", "", 201, {"ключ": 1, "значение": "é"}, LOCATION, {"location": "/%C3%9Cn%C3%AFcode?%D0%BA%D0%BB%D1%8E%D1%87=eq.1"}),
    X("INS-10", "POST /Ünïcode", [{"ключ": 1, "значение": "é"}], 201, {"ключ": 1, "значение": "é"}, REP),
    X("INS-11", "POST /paints?columns=id,shade&select=shade", [{"shade": "#00FF00"}], 201, {"id": 9, "shade": "#00FF00"}, REP),
]  # fmt: skip
UPDATE = [
    X("UPD-1", "PATCH /teams?id=eq.1", "", 204, {"title": "N"}, {"prefer": TX}, {"content-range": "0-0/*", "content-type": None, "content-length": None}),
    X("UPD-1", "PATCH /teams?id=eq.99", [], 200, {"title": "N"}, REP, {"content-range": "*/*"}),
    X("UPD-1", "PATCH /teams?id=eq.99", "", 204, {"title": "N"}, {"prefer": TX}),
    X("UPD-2", "PATCH /teams?id=eq.1", "", 204, {}, {"prefer": TX}, {"content-range": "*/*"}),
    X("UPD-2", "PATCH /teams?id=eq.1", [], 200, [{}], REP),
    X("UPD-2", "PATCH /teams?id=eq.1", [], 200, [], REP),
    X("UPD-3", "PATCH /people?title=eq.Dear Ben&select=id,title", [{"id": 2, "title": "Dear X"}], 200, {"name": "X"}, REP),
    X("UPD-3", "PATCH /teams?id=eq.1&columns=title", [{"id": 1, "title": "N"}], 200, {"title": "N", "id": 7}, REP),
    X("UPD-3", "PATCH /people?id=eq.1&columns=notes&select=notes", [{"notes": "none"}], 200, {}, DEFAULTS),
    X("UPD-3", "PATCH /teams?id=eq.1", status=400, body={"nothing": 1}, sent=REP, code="PGRST204"),
    X("UPD-3", "PATCH /people?id=eq.1&select=club_id", [{"club_id": None}], 200, {"club_id": None}, REP),
    X("UPD-4", "PATCH /people?id=lt.3&select=id,clubs(name),passports(number)&order=id.desc",
      [{"id": 2, "clubs": {"name": "Chess"}, "passports": None}, {"id": 1, "clubs": {"name": "Chess"}, "passports": {"number": "P1"}}], 200, {"club_id": 2}, REP),
    X("UPD-4", "PATCH /teams?id=eq.1&select=id,people(name)&people.order=name.desc&people.name=like.*e*", [{"id": 1, "people": [{"name": "Ben"}]}], 200, {"title": "N"}, REP),
    X("UPD-5", "PATCH /partly?id=eq.1", "", 204, {"open": "x"}, {"prefer": TX}),
    X("UPD-5", "PATCH /partly?id=eq.1", status=401, body={"open": "x"}, sent=REP, code="42501"),
    X("UPD-5", "PATCH /paints?id=lt.3&select=shade&order=id", [{"shade": "#000001"}] * 2, 200, {"shade": "#000001"}, REP),
    X("LOGIC-4", "PATCH /people?or=(id.eq.1,name.eq.Ben)&select=age", [{"age": 1}, {"age": 1}], 200, {"age": 1}, REP),
    X("LOGIC-4", "DELETE /team_members?not.and=(team_id.eq.1,person_id.eq.1)&select=since&order=since", [{"since": 2021}, {"since": 2022}], 200, sent=REP),
    X("LOGIC-4", "POST /people?select=name,clubs(id)&clubs.or=(id.eq.1,id.eq.2)", [{"name": "x", "clubs": {"id": 1}}], 201, {"name": "x", "club_id": 1}, REP),
]  # fmt: skip
UPSERT = [
    X("UPS-1", "POST /teams", [{"id": 1, "title": "N"}], 200, {"id": 1, "title": "N"}, MERGE),
    X("UPS-1", "POST /teams", [{"id": 1, "title": "N"}, {"id": 8, "title": "N"}], 201, [{"id": 1, "title": "N"}, {"id": 8, "title": "N"}], MERGE),
    X("UPS-1", "POST /teams", [{"id": 8, "title": "N"}], 201, [{"id": 1, "title": "N"}, {"id": 8, "title": "N"}], IGNORE),
    X("UPS-1", "POST /events?select=id,club_id", [{"id": 1, "club_id": 2}], 200, {"id": 1, "kind": "a", "club_id": 2}, MERGE),
    X("UPS-1", "POST /stamps?on_conflict=code", [{"id": 1, "code": "S"}], 200, {"id": 1, "code": "S"}, MERGE),
    X("UPS-1", "POST /teams", [], 200, [], MERGE),
    X("UPS-2", "POST /only_keys", [{"a": 1, "b": 1}], 200, {"a": 1, "b": 1}, MERGE),
    X("UPS-2", "POST /logs", [{"message": "m"}], 201, {"message": "m"}, MERGE, {"preference-applied": f"return=representation, {TX}"}),
    X("UPS-2", "POST /Mixed?columns=id,Name&select=Name", [{"Name": "n"}], 201, [{"Name": "n"}], {"prefer": f"missing=default, {MERGE['prefer']}"}),
    X("UPS-3", "PUT /teams?id=eq.8", [{"id": 8, "title": "N"}], 201, {"id": 8, "title": "N"}, REP),
    X("UPS-3", "PUT /teams?id=eq.1", [{"id": 1, "title": "N"}], 200, [{"id": 1, "title": "N"}, {"id": 2, "title": "x"}], REP),
    X("UPS-3", "PUT /teams?id=eq.1", "", 204, {"id": 1, "title": "N"}, {"prefer": TX, "range": "5-6"}),
    X("UPS-3", "PUT /teams?id=eq.1", {"id": 1, "title": "N"}, 200, {"id": 1, "title": "N"}, OBJECT),
    X("UPS-3", "PUT /teams?id=gt.1", status=405, body={"id": 1}, sent=REP, code="PGRST105"),
    X("UPS-3", "PUT /teams?id=eq.1&limit=1", status=400, body={"id": 1, "title": "N"}, sent=REP, code="PGRST114"),
    X("UPS-3", "PUT /teams?id=eq.1", status=400, body={"id": 2, "title": "N"}, sent=REP, code="PGRST115"),
    X("UPS-4", "POST /people?select=id,clubs(name)&order=id.desc", [{"id": 2, "clubs": {"name": "Rowing"}}, {"id": 1, "clubs": {"name": "Rowing"}}], 200,
      [{"id": 1, "name": "a", "club_id": 1}, {"id": 2, "name": "b", "club_id": 1}], MERGE),
    X("DEL-1", "DELETE /passports?person_id=eq.1", "", 204, sent={"prefer": TX}, headers={"content-range": "*/*"}),
    X("DEL-1", "DELETE /passports?select=n:number,person_id::text,people(name)&order=person_id.desc",
      [{"n": "P3", "person_id": "3", "people": {"name": "Chiyo"}}, {"n": "P1", "person_id": "1", "people": {"name": "Aiko"}}], 200,
      sent={"prefer": f"count=exact, {REP['prefer']}"}, headers={"content-range": "*/2"}),
    X("DEL-1", "DELETE /passports?person_id=eq.99", [], 200, sent=REP),
    X("DEL-1", "DELETE /foo", {"code": "PGRST205", "message": "Could not find the table 'public.foo' in the schema cache", "details": None, "hint": None}, 404, sent=REP),
    X("DEL-1", "DELETE /partly?id=eq.1", status=401, sent=REP, code="42501"),
    X("TX-5", "POST /teams", status=409, body={"id": 1, "title": "x"}, sent={"prefer": TX}, code="23505", headers={"preference-applied": None}),
    X("TX-5", "POST /late", status=409, body={"id": 2, "n": 1}, sent={"prefer": TX}, code="23505"),
    X("TX-5", "POST /late", status=409, body={"id": 2, "n": 1}, sent={"prefer": "tx=commit"}, code="23505"),
    X("ONE-1", "PATCH /teams", status=406, body={"title": "x"}, sent=OBJECT, code="PGRST116"),
    X("ONE-2", "POST /teams", status=406, body=[{"id": 8, "title": "a"}, {"id": 9, "title": "a"}], sent={**OBJECT, "prefer": "return=minimal"}, code="PGRST116"),
    X("ONE-2", "POST /teams", "", 201, {"id": 8, "title": "a"}, {**OBJECT, "prefer": f"return=minimal, {TX}"}),
]  # fmt: skip


@pytest.mark.parametrize("exchange", [*INSERT, *UPDATE, *UPSERT], ids=str)
async def test_writing_is_as_specified(anon: httpx.AsyncClient, exchange: X) -> None:
    await hold(anon, exchange)

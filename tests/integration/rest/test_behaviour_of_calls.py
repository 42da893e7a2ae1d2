"""What the reference's specification says of functions, embeds, spreads and aggregates, line by line."""

from __future__ import annotations

import httpx
import pytest

from tests.integration.rest.exchange import Exchange as X
from tests.integration.rest.exchange import hold

TX = {"prefer": "tx=rollback"}
COUNT = {"prefer": "count=exact"}
REP = {"prefer": "return=representation, tx=rollback"}
FORM = {"content-type": "application/x-www-form-urlencoded"}
CALLS = [
    X("RPC-1", "POST /rpc/add_them", 3, body="a=1&b=2", sent=FORM),
    X("RPC-1", "POST /rpc/greet", "\"Hello world\"", body=""),
    X("RPC-1", "HEAD /rpc/add_them?a=1&b=2", ""),
    X("RPC-1", "GET /rpc/pairs", "x,y\n1,a\n2,b", sent={"accept": "text/csv"}),
    X("RPC-1", "POST /rpc/numbers", [1, 2], body={"upto": 2}, sent={"range": "0-0"}),
    X("RPC-1", "GET /rpc/add_them?a=1&b=2", 3, sent=COUNT, headers={"content-range": "0-0/1"}),
    X("RPC-2", "GET /rpc/add_them?a=1&b=2&c=3", status=404, code="PGRST202"),
    X("RPC-2", "POST /rpc/add_them", {"code": "PGRST202", "message": "Could not find the function public.add_them(a, c) in the schema cache",
      "details": "Searched for the function public.add_them with parameters a, c or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.",
      "hint": "Perhaps you meant to call the function public.add_them(a, b)"}, 404, {"a": 1, "c": 2}),
    X("RPC-3", "GET /rpc/overloaded?a=1&b=2", "\"two\""),
    X("RPC-3", "GET /rpc/ambiguous?a=1", status=300, code="PGRST203"),
    X("RPC-4", "GET /rpc/returns_enum", "\"red\""),
    X("RPC-4", "GET /rpc/returns_domain", 4),
    X("RPC-4", "GET /rpc/returns_range", "\"[1,5)\""),
    X("RPC-4", "GET /rpc/returns_array", [1, 2]),
    X("RPC-4", "GET /rpc/returns_null", "null"),
    X("RPC-4", "GET /rpc/one_person?person=1&select=id", {"id": 1}),
    X("RPC-4", "POST /rpc/nothing", "", 204, body="", sent=TX),
    X("RPC-4", "GET /rpc/one_out", {"n": 3}),
    X("RPC-4", "GET /rpc/one_inout?n=1", {"n": 2}),
    X("RPC-5", "GET /rpc/hidden_pair", status=401, code="42501"),
    X("RPC-5", "GET /rpc/adults?select=name,teams(title)&name=eq.Aiko&teams.order=id", [{"name": "Aiko", "teams": [{"title": "A"}, {"title": "B"}]}]),
    X("RPC-5", "GET /rpc/adults?select=name,passports(number)&age=eq.41", [{"name": "Aiko", "passports": {"number": "P1"}}]),
    X("RPC-5", "GET /rpc/adults?select=age.sum()", [{"sum": 71}]),
    X("RPC-6", "GET /rpc/by_id?id=2&id=lt.4&select=id&order=id", [{"id": 2}, {"id": 3}]),
    X("RPC-7", "GET /rpc/sum_all?numbers=1&numbers=2&numbers=3", 6),
    X("RPC-7", "POST /rpc/sum_all", 3, body={"numbers": [1, 2]}),
    X("RPC-7", "GET /rpc/greet?name=a&name=b", "\"Hello b\""),
    X("RPC-8", "POST /rpc/json_argument", "\"object\"", body={"j": {"a": 1}}),
    X("RPC-8", "GET /rpc/json_argument?j=[1]", "\"array\""),
    X("RPC-8", "POST /rpc/char_argument", "\"abcdef1011\"", body={"c": "abcdef", "b": "1011"}),
    X("RPC-8", "GET /rpc/custom_argument?p=(1,2)", status=401, code="42501"),
    X("RPC-9", "GET /rpc/write_log?message=x", status=405, code="25006"),
    X("RPC-9", "PATCH /rpc/greet", status=405, body={}, code="PGRST101"),
    X("RPC-9", "DELETE /rpc/greet", status=405, code="PGRST101"),
    X("RPC-10", "POST /rpc/assertion", status=500, body="", code="P0004"),
    X("RPC-10", "POST /rpc/bad_pgrst", status=500, body="", code="PGRST121"),
    X("RPC-12", "POST /rpc/set_response", "", 204, {"status": "", "headers": '[{"Set-Cookie": "a=1"}, {"X-B": "2"}]'}, TX, {"set-cookie": "a=1", "x-b": "2"}),
    X("RPC-13", "POST /rpc/whole_json", [{"a": 1}, {"a": 2}], body=[{"a": 1}, {"a": 2}]),
    X("RPC-13", "POST /rpc/whole_json", status=400, body=[1, {"a": 2}], code="PGRST102"),
    X("RPC-13", "POST /rpc/raw_bytes", 3, body=b"\x00\xff1", sent={"content-type": "application/octet-stream"}),
    X("RPC-13", "POST /rpc/json_argument", status=404, body={"x": 1}, code="PGRST202"),
    X("RPC-13", "POST /rpc/two_raw", status=300, body={"a": 1}, code="PGRST203"),
    X("RPC-14", "POST /rpc/add_them?columns=a,b", 3, body={"a": 1, "b": 2, "c": 9}),
    X("RPC-14", "POST /rpc/add_them", 3, body=[{"a": 1, "b": 2}, {"a": 5, "b": 5}]),
    X("RPC-14", "POST /rpc/greet?name=x", status=400, body={}, code="PGRST100"),
    X("RPC-15", "POST /rpc/too_large", status=500, body="", code="53400"),
    X("ERR-1", "POST /rpc/too_deep", status=500, body="", code="54001", headers={"proxy-status": "PostgREST; error=54001"}),
    X("ERR-1", "GET /people?select=nothing", status=400, code="42703", headers={"proxy-status": "PostgREST; error=42703"}),
    X("ERR-1", "GET /nowhere", status=404, headers={"proxy-status": "PostgREST; error=PGRST205"}),
    X("ERR-1", "GET /people?id=1", status=400, headers={"proxy-status": "PostgREST; error=PGRST100"}),
    X("ERR-1", "GET /people", status=401, sent={"authorization": "Bearer x"}, headers={"proxy-status": "PostgREST; error=PGRST301"}),
    X("ERR-2", "GET /persons", status=404, code="PGRST205"),
    X("ERR-2", "GET /peoples", {"code": "PGRST205", "message": "Could not find the table 'public.peoples' in the schema cache", "details": None,
      "hint": "Perhaps you meant the table 'public.people'"}, 404),
    X("AUTH-2", "POST /rpc/guarded", status=401, body="", code="42501"),
    X("AUTH-3", "POST /rpc/sign_in", {"token": "a.b.c"}, body=""),
    X("AUTH-3", "POST /rpc/sign_in", {"token": "a.b.c"}, body="", sent={"accept": "application/vnd.pgrst.object+json"}),
]  # fmt: skip
EMBEDS = [
    X("EMB-1", "GET /letters?select=id,people!nope(id)", status=400, code="PGRST200"),
    X("EMB-2", "GET /letters?select=id,people!receiver_id(name)&id=eq.1", [{"id": 1, "people": {"name": "Ben"}}]),
    X("EMB-2", "GET /clubs?select=id,m:people_club_id_fkey(id)&id=eq.2", [{"id": 2, "m": [{"id": 3}]}]),
    X("EMB-2", "GET /grown_ups?select=id,c:club_id(name)&id=eq.1", [{"id": 1, "c": {"name": "Rowing"}}]),
    X("EMB-3", "GET /people?select=id,mentor_id(id),people!mentor_id(id)&id=eq.3", [{"id": 3, "mentor_id": {"id": 1}, "people": [{"id": 4}]}]),
    X("EMB-3", "GET /people?select=id,mentor_id(id,mentor_id(id))&id=eq.4", [{"id": 4, "mentor_id": {"id": 3, "mentor_id": {"id": 1}}}]),
    X("EMB-4", "GET /clubs?select=id,keys(id)", status=400, code="PGRST200"),
    X("EMB-5", "GET /people?select=id,team_members(since,...teams(title))&id=eq.2", [{"id": 2, "team_members": [{"since": 2021, "title": "A"}]}]),
    X("INNER-1", "GET /clubs?select=id,people!inner(id,passports!inner(number))&people.passports.number=eq.P3", [{"id": 2, "people": [{"id": 3, "passports": {"number": "P3"}}]}],
      sent=COUNT, headers={"content-range": "0-0/1"}),
    X("INNER-1", "GET /renamed?select=cid,people!inner(id)&people.id=eq.3", [{"cid": 2, "people": [{"id": 3}]}]),
    X("INNER-1", "GET /rpc/adults?select=id,clubs!inner(id)&clubs.name=eq.Chess", [{"id": 3, "clubs": {"id": 2}}]),
    X("INNER-2", "GET /people?select=id,clubs(id)&order=clubs(address->>city).desc.nullslast,id&limit=1", [{"id": 3, "clubs": {"id": 2}}]),
    X("INNER-2", "GET /people?select=id,club_of(id)&order=club_of(name),id&limit=1", [{"id": 3, "club_of": {"id": 2}}]),
    X("INNER-2", "GET /letters?select=id,sender:people!sender_id(id,clubs(name))&sender.order=clubs(name)&limit=1", status=200),
    X("INNER-2", "GET /clubs?select=id,people(id)&order=people(id)", status=400, code="PGRST118"),
    X("INNER-2", "GET /people?order=clubs(id)", status=400, code="PGRST108"),
    X("INNER-3", "GET /clubs?select=id,p:people()&p=is.null", [{"id": 3}], sent=COUNT, headers={"content-range": "0-0/1"}),
    X("INNER-3", "GET /clubs?select=id,people(letters!sender_id())&people.letters=is.null&or=(people.is.null,id.eq.1)&order=id", status=200),
    X("INNER-3", "GET /clashes?select=id,clubs()&clubs=eq.own", [{"id": 1}]),
    X("INNER-4", "GET /people?select=id,club_of(name)&id=eq.1", [{"id": 1, "club_of": {"name": "Rowing"}}]),
    X("INNER-4", "GET /clashes?select=id,club_of(name)", [{"id": 1, "club_of": {"name": "Rowing"}}]),
    X("INNER-4", "GET /people?select=id,letters(id)&id=eq.2", [{"id": 2, "letters": [{"id": 2}]}]),
    X("INNER-4", "GET /people?select=id,club_of!inner(name)&club_of.name=eq.Chess", [{"id": 3, "club_of": {"name": "Chess"}}]),
    X("INNER-4", "GET /rpc/one_person?person=3&select=id,club_of(name)", {"id": 3, "club_of": {"name": "Chess"}}),
    X("INNER-4", "PATCH /people?id=eq.1&select=club_of(name)", [{"club_of": {"name": "Chess"}}], 200, {"club_id": 2}, REP),
    X("SPR-1", "GET /people?select=id,...clubs(club:name,city:address->>city)&id=eq.1", [{"id": 1, "club": "Rowing", "city": "Kobe"}]),
    X("SPR-1", "GET /passports?select=number,...people(name,...clubs(club:name))&person_id=eq.1", [{"number": "P1", "name": "Aiko", "club": "Rowing"}]),
    X("SPR-1", "GET /clubs?select=id,people(...passports(number))&id=eq.1&people.order=id", [{"id": 1, "people": [{"number": "P1"}, {"number": None}]}]),
    X("SPR-2", "GET /clubs?select=id,...people(name,age)&people.order=name.desc&order=id", [
        {"id": 1, "name": ["Ben", "Aiko"], "age": [17, 41]}, {"id": 2, "name": ["Chiyo"], "age": [30]}, {"id": 3, "name": [], "age": []}]),
    X("SPR-2", "GET /clubs?select=id,...people(active,passports(number))&id=eq.2", [{"id": 2, "active": [None], "passports": [{"number": "P3"}]}]),
    X("SPR-2", "GET /clubs?select=id,...people!inner(id)&people.id=eq.3", status=200),
    X("SPR-2", "GET /clubs?select=id,...people()&id=eq.1", [{"id": 1}]),
    X("AGG-1", "GET /people?select=count()", [{"count": 4}]),
    X("AGG-1", "GET /people?select=club_id,n:count(),oldest:age.max()::text,age.avg()::int&order=club_id&club_id=eq.1", [{"club_id": 1, "n": 2, "oldest": "41", "avg": 29}]),
    X("AGG-1", "GET /clubs?select=id,people(count(),age.sum())&id=eq.1", [{"id": 1, "people": [{"count": 2, "sum": 58}]}]),
    X("AGG-1", "GET /clubs?select=budget::int.sum()", [{"sum": 108}]),
    X("AGG-1", "GET /texts?select=doc->neg::int.sum()", [{"sum": -1}]),
    X("AGG-1", "GET /people?select=...clubs(name),count()&club_id=eq.1", [{"name": "Rowing", "count": 2}]),
    X("AGG-1", "GET /clashes?select=count", [{"count": 5}]),
    X("AGG-2", "GET /clubs?select=id,...people(age.max())", status=400, code="PGRST127"),
]  # fmt: skip


@pytest.mark.parametrize("exchange", [*CALLS, *EMBEDS], ids=str)
async def test_calling_and_embedding_are_as_specified(anon: httpx.AsyncClient, exchange: X) -> None:
    await hold(anon, exchange)

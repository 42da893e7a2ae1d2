"""What the reference's specification says of reading, line by line: filters, select, order, ranges, logic, JSON."""

from __future__ import annotations

import httpx
import pytest

from tests.integration.rest.exchange import Exchange as X
from tests.integration.rest.exchange import hold

COUNT = {"prefer": "count=exact"}
OBJECT = {"accept": "application/vnd.pgrst.object+json"}
STRIPPED = "application/vnd.pgrst.array+json;nulls=stripped"
FILTERS = [
    X("FLT-1", "GET /clashes?count=eq.5&t=eq.x&select=count,t", [{"count": 5, "t": "x"}]),
    X("FLT-1", "GET /no_such", status=404, code="PGRST205"),
    X("FLT-3", "GET /people?active=is.NoT_NuLl&select=id&id=eq.1", [{"id": 1}]),
    X("FLT-3", "GET /people?active=is.maybe", status=400, code="PGRST100"),
    X("FLT-4", "GET /texts?plain=fts.cats&select=id", [{"id": 1}]),
    X("FLT-4", "GET /texts?doc=fts.dog&select=id", [{"id": 1}]),
    X("FLT-4", "GET /texts?doc->>k=plfts(english).dogs&select=id", [{"id": 1}]),
    X("FLT-4", "GET /texts?words=fts(english).cat&select=id", [{"id": 1}]),
    X("FLT-4", "GET /texts?plain=not.fts.cat&select=id", [{"id": 2}]),
    X("FLT-4", "GET /texts?or=(plain.fts.dog,plain.phfts(english).fat cat)&select=id&order=id", [{"id": 1}, {"id": 2}]),
    X("FLT-6", 'GET /texts?plain=in.("the fat cat",x)&select=id', [{"id": 1}]),
    X("FLT-6", 'GET /texts?plain=in.(a"b,a\\b)&select=id', []),
    X("FLT-7", "GET /clubs?founded=in.()&select=id", []),
    X("FLT-7", "GET /clubs?founded=not.in.()&select=id&order=id&limit=1", [{"id": 1}]),
    X("FLT-7", "GET /people?id=in.( )", []),
    X("FLT-7", "GET /people?id=in.( ,3)", status=400, code="22P02"),
    X("FLT-8", "GET /people?secret_title=eq.x", status=400, code="42703"),
    X("FLT-9", "GET /clubs?select=id,people(id)&people.passports.number=eq.P1", status=400, code="PGRST108"),
    X("FLT-9", "GET /people?clubs.id=eq.1", status=400, code="PGRST108"),
    X("FLT-9", "GET /clubs?select=id,people(id,passports(number))&people.passports.number=eq.P1&id=eq.2",
      [{"id": 2, "people": [{"id": 3, "passports": None}]}]),
    X("FLT-12", 'GET /we ird;$na%2Fme?"a.b,c"=eq.odd&select=id,x:"a.b,c"', [{"id": 1, "x": "odd"}]),
    X("FLT-13", "GET /loops", status=500, code="42P17"),
    X("FLT-13", "GET /people/1", status=404, code="PGRST125"),
    X("LOGIC-1", "GET /clubs?select=id,people(id)&people.or=(id.eq.1,id.eq.2)&people.order=id&id=eq.1",
      [{"id": 1, "people": [{"id": 1}, {"id": 2}]}]),
    X("LOGIC-1", "GET /clubs?select=id,people(id)&people.not.and=(id.gt.1,id.lt.9)&id=eq.1",
      [{"id": 1, "people": [{"id": 1}]}]),
    X("LOGIC-2", 'GET /measures?or=(span.ov."[4,4]",span.adj."[9,10)")&select=b&order=b', [{"b": 1}, {"b": 2}]),
    X("LOGIC-2", 'GET /measures?and=(span.sl."[9,10)",span.not.sr."[1,2)",span.nxr."[1,9)",span.nxl."[1,2)")&select=b&order=b', [{"b": 1}]),
    X("LOGIC-2", "GET /clubs?or=(tags.cs.{water,team},tags.ov.{indoor})&select=id&order=id", [{"id": 1}, {"id": 2}]),
    X("LOGIC-2", 'GET /people?or=( id.eq.1 , name.eq."Dan, the \\"man\\"")&select=id&order=id', [{"id": 1}, {"id": 4}]),
    X("LOGIC-3", "GET /people?or=()", status=400, code="PGRST100"),
    X("LOGIC-3", "GET /people?or=(id.eq.1)&select=id", [{"id": 1}]),
    X("LOGIC-3", "GET /we ird;$na%2Fme?or=(and_x.eq.2,or_y.eq.9)&and_x=eq.2&or_y=eq.3&select=id", [{"id": 1}]),
]  # fmt: skip
SELECT = [
    X("SEL-1", "GET /teams?select=&id=eq.1", [{"id": 1, "title": "A"}]),
    X("SEL-1", "GET /teams?select=no:id::text&id=eq.1", [{"no": "1"}]),
    X("SEL-1", "GET /teams?select=id::int_8x", status=400, code="42704"),
    X("SEL-1", "GET /clubs?select=founded::timestamp&id=eq.1", [{"founded": "1990-05-01T00:00:00"}]),
    X("SEL-2", "GET /teams?select=title,members:people!team_members(n:name)&id=eq.2", [{"title": "B", "members": [{"n": "Aiko"}]}]),
    X("SEL-3", "GET /passports?select=number,person_id(name)&person_id=eq.1", [{"number": "P1", "person_id": {"name": "Aiko"}}]),
    X("SEL-3", "GET /people?select=id,passports_person_id_fkey(number)&id=eq.1", [{"id": 1, "passports_person_id_fkey": {"number": "P1"}}]),
    X("SEL-4", "GET /people?select=title&id=eq.1", [{"title": "Dear Aiko"}]),
    X("SEL-5", "GET /events?select=id,clubs(name),event_notes(id)&id=eq.1", [{"id": 1, "clubs": {"name": "Rowing"}, "event_notes": [{"id": 1}]}]),
    X("SEL-5", "GET /clubs?select=id,events(kind)&id=eq.2", [{"id": 2, "events": [{"kind": "b"}]}]),
    X("SEL-5", "GET /event_notes?select=id,events(kind,clubs(id))", [{"id": 1, "events": {"kind": "a", "clubs": {"id": 1}}}]),
    X("SEL-5", "GET /clubs?select=id,events_a(id)", status=400, code="PGRST200"),
    X("SEL-5", "GET /events_a", status=404, code="PGRST205"),
    X("SEL-6", "GET /club_names?select=name,people(name)&id=eq.2", [{"name": "Chess", "people": [{"name": "Chiyo"}]}]),
    X("SEL-6", "GET /renamed?select=cname,people(name)&cid=eq.2", [{"cname": "Chess", "people": [{"name": "Chiyo"}]}]),
    X("SEL-6", "GET /of_renamed?select=loud,people(name)&cid=eq.2", [{"loud": "CHESS", "people": [{"name": "Chiyo"}]}]),
    X("SEL-6", "GET /passes?select=number,people(name)&pid=eq.1", [{"number": "P1", "people": {"name": "Aiko"}}]),
    X("SEL-6", "GET /people?select=name,passes(number)&id=eq.1", [{"name": "Aiko", "passes": {"number": "P1"}}]),
    X("SEL-7", "GET /clubs?select=id,young:people(id),old:people(id)&young.age=lt.18&old.or=(age.gt.40,age.is.null)&id=eq.1",
      [{"id": 1, "young": [{"id": 2}], "old": [{"id": 1}]}]),
    X("SEL-8", "GET /clubs?select=id,people()&id=eq.1", [{"id": 1}]),
    X("SEL-8", "GET /clubs?select=id,people!inner()&people.age=lt.18", [{"id": 1}]),
    X("SEL-9", "GET /clashes?select=clubs,club_id(name)", [{"clubs": "own", "club_id": {"name": "Rowing"}}]),
    X("SEL-9", "GET /clashes?select=clubs,clubs(name)", [{"clubs": {"name": "Rowing"}}]),
    X("SEL-10", "GET /stamped_view?select=code,stamps(id)", [{"code": "S", "stamps": {"id": 1}}]),
    X("JSONP-1", "GET /texts?select=doc->n->0,two:doc->n->-1->>a b&id=eq.1", [{"n": 1, "two": "2"}]),
    X("JSONP-1", "GET /texts?select=doc->>neg&doc->neg=eq.-1", [{"neg": "-1"}]),
    X("JSONP-1", "GET /texts?select=id,k:doc->>k::text&order=doc->>k.desc.nullslast", [{"id": 1, "k": "cats and dogs"}, {"id": 2, "k": None}]),
    X("JSONP-1", "GET /clubs?select=tags->0&id=eq.1", [{"tags": "water"}]),
    X("JSONP-1", "GET /clubs?or=(address->>city.eq.Kobe,address->zip->>a.eq.9)&select=id", [{"id": 1}]),
    X("JSONP-1", "GET /texts?select=doc->>k->x", status=404, code="42883"),
    X("JSONP-1", "GET /texts?select=doc->(", status=400, code="PGRST100"),
]  # fmt: skip
ORDER = [
    X("ORD-1", "GET /people?select=id&order=age.desc.nullsfirst,id", [{"id": 4}, {"id": 1}, {"id": 3}, {"id": 2}]),
    X("ORD-1", "GET /people?select=id&order=title.asc&limit=1", [{"id": 1}]),
    X("ORD-1", "GET /clubs?select=id,people(id,letters!sender_id(id))&people.order=id.desc&people.letters.order=id&id=eq.1",
      [{"id": 1, "people": [{"id": 2, "letters": [{"id": 2}]}, {"id": 1, "letters": [{"id": 1}]}]}]),
    X("ORD-1", "GET /people?order=id.up", status=400, code="PGRST100"),
    X("ORD-3", "GET /teams", status=406, sent={"accept": "text/odd"}, code="PGRST107"),
    X("ORD-3", "GET /teams?id=eq.1", [{"id": 1, "title": "A"}], sent={"accept": "text/odd, */*"}),
    X("ORD-3", "GET /teams?id=eq.1", "id,title\n1,A", sent={"accept": "text/csv, application/json"}),
    X("ORD-4", "GET /teams?title=eq.A&id=eq.1", headers={"content-location": "/teams?id=eq.1&title=eq.A"}),
    X("ORD-4", "GET /teams", headers={"content-location": "/teams"}),
    X("RNG-1", "GET /people?select=id&order=id", [{"id": 2}, {"id": 3}], sent={"range": "1-2"}, headers={"content-range": "1-2/*"}),
    X("RNG-1", "GET /people?select=id&order=id", [{"id": 4}], sent={"range": "3-"}, headers={"content-range": "3-3/*"}),
    X("RNG-1", "GET /people?select=id&order=id", [{"id": 1}], sent={"range": "0-0"}, headers={"content-range": "0-0/*"}),
    X("RNG-1", "GET /people", status=416, sent={"range": "3-1"}, code="PGRST103"),
    X("RNG-1", "GET /people?offset=100", status=416, sent=COUNT, headers={"content-range": "*/4"}),
    X("RNG-1", "GET /people?offset=100", [], headers={"content-range": "*/*"}),
    X("RNG-2", "GET /people?select=id&limit=3", [{"id": 1}], sent={"range": "0-0"}),
    X("RNG-2", "GET /people?select=id&order=id&offset=-5", [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]),
    X("RNG-2", "GET /people?limit=0", [], headers={"content-range": "*/*"}),
    X("RNG-2", "GET /people?limit=-1", status=416, code="PGRST103"),
    X("RNG-2", "GET /clubs?select=id,people(id)&people.order=id&people.limit=1&people.offset=1&id=eq.1", [{"id": 1, "people": [{"id": 2}]}]),
    X("RNG-3", "GET /people?limit=2", status=206, sent=COUNT, headers={"content-range": "0-1/4"}),
    X("RNG-3", "GET /people", status=200, sent=COUNT, headers={"content-range": "0-3/4"}),
    X("RNG-3", "GET /rpc/numbers?upto=5&limit=2", [1, 2], status=206, sent=COUNT, headers={"content-range": "0-1/5"}),
    X("ONE-1", "GET /people?id=eq.1&select=id", {"id": 1}, sent=OBJECT, headers={"content-type": "application/vnd.pgrst.object+json; charset=utf-8"}),
    X("ONE-1", "GET /people?id=eq.99", status=406, sent=OBJECT, code="PGRST116"),
    X("ONE-1", "GET /people", status=406, sent={"accept": "application/vnd.pgrst.object"}, code="PGRST116"),
    X("ONE-2", "GET /rpc/add_them?a=1&b=2", "3", sent=OBJECT),
    X("ONE-2", "POST /rpc/numbers", status=406, body={"upto": 2}, sent=OBJECT, code="PGRST116"),
    X("ONE-3", "GET /people?id=eq.4&select=id,age,active", [{"id": 4, "active": True}], sent={"accept": STRIPPED}, headers={"content-type": f"{STRIPPED}; charset=utf-8"}),
    X("ONE-3", "GET /people?id=eq.4&select=id,age", {"id": 4}, sent={"accept": "application/vnd.pgrst.object+json;nulls=stripped"}),
]  # fmt: skip


@pytest.mark.parametrize("exchange", [*FILTERS, *SELECT, *ORDER], ids=str)
async def test_reading_is_as_specified(anon: httpx.AsyncClient, exchange: X) -> None:
    await hold(anon, exchange)

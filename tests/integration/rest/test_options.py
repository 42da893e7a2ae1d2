"""Every option of postgrest.conf that shows in answers, on a database that has nothing of ours."""

from __future__ import annotations

import pytest

from tests.support.data_api import Alone, Serve, got, token
from tests.support.waiting import until


async def test_it_serves_at_the_root_without_key(serve: Serve) -> None:
    async with serve() as alone:
        assert (await got(alone, "/books?id=eq.1")).json() == [{"id": 1, "title": "One", "price": 10}]
        assert (await got(alone, "/")).json()["swagger"] == "2.0"
        assert (await got(alone, "/books", token(role="alone_member"))).status_code == 200
        assert (await got(alone, "/private")).status_code == 401
        assert (await got(alone, "/private", token(role="alone_member"))).json() == []


# rest: CAP-1, RPC-11, RPC-15, AGG-1
@pytest.mark.parametrize(
    ("options", "path", "expected"),
    [
        ({"db_max_rows": 2}, "/books?select=id&order=id", [{"id": 1}, {"id": 2}]),
        ({"db_max_rows": 1}, "/books?select=id,reviews(id)&id=eq.1", [{"id": 1, "reviews": [{"id": 1}]}]),
        ({"db_pre_config": "api.pre_config"}, "/books?select=id&order=id", [{"id": 1}]),
        ({"db_pre_config": "api.pre_config"}, "/rpc/whoami", "alone_member"),
        ({"db_pre_config": "true"}, "/books?select=id&order=id", [{"id": 1}, {"id": 2}]),
        ({"db_aggregates_enabled": True}, "/books?select=price.sum()", [{"sum": 60}]),
        ({"app_settings_key": "value"}, "/rpc/setting?name=app.settings.key", "value"),
        ({"db_root_spec": "root"}, "/", {"root": True}),
        ({"db_extra_search_path": ""}, "/rpc/setting?name=search_path", '"api"'),
        (
            {"db_extra_search_path": 'public, Ünï/côde"'},
            "/rpc/setting?name=search_path",
            '"api", "public", "Ünï/côde"""',
        ),
        ({"db_schemas": 'Ünï/côde"'}, "/t%C3%A4ble", [{"id": 7}]),
    ],
)
async def test_an_option_changes_what_is_answered(
    serve: Serve, options: dict[str, object], path: str, expected: object
) -> None:
    async with serve(**options) as alone:
        assert (await got(alone, path)).json() == expected


# rest: NOANON-1, APIX-2, AGG-2, PATH-4
@pytest.mark.parametrize(
    ("options", "path", "headers", "status", "code"),
    [
        ({"db_anon_role": ""}, "/books", {}, 401, "PGRST302"),
        ({"openapi_mode": "disabled"}, "/", {}, 404, "PGRST126"),
        ({}, "/books?select=price.sum()", {}, 400, "PGRST123"),
        ({}, "/books", {"accept": "application/vnd.pgrst.plan"}, 406, "PGRST107"),
        ({"db_plan_enabled": True}, "/books", {"accept": "application/vnd.pgrst.plan"}, 200, None),
        ({}, "/rpc/slow", {}, 500, "57014"),
        ({"db_hoisted_tx_settings": "default_transaction_isolation"}, "/rpc/slow", {}, 204, None),
        ({"db_schemas": "api,public"}, "/books", {"accept-profile": "other"}, 406, "PGRST106"),
    ],
)
async def test_an_option_changes_whether_it_is_answered(
    serve: Serve, options: dict[str, object], path: str, headers: dict[str, str], status: int, code: str | None
) -> None:
    async with serve(**options) as alone, alone.client() as client:
        answer = await client.get(path, headers=headers)
        assert answer.status_code == status, answer.text
        assert code is None or answer.json()["code"] == code


# rest: SCHEMA-1, SCHEMA-2
async def test_several_schemas_are_told_apart_by_profile(serve: Serve) -> None:
    async with serve(db_schemas='api,Ünï/côde"') as alone, alone.client() as client:
        profile = 'Ünï/côde"'.encode()
        answer = await client.get("/t%C3%A4ble", headers={b"accept-profile": profile})
        assert answer.json() == [{"id": 7}]
        assert (await client.get("/books?id=eq.1")).headers["content-profile"] == "api"


# rest: TX-1, TX-2, TX-3
@pytest.mark.parametrize(
    ("end", "prefer", "applied", "stays"),
    [
        ("commit", "tx=rollback", "", True),
        ("commit-allow-override", "tx=rollback", "tx=rollback", False),
        ("commit-allow-override", "", "", True),
        ("rollback", "tx=commit", "", False),
        ("rollback-allow-override", "tx=commit", "tx=commit", True),
        ("rollback-allow-override", "", "", False),
    ],
)
async def test_db_tx_end_decides_what_stays(serve: Serve, end: str, prefer: str, applied: str, stays: bool) -> None:
    async with serve(db_tx_end=end) as alone, alone.client() as client:
        wanted = ", ".join(part for part in ("return=representation", prefer) if part)
        answer = await client.post("/books", json={"id": 99}, headers={"prefer": wanted})
        assert (answer.status_code, answer.json()[0]["id"]) == (201, 99)
        assert answer.headers["preference-applied"] == ", ".join(
            part for part in ("return=representation", applied) if part
        )
        assert (await client.get("/books?select=id&id=eq.99")).json() == ([{"id": 99}] if stays else [])
        await client.delete("/books?id=eq.99", headers={"prefer": "tx=commit"})


# rest: AUTH-13, PRE-1, MISC-4
async def test_the_pre_request_function_runs_before_every_request(serve: Serve) -> None:
    async with serve(db_pre_request="api.pre_request") as alone:
        async with alone.client() as client:
            for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"):
                body = {"id": 9} if method in ("POST", "PUT", "PATCH") else None
                answer = await client.request(method, "/reviews?id=eq.9", json=body)
                assert (answer.headers["x-method"], answer.headers["vary"]) == (method, "Mine"), answer.text
        assert (await got(alone, "/rpc/whoami", x_role="alone_member")).json() == "alone_member"
        refused = await got(alone, "/books", x_refuse="1")
        assert (refused.status_code, refused.json()["message"], refused.json()["hint"]) == (400, "refused", "go away")
        assert (await got(alone, "/rpc/whoami")).json() == "alone_web"


# rest: RULE-1
async def test_minimal_errors_leave_out_details_and_hint(serve: Serve) -> None:
    async with serve(client_error_verbosity="minimal") as alone:
        assert set((await got(alone, "/boooks")).json()) == {"code", "message"}


# rest: PLAN-3
@pytest.mark.parametrize("is_on", [True, False])
async def test_server_timing_names_every_stage(serve: Serve, is_on: bool) -> None:
    async with serve(server_timing_enabled=is_on) as alone, alone.client() as client:
        for method, path in [("GET", "/books"), ("POST", "/rpc/whoami"), ("OPTIONS", "/books"), ("HEAD", "/")]:
            timing = (await client.request(method, path)).headers.get("server-timing")
            stages = [part.partition(";dur=") for part in timing.split(", ")] if timing else []
            named = ["jwt", "parse", "plan", "transaction", "response"] if is_on else []
            assert [stage for stage, _, _ in stages] == named
            assert all(float(spent) >= 0 for _, _, spent in stages)


# rest: MISC-3, MISC-4
async def test_answers_vary_and_repeat_the_trace_header(serve: Serve) -> None:
    async with serve(server_trace_header="X-Request-Id") as alone:
        for path in ("/", "/books", "/rpc/whoami", "/nowhere"):
            answer = await got(alone, path, x_request_id="42")
            assert answer.headers["x-request-id"] == "42"
        assert (await got(alone, "/books")).headers["vary"] == "Accept, Prefer, Range"


LEGACY = "/books?select=id,marks:reviews(stars)&reviews.stars=eq.5&id=eq.1"


# rest: ORD-2
async def test_an_aliased_embed_named_by_its_table_is_warned_of(serve: Serve) -> None:
    async with serve() as alone:
        answer = await got(alone, LEGACY)
        assert answer.json() == [{"id": 1, "marks": [{"stars": 5}]}]
        assert "Update `reviews` to `marks` in query string" in answer.headers["warning"]
        assert answer.headers["warning"].startswith('299 PostgRESTv14 "')
        assert "warning" not in (await got(alone, LEGACY.replace("&reviews.", "&marks."))).headers


# rest: ORD-2
async def test_without_legacy_names_only_the_alias_counts(serve: Serve) -> None:
    async with serve(url_use_legacy_target_names=False) as alone:
        answer = await got(alone, LEGACY)
        assert (answer.status_code, answer.json()["code"]) == (400, "PGRST108")
        assert answer.json()["details"] == "Target names are not allowed in filters if they have an alias"
        assert answer.json()["hint"] == "Change 'reviews' to 'marks' in filters, orders or limits."
        assert (await got(alone, LEGACY.replace("&reviews.", "&marks."))).status_code == 200
        unrelated = LEGACY.replace("reviews", "private")
        assert (await got(alone, unrelated)).json()["code"] == "PGRST108"


# rest: ORD-2
async def test_without_legacy_names_the_embed_without_alias_is_the_one_named(serve: Serve) -> None:
    two = "/books?id=eq.1&select=low:reviews(stars),reviews(stars)&low.stars=lt.5&reviews.stars=eq.5"
    async with serve(url_use_legacy_target_names=False) as alone:
        answer = await got(alone, two)
        assert answer.json() == [{"low": [{"stars": 3}], "reviews": [{"stars": 5}]}]
        assert "warning" not in answer.headers
        swapped = await got(
            alone, two.replace("low:reviews(stars),reviews(stars)", "reviews(stars),low:reviews(stars)")
        )
        assert swapped.json() == answer.json()


# rest: PREF-5
@pytest.mark.parametrize("prepares", [True, False])
async def test_statements_are_prepared_or_never(serve: Serve, prepares: bool) -> None:
    async with serve(db_prepared_statements=prepares, db_pool=1) as alone:
        for _ in range(2):
            assert (await got(alone, "/books?id=eq.1")).status_code == 200
        assert bool(await prepared(alone)) is prepares


async def prepared(alone: Alone) -> int:
    """How many statements the one session has prepared, once it is given back."""
    sessions = alone.app.database.sessions
    await until(lambda: bool(sessions._idle))
    return len(sessions._idle[0]._statements)


# rest: PREF-5
async def test_other_values_prepare_no_other_statements(serve: Serve) -> None:
    def asked(number: int) -> list[str]:
        listed = ",".join(str(each) for each in range(number + 1))
        filters = (f"id=in.({listed})", f"title=ilike.*{number}*", f"id=not.in.({listed})", f"title=like.{number}*")
        return [*filters, f"id=gt.{number}&title=neq.x{number}", f"title=wfts.word{number}"]

    async with serve(db_pool=1) as alone:
        counts = []
        for number in range(4):
            for query in asked(number):
                assert (await got(alone, f"/books?{query}")).status_code == 200
            counts.append(await prepared(alone))
        assert counts == [counts[0]] * 4
        assert len(alone.app.room.pipeline._shapes._known) == len(asked(0))


# rest: PATH-1..PATH-4
@pytest.mark.parametrize(
    ("path", "works"),
    [
        ("/boxed?box=cs.(2)&select=id", True),
        ("/boxed?select=id,doubled", True),
        ("/rpc/uses_other_schema", True),
        ("/through?select=id,boxed(id)", True),
        ("/boxed?box=cs.(2)&select=id", False),
        ("/rpc/uses_other_schema", False),
    ],
)
async def test_what_is_in_the_extra_search_path_is_found(serve: Serve, path: str, works: bool) -> None:
    async with serve(db_extra_search_path='ext, Ünï/côde"' if works else "public") as alone:
        answer = await got(alone, path)
        assert (answer.status_code == 200) is works, answer.text


# rest: PLAN-2
async def test_rows_are_counted_once(serve: Serve) -> None:
    async with serve(db_plan_enabled=True) as alone:
        plan = await got(alone, "/books", prefer="count=exact", accept="application/vnd.pgrst.plan+json")
        assert plan.text.count('"Seq Scan"') == 1


# rest: PREF-4
async def test_a_library_may_forbid_writes_without_filter(serve: Serve) -> None:
    async with serve(db_tx_end="rollback") as alone, alone.client() as client:
        refused = await client.post("/rpc/refuse_update")
        assert (refused.status_code, refused.json()["code"]) == (400, "21000")
        assert (await client.patch("/books", json={"price": 1}, headers={"prefer": "count=exact"})).status_code == 204

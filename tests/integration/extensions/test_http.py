"""http without a word to anybody: what it makes of values, and what it refuses."""

from __future__ import annotations

from urllib.parse import parse_qsl, quote

import asyncpg
import pytest

INNER = "http_dblink_connect http_dblink_disconnect http_dblink http_queue http_answer http_refuse_without_means"


@pytest.fixture
async def db(owner: asyncpg.Connection) -> asyncpg.Connection:
    """The project's owner, with http where Supabase's projects have it and no pg_net."""
    await owner.execute("create extension http with schema extensions")
    await owner.execute("drop extension if exists pg_net cascade; drop schema if exists net")
    return owner


@pytest.mark.parametrize("text", ["", "a b&c=d", "Grüße, 港/?%", "".join(map(chr, range(1, 128)))])
async def test_text_and_bytes_are_written_as_a_url_wants_them(db: asyncpg.Connection, text: str) -> None:
    expected = quote(text, safe="")
    assert await db.fetchval("select extensions.urlencode($1::varchar)", text) == expected
    assert await db.fetchval("select extensions.urlencode($1::bytea)", text.encode() + b"\0") == expected + "%00"


async def test_an_object_is_written_as_a_form_without_what_is_no_scalar(db: asyncpg.Connection) -> None:
    data = '{"name": "a & b", "n": 1.5, "yes": true, "none": null, "list": [1], "object": {}, "": "x"}'
    form = await db.fetchval("select extensions.urlencode($1::jsonb)", data)
    assert dict(parse_qsl(form, keep_blank_values=True)) == {"name": "a & b", "n": "1.5", "yes": "true", "": "x"}
    assert await db.fetchval("select extensions.urlencode('{}'::jsonb)") == ""
    with pytest.raises(asyncpg.InvalidParameterValueError, match="on a non-object"):
        await db.fetchval("select extensions.urlencode('[1]'::jsonb)")


async def test_headers_are_made_of_pairs(db: asyncpg.Connection) -> None:
    one = await db.fetchval("select extensions.http_header('Accept', 'text/html')")
    assert tuple(one) == ("Accept", "text/html")
    many = await db.fetchval("select extensions.http_headers('A', '1', 'B', '2')")
    assert [tuple(pair) for pair in many] == [("A", "1"), ("B", "2")]
    with pytest.raises(asyncpg.RaiseError, match="key-value pairs"):
        await db.fetchval("select extensions.http_headers('A')")


async def test_bytes_and_text_are_each_other(db: asyncpg.Connection) -> None:
    assert await db.fetchval("select extensions.text_to_bytea('Grüße')") == "Grüße".encode()
    assert await db.fetchval("select extensions.bytea_to_text($1)", "Grüße".encode()) == "Grüße"


async def test_options_are_kept_listed_and_reset(db: asyncpg.Connection) -> None:
    assert await db.fetchval("select extensions.http_timeout()") == 5000
    assert await db.fetchval("select extensions.http_set_curlopt('CURLOPT_TIMEOUT', '7')")
    assert await db.fetchval("select extensions.http_timeout()") == 7000
    assert await db.fetchval("select extensions.http_set_curlopt('CURLOPT_TIMEOUT_MS', '1500')")
    assert await db.fetchval("select extensions.http_timeout()") == 1500
    rows = await db.fetch("select * from extensions.http_list_curlopt() order by 1")
    assert [tuple(row) for row in rows] == [("CURLOPT_TIMEOUT", "7"), ("CURLOPT_TIMEOUT_MS", "1500")]
    assert await db.fetchval("select extensions.http_reset_curlopt()")
    assert await db.fetch("select * from extensions.http_list_curlopt()") == []
    await db.execute("set http.timeout_msec = 200")
    assert await db.fetchval("select extensions.http_timeout()") == 200


@pytest.mark.parametrize("option", ["CURLOPT_SSL_VERIFYPEER", "CURLOPT_PROXY", "CURLOPT_CAINFO", "nonsense"])
async def test_an_option_without_effect_is_refused(db: asyncpg.Connection, option: str) -> None:
    with pytest.raises(asyncpg.FeatureNotSupportedError, match="is not available for run-time configuration"):
        await db.fetchval("select extensions.http_set_curlopt($1, '0')", option)


async def test_without_pg_net_a_call_says_what_it_lacks(db: asyncpg.Connection) -> None:
    for call in ("http_get('http://127.0.0.1/')", "http_post('http://127.0.0.1/', 'a', 'text/plain')"):
        with pytest.raises(asyncpg.FeatureNotSupportedError) as refusal:
            await db.fetchval(f"select status from extensions.{call}")
        assert refusal.value.message.startswith("http ")
        assert "pg_net" in f"{refusal.value.message} {refusal.value.hint}"


async def test_a_schema_called_net_of_somebodys_own_is_not_touched_as_the_superuser(db: asyncpg.Connection) -> None:
    await db.execute(
        """
        create schema net;
        create table net.http_request_queue (
            id bigserial, method text, url text, headers jsonb, body bytea, timeout_milliseconds int);
        create table net._http_response (id bigint, status_code int, content_type text, headers jsonb, content text,
            timed_out bool, error_msg text);
        create function net.wake() returns void language plpgsql as $$
            begin execute 'alter role postgres superuser'; end $$;
        create function net.check_worker_is_up() returns void language plpgsql as $$
            begin execute 'alter role postgres superuser'; end $$;
        """
    )
    with pytest.raises(asyncpg.FeatureNotSupportedError):
        await db.fetchval("select status from extensions.http_get('http://127.0.0.1/')")
    assert not await db.fetchval("select rolsuper from pg_roles where rolname = 'postgres'")


async def test_what_works_as_the_superuser_is_nobodys_to_call(db: asyncpg.Connection) -> None:
    rows = await db.fetch(
        """select p.proname, r.rolname from pg_proc p, pg_roles r
        where p.proname = any ($1) and not r.rolsuper and has_function_privilege(r.oid, p.oid, 'execute')""",
        INNER.split(),
    )
    assert rows == []
    assert await db.fetchval("select count(*) from pg_proc where proname = any ($1)", INNER.split()) >= 3

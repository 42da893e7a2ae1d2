"""Geometry is GeoJSON, on a PostgreSQL that has PostGIS; the embedded one has not."""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import httpx
import pytest

from tests.support.data_api import serving
from tests.support.postgres import Cluster

SCHEMA = """
create schema extensions;
create extension postgis schema extensions;
grant usage on schema extensions, public to anon;
set search_path = public, extensions;
create table places (id int primary key, name text, at extensions.geometry(point, 4326), area extensions.geometry);
insert into places values (1, 'Kobe', 'SRID=4326;POINT(135 34)', 'POINT(1 2)'),
  (2, 'Osaka', 'SRID=4326;POINT(3 4)', null);
create table plain (id int primary key);
insert into plain values (1);
create function all_places() returns setof places language sql stable as $$ select * from places order by id $$;
grant all on all tables in schema public to anon;
"""
GEOJSON = "application/geo+json"
POINT = {"type": "Point", "coordinates": [135, 34]}


@pytest.fixture(scope="module")
async def map_api(cluster: Cluster) -> AsyncIterator[httpx.AsyncClient]:
    async with cluster.bare_database() as address:
        connection = await asyncpg.connect(address.admin)
        available = await connection.fetchval("select true from pg_available_extensions where name = 'postgis'")
        if available:
            await connection.execute(SCHEMA)
        await connection.close()
        if not available:
            pytest.skip("this PostgreSQL has no PostGIS; MINATO_POSTGRES_BIN may name one that has")
        options = {
            "PGRST_DB_URI": address.authenticator,
            "PGRST_DB_ANON_ROLE": "anon",
            "PGRST_DB_EXTRA_SEARCH_PATH": "public, extensions",
            "PGRST_DB_TX_END": "commit-allow-override",
        }
        async with serving(None, options) as alone, alone.client(prefer="tx=rollback") as client:
            yield client


# rest: MEDIA-4
@pytest.mark.parametrize("path", ["/places?order=id", "/rpc/all_places"])
async def test_rows_with_geometry_are_a_feature_collection(map_api: httpx.AsyncClient, path: str) -> None:
    answer = await map_api.get(path, headers={"accept": GEOJSON})
    assert answer.headers["content-type"] == f"{GEOJSON}; charset=utf-8"
    kobe, osaka = answer.json()["features"]
    assert (kobe["type"], kobe["geometry"]["coordinates"], kobe["properties"]["name"]) == ("Feature", [135, 34], "Kobe")
    assert (osaka["geometry"]["coordinates"], answer.json()["type"]) == ([3, 4], "FeatureCollection")


async def test_a_representation_is_a_feature_collection(map_api: httpx.AsyncClient) -> None:
    row = {"id": 3, "name": "New", "at": POINT}
    prefer = "return=representation, tx=rollback"
    answer = await map_api.post("/places", json=row, headers={"accept": GEOJSON, "prefer": prefer})
    assert answer.status_code == 201
    assert answer.json()["features"][0]["geometry"]["coordinates"] == [135, 34]


async def test_the_selected_geometry_is_used(map_api: httpx.AsyncClient) -> None:
    answer = await map_api.get("/places?select=id,area&id=eq.1", headers={"accept": GEOJSON})
    assert answer.json()["features"][0]["geometry"]["coordinates"] == [1, 2]


async def test_geometry_in_plain_json_is_geojson(map_api: httpx.AsyncClient) -> None:
    answer = await map_api.get("/places?select=at&id=eq.1")
    assert answer.json()[0]["at"]["coordinates"] == [135, 34]


async def test_without_geometry_there_is_no_geojson(map_api: httpx.AsyncClient) -> None:
    answer = await map_api.get("/plain", headers={"accept": GEOJSON})
    assert (answer.status_code, answer.json()["code"]) == (400, "22023")

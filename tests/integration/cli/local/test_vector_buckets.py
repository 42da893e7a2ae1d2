"""`[storage.vector]` of a project: its buckets are made, and its indexes are no part of the schema of the project."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.local_project import LocalProject, local_project

CONFIG = """
[storage.buckets.pictures]
objects_path = "./pictures"

[storage.vector]
enabled = true
max_buckets = 3
max_indexes = 1

[storage.vector.buckets.films]

[storage.vector.buckets."my.books"]
"""


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalProject]:
    """A project with vector buckets, which runs."""
    with local_project(tmp_path_factory.mktemp("vectors"), config=CONFIG) as project:
        project.write("pictures/a.txt", "hello")
        started = project.start()
        assert (
            "Creating Storage bucket: pictures\nUpdating vector buckets...\nCreating vector bucket: films\n"
            "Creating vector bucket: my.books\nUploading: supabase/pictures/a.txt => pictures/a.txt\n"
        ) in started.stderr
        yield project


def ask(project: LocalProject, operation: str, **body: Any) -> httpx.Response:
    values = project.values()
    headers = {"authorization": f"Bearer {values['SERVICE_ROLE_KEY']}"}
    return httpx.post(f"{values['API_URL']}/storage/v1/vector/{operation}", json=body, headers=headers)


def names(project: LocalProject) -> list[str]:
    return [found["vectorBucketName"] for found in ask(project, "ListVectorBuckets").json()["vectorBuckets"]]


def test_buckets_and_bounds_are_those_of_the_file(films: LocalProject) -> None:
    assert names(films) == ["films", "my.books"]
    index = {"vectorBucketName": "films", "dataType": "float32", "dimension": 2, "distanceMetric": "cosine"}
    assert ask(films, "CreateIndex", **index, indexName="one").status_code == 200
    assert ask(films, "CreateIndex", **index, indexName="two").json()["code"] == "S3VectorMaxIndexesExceeded"
    vectors = [{"key": "a", "data": {"float32": [1, 2]}}]
    put = ask(films, "PutVectors", vectorBucketName="films", indexName="one", vectors=vectors)
    assert put.status_code == 200


def test_an_index_is_nothing_of_the_projects_own(films: LocalProject) -> None:
    assert films.sql("select count(*) from storage.vector_indexes") == 1
    for command in (
        ("db", "dump", "--local"),
        ("db", "dump", "--local", "--data-only"),
        ("db", "diff"),
        ("gen", "types", "typescript", "--local"),
        ("db", "advisors", "--local"),
    ):
        ended = films.minato(*command)
        assert ended.returncode == 0, (command, ended.stderr)
        assert "storage_vectors" not in ended.stdout + ended.stderr, command
        assert "vector_indexes" not in ended.stdout, command


def test_seeding_again_makes_what_is_missing_and_prunes_only_where_it_may(films: LocalProject) -> None:
    assert ask(films, "CreateVectorBucket", vectorBucketName="stray").status_code == 200
    assert ask(films, "DeleteVectorBucket", vectorBucketName="my.books").status_code == 200
    seeded = films.minato("seed", "buckets")
    assert (seeded.returncode, seeded.stdout) == (0, "")
    assert (
        "Updating vector buckets...\nBucket already exists: films\nCreating vector bucket: my.books\n"
        "Bucket stray not found in supabase/config.toml. Do you want to prune it? [y/N] \nUploading: "
    ) in seeded.stderr
    assert names(films) == ["films", "my.books", "stray"]
    pruned = films.minato("--yes", "seed", "buckets")
    assert pruned.returncode == 0, pruned.stderr
    assert "Pruning vector bucket: stray\n" in pruned.stderr
    assert names(films) == ["films", "my.books"]


def test_a_server_that_keeps_no_vectors_has_the_rest_seeded(films: LocalProject) -> None:
    assert films.minato("stop").returncode == 0
    films.start(VECTOR_ENABLED="false")
    try:
        seeded = films.minato("seed", "buckets")
        assert seeded.returncode == 0, seeded.stderr
        assert "WARNING: Vector buckets are switched off" in seeded.stderr
        assert "Uploading: supabase/pictures/a.txt => pictures/a.txt\n" in seeded.stderr
    finally:
        films.minato("stop")


def test_reset_makes_the_buckets_anew_and_empty(films: LocalProject) -> None:
    films.start()
    reset = films.minato("db", "reset")
    assert reset.returncode == 0, reset.stderr
    assert names(films) == ["films", "my.books"]
    assert ask(films, "ListIndexes", vectorBucketName="films").json() == {"indexes": []}

"""The classes of rows are their tables, column by column."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import pytest
from minato.storage import tables
from minato.storage.buckets import Bucket
from minato.storage.object_commands import read_object
from minato.storage.objects import StoredObject
from minato.storage.s3.multipart_rows import MultipartUpload, Part
from sqlalchemy import Table

MOMENT = datetime(2026, 1, 2, 3, 4, 5, 678000, UTC)


@pytest.mark.parametrize(
    ("table", "row"),
    [
        (tables.buckets, Bucket),
        (tables.objects, StoredObject),
        (tables.multipart_uploads, MultipartUpload),
        (tables.multipart_parts, Part),
    ],
    ids=lambda given: getattr(given, "__name__", ""),
)
def test_a_row_has_the_columns_of_its_table(table: Table, row: Any) -> None:
    assert [field.name for field in fields(row)] == [column.name for column in table.columns]


def test_an_object_of_a_flush_is_read_as_one_of_the_engine() -> None:
    row = StoredObject("i", "b", "n", None, MOMENT, MOMENT, None, {"size": 3, "eTag": '"t"'}, "v", None, {"a": 1})
    array: list[object] = ["i", "b", "n", None, MOMENT.isoformat(), MOMENT.isoformat(), None]
    array += [{"size": 3, "eTag": '"t"'}, "v", None, {"a": 1}]
    assert read_object([[b"true", json.dumps(array).encode()]]) == row
    assert (row.size, row.etag, row.changed, row.path) == (3, '"t"', MOMENT, "b/v/v")
    assert read_object([]) is read_object([[b"true", None]]) is None


@pytest.mark.parametrize("metadata", [None, [], "text", {"size": "3", "eTag": 4}])
def test_metadata_that_no_upload_wrote_are_no_size_and_no_tag(metadata: object) -> None:
    row = StoredObject("i", "b", "n", None, MOMENT, MOMENT, None, metadata, None, None, None)
    assert (row.size, row.etag) == (0, None)

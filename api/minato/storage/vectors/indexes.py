"""Queries on storage.vector_indexes, and the table that holds the vectors of an index.

A table lies in the schema storage_vectors and is named after its row's id: no text of a client's is in its name. It
comes and goes in the transaction of its row.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import orjson
from sqlalchemy import Row
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.database.identifiers import quote_qualified
from minato.json_text import JsonObject
from minato.storage.request import as_uuid
from minato.storage.vectors.buckets import lock_bucket, require_bucket
from minato.storage.vectors.errors import conflict, no_pgvector, not_found, too_many_indexes
from minato.storage.vectors.pgvector import find_pgvector
from minato.storage.vectors.requests import NamePage

SCHEMA = "storage_vectors"
DISTANCES = {"cosine": "<=>", "euclidean": "<->"}
COLUMNS = """
id, name, bucket_id, data_type, dimension, distance_metric, metadata_configuration::text as configuration, created_at
"""
FIND = f"select {COLUMNS} from storage.vector_indexes where bucket_id = $1 and name = $2"
# Nobody deletes the index until the transaction ends, and none of those who write waits for another.
KEEP = f"{FIND} for key share"
LIST = f"""
select {COLUMNS} from storage.vector_indexes
where bucket_id = $1 and starts_with(name, $2) and name > $3 order by name limit $4
"""
COUNT = "select count(*) from storage.vector_indexes where bucket_id = $1"
INSERT = f"""
insert into storage.vector_indexes
    (bucket_id, name, data_type, dimension, distance_metric, metadata_configuration)
values ($1, $2, $3, $4, $5, $6::text::jsonb)
returning {COLUMNS}
"""
DELETE = f"delete from storage.vector_indexes where bucket_id = $1 and name = $2 returning {COLUMNS}"


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """A row of storage.vector_indexes; `configuration` as it was given."""

    id: str
    name: str
    bucket: str
    data_type: str
    dimension: int
    metric: str
    configuration: JsonObject | None
    created_at: datetime

    @property
    def table(self) -> str:
        """Its table, quoted. Raises NotFoundException for a row that none of ours made."""
        known = as_uuid(self.id)
        if known is None:
            raise not_found(self.name)
        return quote_qualified(SCHEMA, f"vector_{known.replace('-', '')}")

    @property
    def hidden(self) -> frozenset[str]:
        """The metadata keys that no filter may name."""
        return frozenset((self.configuration or {}).get("nonFilterableMetadataKeys", ()))


@dataclass(frozen=True, slots=True)
class NewIndex:
    """An index that is asked for; `configuration` is JSON."""

    name: str
    bucket: str
    data_type: str
    dimension: int
    metric: str
    configuration: str | None

    @classmethod
    def of(cls, body: JsonObject) -> NewIndex:
        """What the body of CreateIndex asks for."""
        given = body.get("metadataConfiguration")
        return cls(
            name=body["indexName"],
            bucket=body["vectorBucketName"],
            data_type=body["dataType"],
            dimension=int(body["dimension"]),
            metric=body["distanceMetric"],
            configuration=orjson.dumps(given).decode() if given is not None else None,
        )


async def insert_index(connection: AsyncConnection, wanted: NewIndex, most: int, pgvector: str) -> None:
    """A new index with its table, in a bucket that has fewer than `most`; pgvector lies in the schema `pgvector`.

    Raises NotFoundException, ConflictException and S3VectorMaxIndexesExceeded.
    """
    await lock_bucket(connection, wanted.bucket)
    await require_bucket(connection, wanted.bucket)
    count = (await connection.exec_driver_sql(COUNT, (wanted.bucket,))).scalar_one()
    if count >= most:
        if await find_index(connection, wanted.bucket, wanted.name) is not None:
            raise conflict("vector index", wanted.name)
        raise too_many_indexes(most)
    values = (wanted.bucket, wanted.name, wanted.data_type, wanted.dimension, wanted.metric, wanted.configuration)
    try:
        row = (await connection.exec_driver_sql(INSERT, values)).one()
    except IntegrityError:
        raise conflict("vector index", wanted.name) from None
    await connection.exec_driver_sql(_create_table(_index(row), pgvector))


def _create_table(index: VectorIndex, pgvector: str) -> str:
    """No index of pgvector's: it would find most of the nearest, and these are found all.

    The constraint keeps vectors out to which no other has an angle.
    """
    directed = f", constraint has_direction check ((embedding operator({pgvector}.<=>) embedding) <> 'NaN'::float8)"
    return f"""
        create table {index.table} (
            key text collate "C" primary key,
            embedding {pgvector}.vector({index.dimension}) not null,
            metadata jsonb not null default '{{}}'{directed if index.metric == "cosine" else ""}
        )
    """


async def find_index(connection: AsyncConnection, bucket: str, name: str) -> VectorIndex | None:
    """The index; None when there is none."""
    row = (await connection.exec_driver_sql(FIND, (bucket, name))).one_or_none()
    return _index(row) if row is not None else None


async def require_index(connection: AsyncConnection, bucket: str, name: str, kept: bool = False) -> VectorIndex:
    """The index; `kept`: it stays until the transaction ends. Raises NotFoundException."""
    row = (await connection.exec_driver_sql(KEEP if kept else FIND, (bucket, name))).one_or_none()
    if row is None:
        raise not_found(name)
    return _index(row)


async def require_type(connection: AsyncConnection) -> str:
    """The schema of pgvector, quoted. Raises NotImplemented (501)."""
    found = await find_pgvector(connection)
    if found is None:
        raise no_pgvector()
    return found


async def list_indexes(connection: AsyncConnection, bucket: str, page: NamePage) -> list[VectorIndex]:
    """The indexes of a page by name, and one more where there is one."""
    rows = await connection.exec_driver_sql(LIST, (bucket, page.prefix, page.after, page.limit + 1))
    return [_index(row) for row in rows]


async def delete_index(connection: AsyncConnection, bucket: str, name: str) -> None:
    """Delete the index and its table. Raises NotFoundException."""
    await lock_bucket(connection, bucket)
    row = (await connection.exec_driver_sql(DELETE, (bucket, name))).one_or_none()
    if row is None:
        raise not_found(name)
    await connection.exec_driver_sql(f"drop table if exists {_index(row).table}")


def _index(row: Row[tuple[object, ...]]) -> VectorIndex:
    return VectorIndex(
        id=row.id,
        name=row.name,
        bucket=row.bucket_id,
        data_type=row.data_type,
        dimension=row.dimension,
        metric=row.distance_metric,
        configuration=orjson.loads(row.configuration) if row.configuration else None,
        created_at=row.created_at,
    )

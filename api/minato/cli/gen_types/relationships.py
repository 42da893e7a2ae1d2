"""Foreign keys as PostgREST embeds by them: of tables, and of views that show all columns of a key's end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from minato.cli.gen_types.model import Relationship
from minato.json_text import JsonObject
from minato.rest.schema_cache.view_columns import Origin, view_origins

# Of an end of a key: by which columns of a view it is shown, each of the key's columns in its place.
Shown = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ViewEnd:
    """A view that shows one end of keys of this name; `kind` is `f` where they begin, `f_ref` where they lead."""

    schema: str
    relation: str
    kind: str
    key: str
    view_schema: str
    view: str
    columns: Shown

    @property
    def ways(self) -> Iterator[tuple[str, ...]]:
        """The lists of columns to name it by; a view may show a column twice."""
        return product(*self.columns)


def with_views(keys: Sequence[Relationship], ends: Sequence[ViewEnd]) -> list[Relationship]:
    """The tables' own, then those from a view, to a view, and between two."""
    return [*keys, *(through for key in keys for through in _through_views(key, ends))]


def view_ends(views: Sequence[JsonObject], key_columns: Iterable[JsonObject]) -> list[ViewEnd]:
    """Which of the `views` show which ends of keys, from the rows of `queries.VIEWS` and `queries.KEY_COLUMNS`."""
    ends = _grouped(key_columns)
    found: list[ViewEnd] = []
    for view, shown in _shown_columns(views):
        for (schema, relation, kind, key, width), columns in ends.items():
            names = [shown[origin] for origin in columns if origin in shown]
            # Keys of one name that lead to one table are one here: with columns of their own they are too many.
            if len(names) == width:
                found.append(ViewEnd(schema, relation, kind, key, view["schema"], view["name"], tuple(names)))
    return found


def _through_views(key: Relationship, ends: Sequence[ViewEnd]) -> Iterator[Relationship]:
    begin = [end for end in ends if _is_end(end, "f", key.foreign_key, key.schema, key.relation)]
    lead = [
        end for end in ends if _is_end(end, "f_ref", key.foreign_key, key.referenced_schema, key.referenced_relation)
    ]
    from_views = [
        replace(key, schema=end.view_schema, relation=end.view, columns=way) for end in begin for way in end.ways
    ]
    yield from from_views
    for one in [key, *from_views]:
        for end in lead:
            for way in end.ways:
                yield replace(
                    one, referenced_schema=end.view_schema, referenced_relation=end.view, referenced_columns=way
                )


def _is_end(end: ViewEnd, kind: str, key: str, schema: str, relation: str) -> bool:
    return (end.kind, end.key, end.schema, end.relation) == (kind, key, schema, relation)


def _grouped(key_columns: Iterable[JsonObject]) -> dict[tuple[str, str, str, str, int], list[Origin]]:
    groups: dict[tuple[str, str, str, str, int], list[Origin]] = {}
    for row in sorted(key_columns, key=lambda row: row["at"]):
        group = row["schema"], row["relation"], row["kind"], row["name"], row["width"]
        groups.setdefault(group, []).append((row["relation_id"], row["number"]))
    return groups


def _shown_columns(views: Sequence[JsonObject]) -> Iterator[tuple[JsonObject, dict[Origin, tuple[str, ...]]]]:
    """Each view with the names it shows columns by, those of views below included."""
    origins = {view["id"]: view_origins(view["definition"]) for view in views}
    for view in views:
        shown: dict[Origin, tuple[str, ...]] = {}
        for number in sorted(origins[view["id"]]):
            for origin in _chain(origins[view["id"]][number], origins):
                shown[origin] = (*shown.get(origin, ()), view["columns"][str(number)])
        yield view, shown


def _chain(origin: Origin, origins: Mapping[int, Mapping[int, Origin]]) -> Iterator[Origin]:
    """Where a column comes from, and where that one does."""
    seen: set[Origin] = set()
    current: Origin | None = origin
    while current is not None and current not in seen:
        seen.add(current)
        yield current
        current = origins.get(current[0], {}).get(current[1])

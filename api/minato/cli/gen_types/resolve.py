"""What a name of a type stands for: columns name types by their bare name, which several schemas may have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from minato.cli.gen_types.model import Catalog, Kind, Relation, Type

# In which order relations of one name are looked through.
_KINDS = (Kind.TABLE, Kind.FOREIGN, Kind.VIEW, Kind.MATERIALIZED)
Named = TypeVar("Named", Relation, Type)


@dataclass(frozen=True)
class Resolver:
    """The names of a catalog, looked up."""

    catalog: Catalog

    def find(self, name: str, schema: str) -> Type | Relation | None:
        """The enum, composite type or relation of that name: in `schema`, else the first there is."""
        types = self._types.get(name, [])
        enums, composites = [one for one in types if one.enums], [one for one in types if one.attributes]
        return _nearest(enums, schema) or _nearest(composites, schema) or _nearest(self._named(name), schema)

    def relation(self, identity: int | None) -> Relation | None:
        return self._by_id.get(identity) if identity is not None else None

    def row_of(self, type_id: int) -> int | None:
        """The relation or composite type whose rows are of a type."""
        found = self.catalog.types_by_id.get(type_id)
        return found.relation_id if found is not None else None

    def _named(self, name: str) -> list[Relation]:
        return [relation for relation in self._relations if relation.name == name]

    @cached_property
    def _relations(self) -> list[Relation]:
        return [relation for kind in _KINDS for relation in self.catalog.of_kind(kind)]

    @cached_property
    def _types(self) -> dict[str, list[Type]]:
        found: dict[str, list[Type]] = {}
        for one in self.catalog.types:
            if one.enums or one.attributes:
                found.setdefault(one.name, []).append(one)
        return found

    @cached_property
    def _by_id(self) -> dict[int, Relation]:
        return {relation.id: relation for relation in self.catalog.relations}


def _nearest(found: Sequence[Named], schema: str) -> Named | None:
    return next((one for one in found if one.schema == schema), next(iter(found), None))

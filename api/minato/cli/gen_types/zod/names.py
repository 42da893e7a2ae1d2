"""The constants of the file: one a schema, each with a name of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from minato.cli.gen_types.model import Catalog, Relation, Type
from minato.cli.gen_types.names import pascal

# What the file says already.
_TAKEN = ("Json", "Database")
# A thing of a schema: its section, its schema and its name.
Thing = tuple[str, str, str]


@dataclass(frozen=True)
class Names:
    """A constant's name for every table, view, enum and composite type. Names that look alike get numbers."""

    taken: set[str] = field(default_factory=lambda: set(_TAKEN))
    given: dict[Thing, str] = field(default_factory=dict)

    def give(self, thing: Thing) -> str:
        """
        >>> names = Names()
        >>> names.give(("Tables", "public", "odd name")), names.give(("Enums", "public", "odd_name"))
        ('PublicOddName', 'PublicOddName2')
        """
        base = pascal(thing[1]) + pascal(thing[2]) or "Unnamed"
        base = f"_{base}" if base[0].isdigit() else base
        wanted, number = base, 1
        # Also of what is made of it: `PublicNotesInsert` is no second name of a table `notes_insert`.
        while self.taken & _family(wanted):
            number += 1
            wanted = f"{base}{number}"
        self.taken.update(_family(wanted))
        self.given[thing] = wanted
        return wanted

    def of(self, found: Type | Relation) -> str | None:
        """The constant that checks a value of the type; None for one of a schema that was left out."""
        if isinstance(found, Type):
            return self.given.get(("Enums" if found.enums else "CompositeTypes", found.schema, found.name))
        name = self.given.get((section(found), found.schema, found.name))
        return f"{name}Row" if name is not None else None


def _family(name: str) -> set[str]:
    return {name, *(f"{name}{suffix}" for suffix in ("Row", "Insert", "Update"))}


def section(relation: Relation) -> str:
    return "Views" if relation.is_view else "Tables"


def names_of(catalog: Catalog) -> Names:
    """Given in the order of the file, so that the same database has the same names."""
    names = Names()
    for thing in _things(catalog):
        names.give(thing)
    return names


def _things(catalog: Catalog) -> Iterable[Thing]:
    for schema in catalog.schemas:
        yield from (("Enums", schema, one.name) for one in catalog.enums(schema))
        yield from ((section(one), schema, one.name) for one in catalog.relations if one.schema == schema)
        yield from (("CompositeTypes", schema, one.name) for one in catalog.composites(schema))

"""Decides for each piece what becomes of it: kept, made, dropped, changed in its place, or made anew.

What is dropped takes along whatever can't be without it. A type in use is never dropped: it steps aside under another
name until its columns have moved to the new one.
"""

from __future__ import annotations

from collections import defaultdict, deque
from enum import Enum, auto

from minato.schema_diff.catalog import Catalog
from minato.schema_diff.change import (
    changed,
    changes_type,
    is_generated,
    new_labels,
    place_in_namespace,
)
from minato.schema_diff.entity import Entity, Key, literal


class Fate(Enum):
    """`RENEW` drops and makes anew; `SUPERSEDE` is a type's own way to become another one."""

    KEEP = auto()
    CREATE = auto()
    DROP = auto()
    CHANGE = auto()
    RENEW = auto()
    SUPERSEDE = auto()


GONE = frozenset({Fate.DROP, Fate.RENEW})
MADE = frozenset({Fate.CREATE, Fate.RENEW})
# What PostgreSQL itself rebuilds when a column's type changes.
_FOLLOWS_TYPE = frozenset({"index", "statistics", "acl", "comment", "sequence owner", "replica identity", "column"})


class Fates:
    """What becomes of every piece on the way from `source` to `target`."""

    def __init__(self, source: Catalog, target: Catalog) -> None:
        self.source, self.target = source.entities, target.entities
        self.fates: dict[Key, Fate] = {}
        self._dependants: dict[Key, list[Key]] = defaultdict(list)
        self._children: dict[Key, list[Key]] = defaultdict(list)
        self._queue: deque[Key] = deque()
        for entity in self.source.values():
            for need in entity.needs:
                self._dependants[need].append(entity.key)
        for entity in (*self.source.values(), *self.target.values()):
            if entity.parent is not None:
                self._children[entity.parent].append(entity.key)
        self._compare()
        self._spread()

    def __getitem__(self, key: Key) -> Fate:
        return self.fates.get(key, Fate.KEEP)

    def retypes(self, key: Key) -> bool:
        """Whether a column's values get another type, be it one of the same name."""
        if key.kind != "column" or self[key] in GONE or key not in self.source or key not in self.target:
            return False
        return changes_type(self.source[key], self.target[key]) or bool(self.superseded_type(key))

    def superseded_type(self, column: Key) -> Key | None:
        """The type of a column that steps aside for another of its name."""
        new = self.target[column]
        return next(
            (key for key in new.needs if key.kind == "type" and self[key] is Fate.SUPERSEDE),
            None,
        )

    def _compare(self) -> None:
        for key in {**self.source, **self.target}:
            old, new = self.source.get(key), self.target.get(key)
            if old is None:
                self.fates[key] = Fate.CREATE
            elif new is None:
                self._settle(key, Fate.DROP)
            elif old.definition != new.definition:
                self._settle(key, self._way(old, new))
        for key in list(self.fates):
            if self.retypes(key):
                self._queue.append(key)

    def _way(self, old: Entity, new: Entity) -> Fate:
        if new.key.kind == "acl" or new.key.kind == "default acl":
            return Fate.CHANGE
        if changed(old, new) is not None and not self._uses_new_labels(old, new):
            return Fate.CHANGE
        return self._renewed(new.key)

    def _renewed(self, key: Key) -> Fate:
        return Fate.SUPERSEDE if key.kind == "type" and self._has_columns(key) else Fate.RENEW

    def _has_columns(self, key: Key) -> bool:
        """Whether columns that stay are of this type."""
        users = self._dependants[key]
        return any(user.kind == "column" and user in self.target for user in users)

    def _uses_new_labels(self, old: Entity, new: Entity) -> bool:
        """A new label can't be used in the transaction that adds it, so an enum whose label is used is superseded."""
        words = [literal(label) for label in new_labels(old, new)]
        if not words:
            return False
        users = (entity for entity in self.target.values() if new.key in entity.needs)
        return any(word in statement for user in users for statement in user.create for word in words)

    def _settle(self, key: Key, fate: Fate) -> None:
        self.fates[key] = fate
        if fate in GONE or fate is Fate.SUPERSEDE:
            self._queue.append(key)

    def _spread(self) -> None:
        while self._queue:
            key = self._queue.popleft()
            if self[key] in GONE:
                for child in self._children[key]:
                    self._renew(child)
            for dependant in self._dependants[key]:
                self._touch(dependant, key)

    def _renew(self, key: Key) -> None:
        """Whatever it was to become, it is made anew where it is to be, and gone where it isn't."""
        if key in self.source and self[key] not in GONE:
            self._settle(key, self._renewed_or_dropped(key))

    def _renewed_or_dropped(self, key: Key) -> Fate:
        return self._renewed(key) if key in self.target else Fate.DROP

    def _touch(self, key: Key, need: Key) -> None:
        """What becomes of `key`, now that `need` goes away or changes its type."""
        if self[key] in GONE or self[key] is Fate.SUPERSEDE or key not in self.target:
            return
        entity = self.source[key]
        if key.kind == "column":
            self._touch_column(key, need)
        elif self.retypes(need):
            if key.kind not in _FOLLOWS_TYPE and not (key.kind == "constraint" and entity.facts != "f"):
                self._settle(key, self._renewed(key))
        elif self[key] is Fate.CHANGE and not self._still_needs(key, need):
            return
        elif self[key] in (Fate.KEEP, Fate.CHANGE):
            self._settle(key, self._renewed(key))

    def _touch_column(self, key: Key, need: Key) -> None:
        if is_generated(self.source[key]):
            self._settle(key, Fate.RENEW)
        elif self[need] is Fate.SUPERSEDE and self[key] is not Fate.CHANGE:
            self.fates[key] = Fate.CHANGE
            self._queue.append(key)
        elif need.kind == "table" and self[need] in GONE and need == key._replace(kind="table", part=""):
            self._settle(key, Fate.RENEW)

    def _still_needs(self, key: Key, need: Key) -> bool:
        """Whether the changed piece needs the same again, or another of its name."""
        place = place_in_namespace(need, self.source[need])
        needs = self.target[key].needs
        if need in needs:
            return True
        return place is not None and any(
            other in self.target and place_in_namespace(other, self.target[other]) == place for other in needs
        )

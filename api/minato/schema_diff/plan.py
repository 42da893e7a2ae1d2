"""Puts the steps between two catalogues in an order in which each of them can be taken."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple

from minato.schema_diff.catalog import Catalog
from minato.schema_diff.change import changed, changes_type, is_generated, place_in_namespace
from minato.schema_diff.entity import Entity, Key, qualified, quoted
from minato.schema_diff.fate import GONE, MADE, Fate, Fates
from minato.schema_diff.privileges import Grants, default_privilege_changes
from minato.schema_diff.relations import Column, Table

# Drops come first where nothing is against it, and what remains of a superseded type goes last.
DROP: Final = 0
DO: Final = 1
END: Final = 2
# What goes with its parent, but may be in the way of something else that goes.
_TIES: Final = frozenset({"policy", "default", "publication member"})
_ASIDE: Final = "__old_version_to_be_dropped"


class Step(NamedTuple):
    """One piece's step; the order of the fields is the order of steps that don't care."""

    phase: int
    rank: int
    key: Key


class Plan:
    """The statements from `source` to `target`."""

    def __init__(self, source: Catalog, target: Catalog) -> None:
        self._from, self._to = source, target
        self._source, self._target = source.entities, target.entities
        self._fates = Fates(source, target)
        self._steps: set[Step] = set()
        self._after: dict[Step, set[Step]] = defaultdict(set)
        self._places: dict[tuple[int, Key], Step] = {}
        self._absorbed: dict[Key, list[Key]] = defaultdict(list)
        self._find_steps()
        self._tie()

    def statements(self) -> Iterator[str]:
        """In order, without semicolons."""
        for step in self._sorted():
            yield from self._taken(step)

    # Which steps there are.

    def _find_steps(self) -> None:
        for key, fate in self._fates.fates.items():
            if fate in GONE and not self._goes_along(key):
                self._add(DROP, key)
            if fate is not Fate.DROP and fate is not Fate.KEEP and not self._is_absorbed(key):
                self._add(DO, key)
            if fate is Fate.SUPERSEDE:
                self._add(END, key)
        # A second round: where a piece goes along with another is known only now.
        for key, fate in self._fates.fates.items():
            if fate in GONE and (DROP, key) not in self._places:
                self._places[DROP, key] = self._step_of_parent(DROP, key)

    def _add(self, phase: int, key: Key) -> None:
        rank = -self._rank(key) if phase == DROP else self._rank(key)
        step = Step(phase, rank, key)
        self._steps.add(step)
        self._places[phase, key] = step

    def _rank(self, key: Key) -> int:
        """Foreign keys after what they refer to, also where nothing demands it: so a person would write it. Partitions
        that change before new ones, which may need the room."""
        entity = self._target.get(key) or self._source[key]
        if key.kind == "table" and self._fates[key] is Fate.CHANGE:
            return 2 * key.rank - 1
        return 2 * key.rank + (key.kind == "constraint" and entity.facts == "f")

    def _goes_along(self, key: Key) -> bool:
        """Whether a piece vanishes with its parent, without a statement."""
        entity = self._source[key]
        if key.kind == "sequence":
            return self._owner_of(key) is not None
        if entity.parent is None or self._fates[entity.parent] not in GONE:
            return False
        if key.kind == "constraint":
            return entity.facts != "f"
        if key.kind == "schema" or entity.parent.kind == "schema":
            return key.kind in ("acl", "comment", "default acl")
        return key.kind not in _TIES or entity.needs <= {entity.parent}

    def _owner_of(self, sequence: Key) -> Key | None:
        """The column that takes its sequence along."""
        bond = self._source.get(sequence._replace(kind="sequence owner"))
        if bond is None or not isinstance(bond.facts, Key) or self._fates[sequence] is not Fate.DROP:
            return None
        return bond.facts if self._fates[bond.facts] in GONE else None

    def _step_of_parent(self, phase: int, key: Key) -> Step:
        parent = self._owner_of(key) if key.kind == "sequence" else self._source[key].parent
        assert parent is not None
        return self._places.get((phase, parent)) or self._step_of_parent(phase, parent)

    def _is_absorbed(self, key: Key) -> bool:
        """Whether CREATE TABLE or ADD COLUMN says it."""
        if self._fates[key] not in MADE:
            return False
        entity = self._target[key]
        if key.kind == "default":
            return self._absorbs_default(key, entity)
        if key.kind == "column" and entity.parent is not None and self._fates[entity.parent] in MADE:
            self._absorbed[entity.parent].append(key)
            return True
        return False

    def _absorbs_default(self, key: Key, entity: Entity) -> bool:
        column = key._replace(kind="column")
        if self._fates[column] not in MADE:
            return False
        table = key._replace(kind="table", part="")
        return not self._reaches(entity.needs - {column}, table)

    def _reaches(self, start: frozenset[Key], wanted: Key) -> bool:
        """Whether one of these pieces can't be made before the wanted one."""
        seen: set[Key] = set()
        rest = [*start]
        while rest:
            key = rest.pop()
            if key == wanted:
                return True
            if key not in seen and key in self._target:
                seen.add(key)
                rest += self._target[key].needs
        return False

    # What must come before what.

    def _tie(self) -> None:
        for key in self._absorbed_everywhere():
            self._places[DO, key] = self._making(key)
        for entity in self._source.values():
            for need in entity.needs:
                self._tie_drop(entity.key, need)
        for entity in self._target.values():
            for need in entity.needs:
                self._order(self._places.get((DO, need)), self._places.get((DO, entity.key)))
        self._tie_names()
        for key, fate in self._fates.fates.items():
            if fate is Fate.RENEW:
                self._order(self._places.get((DROP, key)), self._places.get((DO, key)))

    def _absorbed_everywhere(self) -> Iterator[Key]:
        for key, fate in self._fates.fates.items():
            if fate in MADE and (DO, key) not in self._places:
                yield key

    def _making(self, key: Key) -> Step:
        """The step that makes an absorbed piece along with another."""
        parent = self._target[key].parent
        assert parent is not None
        return self._places.get((DO, parent)) or self._making(parent)

    def _tie_drop(self, key: Key, need: Key) -> None:
        gone, done = self._places.get((DROP, key)), self._places.get((DO, key))
        need_gone, need_done = self._places.get((DROP, need)), self._places.get((DO, need))
        self._order(gone, need_gone)
        if gone is None:
            # Changed in its place, it needs the other no longer.
            self._order(done, need_gone)
        if self._fates[need] is Fate.SUPERSEDE or self._fates.retypes(need):
            self._order(gone, need_done)
        if self._fates[need] is Fate.SUPERSEDE:
            self._order(gone, self._places.get((END, need)))
            self._order(done if gone is None else None, self._places.get((END, need)))
            self._order(self._places.get((END, key)), self._places.get((END, need)))

    def _tie_names(self) -> None:
        """A name must be free before it is given again."""
        taken = {}
        for key, fate in self._fates.fates.items():
            if fate in GONE and (place := place_in_namespace(key, self._source[key])):
                taken[place] = self._places[DROP, key]
        for key, fate in self._fates.fates.items():
            if fate in MADE and (place := place_in_namespace(key, self._target[key])):
                self._order(taken.get(place), self._places.get((DO, key)))

    def _order(self, first: Step | None, then: Step | None) -> None:
        if first is not None and then is not None and first != then:
            self._after[first].add(then)

    def _sorted(self) -> Iterator[Step]:
        """Each step when those before it are taken; in a circle, whichever would be first."""
        waits = dict.fromkeys(self._steps, 0)
        for later in self._after.values():
            for step in later:
                waits[step] += 1
        ready = [step for step, count in waits.items() if count == 0]
        heapq.heapify(ready)
        while waits:
            step = heapq.heappop(ready) if ready else min(waits)
            if step not in waits:
                continue
            del waits[step]
            yield step
            for then in self._after[step]:
                if then in waits:
                    waits[then] -= 1
                    if waits[then] == 0:
                        heapq.heappush(ready, then)

    # What is said.

    def _taken(self, step: Step) -> Iterator[str]:
        key, fate = step.key, self._fates[step.key]
        if step.phase == DROP:
            yield from self._source[key].drop
        elif step.phase == END:
            noun = "domain" if self._source[key].drop[0].startswith("drop domain") else "type"
            yield f"drop {noun} {quoted(key.schema)}.{quoted(key.name + _ASIDE)}"
        elif key.kind == "acl":
            yield from self._privileges(key)
        elif key.kind == "default acl":
            yield from self._default_privileges(key)
        elif fate is Fate.SUPERSEDE:
            noun = "domain" if self._source[key].drop[0].startswith("drop domain") else "type"
            yield f"alter {noun} {qualified(key)} rename to {quoted(key.name + _ASIDE)}"
            yield from self._target[key].create
        elif fate is Fate.CHANGE:
            yield from self._change(key)
        else:
            yield from self._create(key)

    def _create(self, key: Key) -> Iterator[str]:
        entity = self._target[key]
        if key.kind == "table":
            yield self._table(key)
        elif key.kind == "column" and isinstance(entity.facts, Column):
            yield f"alter table {qualified(key)} add column {entity.facts.clause(key.part, self._default(key))}"
        elif key.kind == "rls" and self._fates[key._replace(kind="table")] not in MADE and not entity.create:
            yield from ()
        else:
            yield from entity.create

    def _table(self, key: Key) -> str:
        table = self._target[key].facts
        assert isinstance(table, Table)
        lines = [
            "    " + column.clause(place.part, self._default(place))
            for place in self._columns(key)
            if isinstance(column := self._target[place].facts, Column)
        ]
        begin = f"create {'unlogged ' if table.is_unlogged else ''}table {qualified(key)}"
        options = f" with ({', '.join(table.options)})" if table.options else ""
        partitioned = f" partition by {table.partition_key}" if table.partition_key else ""
        if table.bound is not None:
            return f"{begin} partition of {table.parents[0]} {table.bound}{partitioned}{options}"
        inherited = f" inherits ({', '.join(table.parents)})" if table.parents else ""
        body = "(\n" + ",\n".join(lines) + "\n)" if lines else "()"
        return f"{begin} {body}{inherited}{partitioned}{options}"

    def _columns(self, table: Key) -> list[Key]:
        order = {key: place for place, key in enumerate(self._target)}
        return sorted(self._absorbed[table], key=lambda key: order[key])

    def _default(self, column: Key) -> str | None:
        """The default that is made along with a new column."""
        key = column._replace(kind="default")
        is_own_step = self._places.get((DO, key)) in self._steps and self._places[DO, key].key == key
        return str(self._target[key].definition) if key in self._target and not is_own_step else None

    def _change(self, key: Key) -> Iterator[str]:
        old, new = self._source[key], self._target[key]
        if old.definition != new.definition:
            yield from changed(old, new) or ()
        if key.kind == "column" and self._fates.superseded_type(key) and not changes_type(old, new):
            column = new.facts
            if isinstance(column, Column) and not is_generated(new):
                name = quoted(key.part)
                change = f"alter table {qualified(key)} alter column {name} set data type {column.type}"
                yield f"{change} using {name}::text::{column.type}"

    def _privileges(self, key: Key) -> Iterator[str]:
        old, new = self._source.get(key), self._target[key]
        grants = new.facts
        assert isinstance(grants, Grants)
        before = old.facts.items if old is not None and isinstance(old.facts, Grants) else frozenset()
        if new.parent is not None and self._fates[new.parent] in MADE:
            schema = "" if key.of == "schema" else key.schema
            before = self._from.new_items(schema, grants.code) if grants.code else frozenset()
        yield from grants.changed_from(before)

    def _default_privileges(self, key: Key) -> Iterator[str]:
        old, new = self._from.entities.get(key), self._to.entities.get(key)
        before = old.facts if old is not None and isinstance(old.facts, frozenset) else None
        after = new.facts if new is not None and isinstance(new.facts, frozenset) else None
        yield from default_privilege_changes(key, before, after)

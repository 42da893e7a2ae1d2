"""Which embed a filter, order or limit means: by its alias, or, the legacy way, by the table behind the alias."""

from __future__ import annotations

from collections.abc import Iterator

from minato.rest.errors import RestError, not_embedded
from minato.rest.parse.query_string import QueryString
from minato.rest.parse.syntax import EmbedPath, SelectItem, SelectRelation
from minato.rest.plan.types import Embed, ReadPlan

DEPRECATED = (
    "Embedded resource was referenced by relation name even though it has an alias. "
    "This is deprecated and will stop working in a future release."
)
VERSION = "PostgRESTv14"


def find_plan(root: ReadPlan, path: EmbedPath, legacy: bool) -> ReadPlan:
    """The plan that `path` leads to; `legacy` allows names hidden behind aliases. Raises PGRST108."""
    plan = root
    for name in path:
        embed = next((each for each in plan.embeds if means(each.key, each.name, name, legacy)), None)
        if embed is None:
            raise not_embedded(name)
        if embed.key != name:
            embed.named_by_target = True
        # The reference puts an embed first when it is spoken of, and so its key in the answer.
        plan.embeds.remove(embed)
        plan.embeds.insert(0, embed)
        plan = embed.plan
    return plan


def means(key: str, target: str, name: str, legacy: bool) -> bool:
    """Whether `name` names the embed of `target` that is shown as `key`."""
    return name == key or (legacy and name == target)


def require_embedded(query: QueryString, legacy: bool) -> None:
    """Every path of the query leads to an embed of its `select`; looked at before any relationship. Raises PGRST108.

    Of several wrong paths of a kind the last one is told, as the reference does.
    """
    filters = [path for path, _ in query.filters]
    order = [path for path, _ in query.order]
    logic = [path for path, _ in query.logic]
    for paths in (filters, order, [*query.limits, *query.offsets], logic):
        for path in reversed(paths):
            _follow(query.select, path, legacy)


def _follow(items: tuple[SelectItem, ...], path: EmbedPath, legacy: bool) -> None:
    for name in path:
        embeds = [item for item in items if isinstance(item, SelectRelation)]
        found = next((each for each in embeds if means(each.alias or each.name, each.name, name, legacy)), None)
        if found is None:
            hidden = next((each.alias for each in embeds if each.name == name and each.alias), None)
            raise hidden_by_alias(name, hidden) if hidden else not_embedded(name)
        items = found.items


def hidden_by_alias(name: str, alias: str) -> RestError:
    message = f"'{name}' is not an embedded resource in this request"
    details = "Target names are not allowed in filters if they have an alias"
    return RestError(400, "PGRST108", message, details, f"Change '{name}' to '{alias}' in filters, orders or limits.")


def legacy_warning(plan: ReadPlan) -> str | None:
    """The `Warning` about embeds that were named the legacy way; None when there are none."""
    renamed = ", ".join(f"`{each.name}` to `{each.key}`" for each in _named_by_target(plan))
    if not renamed:
        return None
    return f'299 {VERSION} "{DEPRECATED} Update {renamed} in query string filters, orders or limits."'


def _named_by_target(plan: ReadPlan) -> Iterator[Embed]:
    for embed in plan.embeds:
        if embed.named_by_target:
            yield embed
        yield from _named_by_target(embed.plan)

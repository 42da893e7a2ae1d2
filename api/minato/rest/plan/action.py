"""One ApiRequest + the schema cache → the one thing to do. Which rule is looked at first follows the reference."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from minato.config.rest import RestSettings
from minato.rest.errors import RestError, no_media_type
from minato.rest.parse.api_request import ApiRequest, Target, TargetKind
from minato.rest.parse.media_type import MediaKind, MediaType
from minato.rest.plan.call import call_root, plan_call, require_set_for_max_affected
from minato.rest.plan.mutate import plan_mutation, require_valid_preferences
from minato.rest.plan.negotiate import PLAIN_JSON, Explain, Negotiated, negotiate
from minato.rest.plan.read import plan_read, require_table, table_root
from minato.rest.plan.types import SOURCE, CallPlan, InsertPlan, MutatePlan, ReadPlan
from minato.rest.schema_cache.model import MediaHandler, QualifiedName, Routine, SchemaCache, Table, Volatility


class Action(StrEnum):
    READ = "read"
    MUTATE = "mutate"
    CALL = "call"
    INFO = "info"
    INSPECT = "inspect"


@dataclass(frozen=True)
class ActionPlan:
    """What to do. `read` is also how the rows of a mutation or call are read; `allow` is the answer to OPTIONS."""

    action: Action
    negotiated: Negotiated = PLAIN_JSON
    read: ReadPlan | None = None
    mutation: MutatePlan | None = None
    call: CallPlan | None = None
    allow: str = ""
    key: tuple[str, ...] = ()

    @property
    def media(self) -> MediaType:
        """The media type of the answer."""
        return self.negotiated.media

    @property
    def handler(self) -> MediaHandler | None:
        return self.negotiated.handler

    @property
    def explain(self) -> Explain | None:
        return self.negotiated.explain

    @property
    def read_only(self) -> bool:
        return self.mutation is None and not (self.call and self.call.mutates)

    @property
    def replicable(self) -> bool:
        """Whether a replica may be asked: for rows, and for functions that promise to change nothing."""
        if self.call is not None:
            return self.call.routine.volatility is not Volatility.VOLATILE
        return self.action is Action.READ

    @property
    def has_conflict_target(self) -> bool:
        return isinstance(self.mutation, InsertPlan) and bool(self.mutation.conflict)


def plan_action(request: ApiRequest, cache: SchemaCache, settings: RestSettings) -> ActionPlan:
    """The plan of `request`. Raises RestError; SchemaMiss when a fresher cache could know better."""
    if request.target.kind is TargetKind.ROOT:
        return _plan_root(request, cache, settings)
    if request.target.kind is TargetKind.FUNCTION:
        return _plan_function(request, cache, settings)
    table = require_table(cache, QualifiedName(request.schema, request.target.name))
    if request.method == "OPTIONS":
        return ActionPlan(Action.INFO, allow=_relation_methods(table))
    if request.reads:
        return _plan_relation_read(request, cache, settings, table)
    return _plan_relation_write(request, cache, settings, table)


def _plan_root(request: ApiRequest, cache: SchemaCache, settings: RestSettings) -> ActionPlan:
    """The root document, or the function that stands for it."""
    if request.method == "OPTIONS":
        return ActionPlan(Action.INFO, allow="OPTIONS,GET,HEAD")
    if settings.db_root_spec is not None:
        return _plan_function(
            replace(request, target=Target(TargetKind.FUNCTION, settings.db_root_spec)), cache, settings
        )
    if settings.openapi_mode == "disabled":
        raise RestError(404, "PGRST126", "Root endpoint metadata is disabled")
    if not any(media.kind in (MediaKind.ANY, MediaKind.JSON, MediaKind.OPENAPI) for media in request.accept):
        raise no_media_type([media.told for media in request.accept])
    return ActionPlan(Action.INSPECT, Negotiated(MediaType(MediaKind.OPENAPI, MediaKind.OPENAPI.value)))


def _plan_relation_read(request: ApiRequest, cache: SchemaCache, settings: RestSettings, table: Table) -> ActionPlan:
    read = plan_read(request, cache, settings, table_root(cache, table.name))
    negotiated = negotiate(request, cache, settings, table.name)
    require_valid_preferences(request)
    return ActionPlan(Action.READ, negotiated, read)


def _plan_relation_write(request: ApiRequest, cache: SchemaCache, settings: RestSettings, table: Table) -> ActionPlan:
    root = table_root(cache, table.name, SOURCE)
    read = plan_read(request, cache, settings, root, of_written=True)
    mutation = plan_mutation(request, table, read)
    require_valid_preferences(request)
    negotiated = negotiate(request, cache, settings, table.name)
    return ActionPlan(Action.MUTATE, negotiated, read, mutation, key=table.primary_key)


def _plan_function(request: ApiRequest, cache: SchemaCache, settings: RestSettings) -> ActionPlan:
    call = plan_call(request, cache)
    read = plan_read(request, cache, settings, call_root(cache, call.routine))
    negotiated = negotiate(request, cache, settings, _answered_for(call.routine, cache))
    require_valid_preferences(request)
    require_set_for_max_affected(request, call.routine)
    if request.method == "OPTIONS":
        volatile = call.routine.volatility is Volatility.VOLATILE
        return ActionPlan(Action.INFO, allow="OPTIONS,POST" if volatile else "OPTIONS,GET,HEAD,POST")
    return ActionPlan(Action.CALL, negotiated, read, call=call)


def _answered_for(routine: Routine, cache: SchemaCache) -> QualifiedName:
    """What handlers know the rows of a function by: the table they are of, else the function itself."""
    return routine.returns if routine.returns_composite and routine.returns in cache.tables else routine.name


def _relation_methods(table: Table) -> str:
    methods = ["OPTIONS", "GET", "HEAD"]
    methods += ["POST"] if table.insertable else []
    methods += ["PUT"] if table.insertable and table.updatable and table.primary_key else []
    methods += ["PATCH"] if table.updatable else []
    methods += ["DELETE"] if table.deletable else []
    return ",".join(methods)

"""The walk of a request: who asks → what is asked → what that means here → how to say it → do it → answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import orjson

from minato.clock import Clock
from minato.config.rest import RestSettings
from minato.database.as_caller import Setting
from minato.database.identifiers import quote_dotted
from minato.database.replica.written import subject_of
from minato.database.wire.pool import SessionPool
from minato.database.wire.stream import RowStream
from minato.json_text import JsonObject
from minato.rest.authenticate import JUDGED, Judged, authenticate, judge
from minato.rest.errors import RestError, SchemaMiss
from minato.rest.execute import Executor, Transaction, lost, none_free
from minato.rest.explained import explained
from minato.rest.jwt_secret import Keyring
from minato.rest.openapi.document import openapi_document
from minato.rest.parse.api_request import ApiRequest, RawRequest, parse_request
from minato.rest.plan.action import Action, ActionPlan, plan_action
from minato.rest.plan.target import legacy_warning
from minato.rest.prelude import Around, Preludes, prelude, preludes_of, settings_of
from minato.rest.refusal import Refusals
from minato.rest.replicated import ReplicatedExecutor
from minato.rest.respond import Response, check_result, may_refuse, respond, respond_info, respond_root
from minato.rest.result import QueryResult
from minato.rest.schema_cache.reload import DATABASE_ERRORS, SchemaCacheKeeper
from minato.rest.shape import Compiled, PlanCache, is_shared, question_of, shape_of, template_of
from minato.rest.sql.inspect import inspect_statement
from minato.rest.sql.statement import build_statement
from minato.rest.sql.transaction import DEFAULT_ISOLATION, begin, transaction_settings
from minato.rest.timing import Lap, untimed
from minato.tokens.caller import Caller


class Pipeline:
    """Everything one request passes through; holds no state of any request."""

    def __init__(
        self,
        keyring: Keyring,
        clock: Clock,
        keeper: SchemaCacheKeeper,
        executor: Executor | ReplicatedExecutor,
        public_url: str,
        refusals: Refusals | None = None,
    ) -> None:
        self.keyring = keyring
        self.clock = clock
        self.keeper = keeper
        self.executor = executor
        self.public_url = public_url
        self.refusals = refusals
        self._shapes, self._questions = PlanCache(), PlanCache()

    @property
    def settings(self) -> RestSettings:
        """The settings in force; the database may overrule those we started with."""
        return self.keeper.settings

    def authenticate(self, raw: RawRequest) -> Caller:
        """Who asks; before anything of the request is looked at. Raises RestError."""
        settings, now = self.settings, self.clock.timestamp()
        keys = self.keyring.of(settings)
        repeated = raw.repeated
        judged = repeated.made.get(JUDGED) if repeated is not None else None
        if isinstance(judged, Judged) and judged.still_holds(keys, settings, now):
            return judged.caller
        caller = authenticate(raw.header(b"authorization"), keys, settings, now)
        if repeated is not None:
            repeated.made[JUDGED] = judge(caller, settings)
        return caller

    async def handle(self, raw: RawRequest, caller: Caller, lap: Lap = untimed, holder: str | None = None) -> Response:
        """The answer to `raw`, at the cost of `holder`; `lap` hears of the end of each stage. Raises RestError."""
        shared = self._known(raw)
        compiled = shared or await self._compiled(raw, lap)
        lap("plan")
        request, plan = compiled.request, compiled.plan
        if compiled.statement is None:
            return respond_info(plan)
        if raw.record is not None:
            raw.record.statement, raw.record.values = compiled.statement.text, compiled.statement.values
        preludes = preludes_of(raw, caller, self.settings, self.keeper.current) if shared is not None else None
        prepared = preludes.find(raw.method, plan) if preludes is not None else None
        if prepared is not None:
            transaction = prepared.for_request(raw, holder)
        else:
            transaction = self._transaction(raw, request, plan, caller, holder, preludes)
        try:
            result = await self.executor.run(transaction, compiled.statement)
        except RestError as error:
            await self._explain(error, raw, caller)
            raise
        lap("transaction")
        if plan.action is Action.INSPECT:
            return respond_root(request, plan, self._document(request.schema, result))
        try:
            response = respond(request, plan, result, self.settings.allows_tx_override, raw.query)
        except RestError:
            drop(result)
            raise
        if response.body is not result.body:
            drop(result)
        warning = legacy_warning(plan.read) if plan.read else None
        if warning:
            response.headers.append(("Warning", warning))
        return response

    async def _explain(self, error: RestError, raw: RawRequest, caller: Caller) -> None:
        """Let what PostgreSQL refused say why, to developers."""
        if self.refusals is None or error.code != "42501" or error.hint is not None:
            return
        # What was run may have been a shape that other requests share, without the values of this one.
        request, plan, settings = self._meant(raw, caller)
        error.hint = await self.refusals.hint(error.message, request, plan, caller.role, settings)

    async def why(self, raw: RawRequest, caller: Caller) -> JsonObject:
        """What `raw` may do, and why not; nothing of it is done. Raises RestError."""
        if self.refusals is None:
            raise RestError(501, "PGRSTX04", "Nothing is explained here", "MINATO_EXPLAIN is off")
        request, plan, settings = self._meant(raw, caller)
        return await self.refusals.told(request, plan, caller.role, settings)

    async def plan(
        self, raw: RawRequest, caller: Caller, sessions: SessionPool, analyze: bool, force: bool
    ) -> JsonObject:
        """How PostgreSQL would run `raw`; to `analyze` it is run and undone, a write only by `force`. Raises
        RestError."""
        request, plan, settings = self._meant(raw, caller)
        statement = self._compile(request, plan).statement
        return await explained(sessions, plan, statement, settings, self._hook(), analyze, force)

    def _hook(self) -> str | None:
        hook = self.settings.db_pre_request
        return f"SELECT {quote_dotted(hook)}()" if hook else None

    def _meant(self, raw: RawRequest, caller: Caller) -> tuple[ApiRequest, ActionPlan, list[Setting]]:
        """What one request means with its own values, and what its transaction sets. Raises RestError."""
        request = parse_request(raw, self.settings)
        plan = plan_action(request, self.keeper.current, self.settings)
        return request, plan, self._around(request, plan, caller)(settings_of(caller, raw))

    def _around(self, request: ApiRequest, plan: ActionPlan, caller: Caller) -> Around:
        """Adds to what a caller sets what the configuration, the role and the function set."""
        role = self.keeper.current.roles.get(caller.role)
        routine = plan.call.routine if plan.call else None
        timezone = request.preferences.timezone

        def around(of_caller: Sequence[Setting]) -> list[Setting]:
            return transaction_settings(request.schema, self.settings, role, of_caller, timezone, routine)

        return around

    def _document(self, schema: str, result: QueryResult) -> Mapping[str, object]:
        url = self.settings.openapi_server_proxy_uri or f"{self.public_url}/"
        assert isinstance(result.body, bytes), "what is looked at before it is sent does not stream"
        seen, secured = orjson.loads(result.body), self.settings.openapi_security_active
        return openapi_document(self.keeper.current, schema, seen, url, secured)

    def _known(self, raw: RawRequest) -> Compiled | None:
        """The plan for requests of this shape, with this one's values; None where there is none."""
        cache, max_rows = self.keeper.current, self.settings.db_max_rows
        question = question_of(raw, max_rows)
        known = self._questions.find(question, cache) if question is not None else None
        if known is not None:
            return known
        try:
            shape = shape_of(raw, max_rows)
            if shape is None:
                return None
            compiled = self._shapes.find(shape.key, cache)
            if compiled is None:
                request = template_of(raw, shape, self.settings)
                if request is None:
                    return None
                compiled = self._compile(request, plan_action(request, cache, self.settings))
                if not is_shared(compiled):
                    return None
                self._shapes.keep(shape.key, cache, compiled)
        except RestError:
            # The request with its own values tells what is wrong with it.
            return None
        known = compiled.filled(shape)
        # Questions with literals are as many as there are rows: they would only push lists out.
        if question is not None and not shape.literals.values:
            self._questions.keep(question, cache, known)
        return known

    async def _compiled(self, raw: RawRequest, lap: Lap) -> Compiled:
        """The plan of this request alone; a name the cache doesn't know is looked for again if the catalog changed."""
        request = parse_request(raw, self.settings)
        lap("parse")
        try:
            return self._compile(request, plan_action(request, self.keeper.current, self.settings))
        except SchemaMiss:
            if not await self._refreshed():
                raise
        return self._compile(request, plan_action(request, self.keeper.current, self.settings))

    async def _refreshed(self) -> bool:
        """Whether the catalog had changed. Raises RestError when it can't be asked."""
        try:
            return await self.keeper.refresh()
        except TimeoutError:
            raise none_free() from None
        except DATABASE_ERRORS as error:
            raise lost(error) from None

    def _compile(self, request: ApiRequest, plan: ActionPlan) -> Compiled:
        if plan.action is Action.INSPECT:
            follows = self.settings.openapi_mode == "follow-privileges"
            return Compiled(request, plan, inspect_statement(request.schema, follows))
        if plan.action is Action.INFO:
            return Compiled(request, plan, None)
        asks_planner = self.settings.db_planned_count == "planner"
        return Compiled(request, plan, build_statement(request, plan, self.settings.db_max_rows, asks_planner))

    def _transaction(
        self,
        raw: RawRequest,
        request: ApiRequest,
        plan: ActionPlan,
        caller: Caller,
        holder: str | None,
        preludes: Preludes | None,
    ) -> Transaction:
        role = self.keeper.current.roles.get(caller.role)
        routine = plan.call.routine if plan.call else None
        isolation = (routine.isolation if routine else None) or (role.isolation if role else None)
        commits = self._commits(request)
        implicit = commits and isolation in (None, DEFAULT_ISOLATION) and not may_refuse(request, plan)
        says_read_only = implicit and plan.read_only
        timezone = request.preferences.timezone
        plain = self._around(request, plan, caller)

        def around(of_caller: Sequence[Setting]) -> list[Setting]:
            return [("transaction_read_only", "on"), *plain(of_caller)] if says_read_only else plain(of_caller)

        transaction = Transaction(
            prelude=prelude(raw, caller, around),
            role=caller.role,
            authenticated=caller.role != self.settings.db_anon_role,
            check=partial(check_result, request, plan),
            begin=None if implicit else begin(plan.read_only, isolation),
            commits=commits,
            hook=self._hook(),
            streams=plan.read_only and plan.action is not Action.INSPECT,
            holder=holder,
            subject=subject_of(caller),
            writes=not plan.read_only,
            replicable=implicit and raw.method in ("GET", "HEAD") and plan.replicable,
        )
        if preludes is not None and not (routine and routine.settings):
            preludes.prepare(raw, (request.schema, timezone, says_read_only), around, transaction, plan)
        return transaction

    def _commits(self, request: ApiRequest) -> bool:
        asked = request.preferences.transaction
        if asked is not None and self.settings.allows_tx_override:
            return asked == "commit"
        return not self.settings.rolls_back


def drop(result: QueryResult) -> None:
    """Let go of a body that nobody will send."""
    if isinstance(result.body, RowStream):
        result.body.close()

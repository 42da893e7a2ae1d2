-- What the lists of the back office are ordered, filtered and searched by, kept in a narrow table for each list.

-- A list is ordered by figures of several tables, such as what an importer spent. They are computed when one of those
-- tables changes, so that an index holds them. The columns are named as p_order names them; `own` is the list's own
-- order. What a row shows is still read from where it stands (20261125000400).

create function private.list_word(said text) returns text
language sql immutable parallel safe set search_path = '' as $$
    select nullif(lower(normalize(said, nfd)), '') collate "C"
$$;
comment on function private.list_word(text) is 'What a text is ordered by: small letters, accents behind them; nothing for an empty one.';

create function private.list_words(variadic said text[]) returns text
language sql immutable parallel safe set search_path = '' as $$
    select lower(array_to_string(said, ' '))
$$;
comment on function private.list_words(text[]) is 'What a search looks through.';

create table private.agent_entries (
    id text collate "C" primary key, own numeric not null, status text collate "C" not null, agent text collate "C",
    place text collate "C", submitted timestamptz, payment integer, rating numeric, joined timestamptz not null,
    words text not null, changed_at timestamptz not null);
create table private.importer_entries (
    id text collate "C" primary key, own numeric not null, standing text collate "C" not null, seen timestamptz not null,
    importer text collate "C", place text collate "C", account text collate "C" not null, requests integer not null,
    success integer, spent numeric not null, joined timestamptz not null, status numeric not null, words text not null, changed_at timestamptz not null);
create table private.request_entries (
    id text collate "C" primary key, own numeric not null, status text collate "C" not null, car text collate "C",
    importer text collate "C", posted timestamptz not null, budget numeric, agent text collate "C", priority integer,
    progress integer not null, words text not null, changed_at timestamptz not null);
create table private.ticket_entries (
    id text collate "C" primary key, own numeric not null, status text collate "C" not null, is_disputed boolean not null,
    subject text collate "C", "from" text collate "C", category text collate "C", priority integer,
    opened timestamptz not null, words text not null, changed_at timestamptz not null);
create table private.conversation_entries (
    id text collate "C" primary key, own numeric not null, one uuid not null, other uuid not null,
    participants text collate "C", messages integer not null, unread integer not null, started timestamptz not null,
    last timestamptz not null, report text collate "C", changed_at timestamptz not null);
create table private.mail_entries (
    id text collate "C" primary key, own numeric not null, status text collate "C" not null, "to" text collate "C",
    subject text collate "C", queued timestamptz not null, tried timestamptz, attempts integer not null,
    words text not null, changed_at timestamptz not null);
create table private.audit_entries (
    id text collate "C" primary key, "when" bigint not null, kind text collate "C" not null, admin_id uuid,
    at timestamptz not null, words text not null, changed_at timestamptz not null);
comment on table private.agent_entries is 'What the list of agents is ordered and searched by.';
comment on table private.importer_entries is 'What the list of importers is ordered and searched by.';
comment on table private.request_entries is 'What the list of requests is ordered and searched by.';
comment on table private.ticket_entries is 'What the list of tickets is ordered and searched by.';
comment on table private.conversation_entries is 'What the list of conversations is ordered and searched by: who and how much, never what.';
comment on table private.mail_entries is 'What the list of undelivered mails is ordered and searched by.';
comment on table private.audit_entries is 'What the record is searched by: names as they were then, and of members as they are.';

-- Each list as the tables tell it now: of these ids, or of all.

create function private.agent_entries_now(ids text[] default null) returns setof private.agent_entries
language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
    select p.user_id::text, -extract(epoch from coalesce(v.submitted_at, p.created_at)), private.shown_agent_status(p, v),
        private.list_word(coalesce(nullif(p.full_name, ''), u.email)), private.list_word(p.city), v.submitted_at,
        array_position(array['none', 'claimed', 'waived', 'received'], v.payment_status), r.rating, p.created_at,
        private.list_words(p.full_name, p.company_name, p.city, p.country, u.email), clock_timestamp()
    from public.profiles p
    join auth.users u on u.id = p.user_id
    left join lateral (select id from public.agent_verifications
        where agent_id = p.user_id order by submitted_at desc, id limit 1) latest on true
    left join public.agent_verifications v on v.id = latest.id
    left join lateral (select round(avg(rating), 1) as rating from public.reviews where reviewed_id = p.user_id) r on true
    where p.user_type = 'agent' and (ids is null or p.user_id = any (ids::uuid[]))
$$;

create function private.importer_entries_now(ids text[] default null) returns setof private.importer_entries
language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
    -- The biggest spenders first, then the newest: no sum comes near the factor. By status: who was here last stands
    -- first, so that those who are shown as inactive after a while stand behind the active ones.
    select p.user_id::text, -(d.spent * 10000000000 + extract(epoch from p.created_at)), p.status,
        coalesce(u.last_sign_in_at, p.created_at), private.list_word(coalesce(nullif(p.full_name, ''), u.email)),
        private.list_word(p.city), p.account_type, r.requests, round(100.0 * r.completed / nullif(r.requests, 0)), d.spent,
        p.created_at, array_position(array['active', 'inactive', 'suspended'], p.status) * 100000000000
            - extract(epoch from coalesce(u.last_sign_in_at, p.created_at)), private.list_words(p.full_name, p.company_name, p.city, p.country, u.email), clock_timestamp()
    from public.profiles p
    join auth.users u on u.id = p.user_id
    cross join lateral (select count(*) as requests, count(*) filter (where status = 'completed') as completed
        from public.car_requests where importer_id = p.user_id) r
    cross join lateral (select coalesce(sum(value_usd), 0) as spent
        from public.deals where importer_id = p.user_id and status = 'completed') d
    where p.user_type = 'importer' and (ids is null or p.user_id = any (ids::uuid[]))
$$;

create function private.request_entries_now(ids text[] default null) returns setof private.request_entries
language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
    -- what waits for a decision first, then the newest: no moment comes near the factor
    select r.id::text, coalesce(array_position(
            array['disputed', 'pending_approval', 'pending_agent', 'in_progress'], c.status), 9) * 100000000000
            - extract(epoch from r.created_at), c.status, private.list_word(r.car_make || ' ' || r.car_model),
        private.list_word(p.full_name), r.created_at, coalesce(r.budget_max, r.budget_min), private.list_word(a.full_name),
        private.priority_rank(c.priority), c.progress,
        private.list_words(r.car_make, r.car_model, p.full_name, p.country, a.full_name), clock_timestamp()
    from public.car_requests r
    join public.request_cases c on c.request_id = r.id
    join public.profiles p on p.user_id = r.importer_id
    left join public.profiles a on a.user_id = c.assigned_agent_id
    where ids is null or r.id = any (ids::uuid[])
$$;

create function private.ticket_entries_now(ids text[] default null) returns setof private.ticket_entries
language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
    -- the unresolved first, then the newest
    select t.id::text, (t.status = 'resolved')::integer * 100000000000 - extract(epoch from t.created_at), t.status,
        t.status <> 'resolved' and 'dispute' = any (t.tags), private.list_word(t.subject), private.list_word(p.full_name),
        private.list_word(t.category), private.priority_rank(t.priority), t.created_at,
        private.list_words(t.subject, t.body, p.full_name, t.category, array_to_string(t.tags, ' ')), clock_timestamp()
    from public.support_tickets t
    left join public.profiles p on p.user_id = t.user_id
    where ids is null or t.id = any (ids::uuid[])
$$;

create function private.conversation_rank(report text, last timestamptz) returns numeric
language sql immutable set search_path = '' as $$
    select (report is null)::integer * 100000000000 - extract(epoch from last)
$$;
comment on function private.conversation_rank(text, timestamptz) is 'The reported first, then the latest.';

create function private.conversation_entries_now(ids text[] default null) returns setof private.conversation_entries
language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
    with said as (
        select least(sender_id, receiver_id) as one, greatest(sender_id, receiver_id) as other, count(*) as messages,
            count(*) filter (where not is_read) as unread, min(created_at) as started, max(created_at) as last
        from public.messages
        where sender_id is not null and receiver_id is not null and (ids is null or conversation_id = any (array(
            select private.conversation_of(split_part(id, ',', 1)::uuid, split_part(id, ',', 2)::uuid) from unnest(ids) as id)))
        group by 1, 2
    ), reports as (
        select distinct on (least(reporter_id, counterpart_id), greatest(reporter_id, counterpart_id))
            least(reporter_id, counterpart_id) as one, greatest(reporter_id, counterpart_id) as other, reason
        from public.conversation_reports where status <> 'closed'
        order by least(reporter_id, counterpart_id), greatest(reporter_id, counterpart_id), created_at desc, id
    )
    select s.one || ',' || s.other, private.conversation_rank(r.reason, s.last), s.one, s.other,
        private.list_word(concat_ws(' ', a.full_name, b.full_name)), s.messages, s.unread, s.started, s.last, r.reason,
        clock_timestamp()
    from said s
    join public.profiles a on a.user_id = s.one
    join public.profiles b on b.user_id = s.other
    left join reports r on r.one = s.one and r.other = s.other
$$;

create function private.mail_entries_now(ids text[] default null) returns setof private.mail_entries
language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
    -- what waits for a decision first, then the newest
    select o.id::text, array_position(array['stopped', 'waiting', 'given_up'], s.status) * 100000000000
            - extract(epoch from o.created_at), s.status, private.list_word(coalesce(nullif(p.full_name, ''), u.email)),
        private.list_word(s.subject), o.created_at, o.tried_at, o.attempts,
        private.list_words(p.full_name, u.email, s.subject, o.error), clock_timestamp()
    from public.notification_outbox o
    join public.profiles p on p.user_id = o.user_id
    left join auth.users u on u.id = o.user_id
    left join private.notification_texts t on t.kind = o.kind
    cross join lateral (select coalesce(private.filled(t.subject, private.facts_of(o)), o.kind) as subject,
        case when o.given_up_at is not null then 'given_up' when o.due_at = 'infinity' then 'stopped' else 'waiting' end as status) s
    where o.sent_at is null and o.channel = 'email' and o.error is not null and (ids is null or o.id = any (ids::bigint[]))
$$;

create function private.audit_entries_now(ids text[] default null) returns setof private.audit_entries
language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
    select l.id::text, l.id, l.target_type, l.admin_id, l.created_at,
        private.list_words(private.administrator(l.admin_id), l.action, replace(l.action, '_', ' '),
            private.audit_target(l.target_type, l.target_id), l.target_id, l.details::text), clock_timestamp()
    from public.admin_audit_log l
    where ids is null or l.id = any (ids::bigint[])
$$;

comment on function private.agent_entries_now(text[]) is 'Agents as their tables tell now, these or all.';
comment on function private.importer_entries_now(text[]) is 'Importers as their tables tell now, these or all.';
comment on function private.request_entries_now(text[]) is 'Requests as their tables tell now, these or all.';
comment on function private.ticket_entries_now(text[]) is 'Tickets as their tables tell now, these or all.';
comment on function private.conversation_entries_now(text[]) is 'Conversations as their tables tell now, these or all.';
comment on function private.mail_entries_now(text[]) is 'Undelivered mails as their tables tell now, these or all.';
comment on function private.audit_entries_now(text[]) is 'The record as its tables tell now, these entries or all.';

create function private.keep_entries(list text, ids text[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
    columns constant text := (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_catalog.pg_attribute
        where attrelid = ('private.' || list)::regclass and attnum > 0 and not attisdropped);
begin
    if coalesce(cardinality(ids), 0) = 0 then
        return;
    end if;
    -- Held first and read after that: whoever counted before has committed, so that nothing is counted from what was. In
    -- order, so that two who hold the same entries wait for one another, never in a circle.
    execute format('select from private.%I where id = any ($1) order by id for update', list) using ids;
    execute format($sql$
        with now as materialized (select * from private.%2$I($1)),
        gone as (delete from private.%1$I where id = any ($1) and id not in (select id from now))
        insert into private.%1$I select * from now order by id
        on conflict (id) do update set (%3$s) = (select %4$s)$sql$,
        list, list || '_now', columns, 'excluded.' || replace(columns, ', ', ', excluded.')) using ids;
end
$$;
comment on function private.keep_entries(text, text[]) is 'Makes these entries of a list what the tables tell now.';

create function private.rebuild_entries() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
    list text;
begin
    foreach list in array array['agent_entries', 'importer_entries', 'request_entries', 'ticket_entries',
        'conversation_entries', 'mail_entries', 'audit_entries'] loop
        execute format('delete from private.%I', list);
        execute format('insert into private.%I select * from private.%I()', list, list || '_now');
    end loop;
end
$$;
comment on function private.rebuild_entries() is
    'Makes all lists of the back office right where rows came without their triggers, as from a bulk load.';

select private.rebuild_entries();

-- Tabs and the list's own order.
create index agent_entries_status_idx on private.agent_entries (status, own, id);
create index importer_entries_standing_idx on private.importer_entries (standing, seen);
create index importer_entries_account_idx on private.importer_entries (account);
create index request_entries_status_idx on private.request_entries (status, own, id);
create index ticket_entries_status_idx on private.ticket_entries (status, own, id);
create index conversation_entries_report_idx on private.conversation_entries (last) where report is not null;
create index mail_entries_status_idx on private.mail_entries (status, own, id);
create index audit_entries_kind_idx on private.audit_entries (kind, "when");
create index audit_entries_when_idx on private.audit_entries ("when");
create index audit_entries_at_idx on private.audit_entries (at);
create index ticket_entries_words_idx on private.ticket_entries using gin (words extensions.gin_trgm_ops);
create index request_entries_words_idx on private.request_entries using gin (words extensions.gin_trgm_ops);
create index audit_entries_words_idx on private.audit_entries using gin (words extensions.gin_trgm_ops);
create index conversation_entries_one_idx on private.conversation_entries (one);
create index conversation_entries_other_idx on private.conversation_entries (other);

-- Each order a screen offers, and what changed lately.
do $$
declare
    ordered record;
begin
    for ordered in
        select c.relname as list, a.attname as key from pg_catalog.pg_class c
        join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0
        where c.relnamespace = 'private'::regnamespace and c.relname like '%\_entries' and c.relkind = 'r'
            and a.attname not in ('id', 'one', 'other', 'started', 'words', 'is_disputed', 'standing', 'seen', 'kind',
                'admin_id', 'at', 'when', 'joined')
    loop
        execute case ordered.key
            when 'changed_at' then format('create index %I on private.%I (changed_at)', ordered.list || '_changed_idx', ordered.list)
            else format('create index %I on private.%I (%I, id)', ordered.list || '_by_' || ordered.key || '_idx', ordered.list, ordered.key) end;
    end loop;
end
$$;

revoke execute on all functions in schema private from public;

-- Subscriptions to row changes, and the publication that says which tables are followed.
-- The service reads changes by logical decoding with pgoutput and keeps its subscriptions in memory; the table and the
-- functions are here for those who look at or call them in SQL.

create type realtime.action as enum ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'ERROR');
create type realtime.equality_op as enum (
    'eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'like', 'ilike', 'is', 'match', 'imatch', 'isdistinct');
create type realtime.user_defined_filter as (column_name text, op realtime.equality_op, value text, negate boolean);
create type realtime.wal_column as (
    name text, type_name text, type_oid oid, value jsonb, is_pkey boolean, is_selectable boolean);
create type realtime.wal_rls as (wal jsonb, is_rls_enabled boolean, subscription_ids uuid[], errors text[]);
comment on type realtime.action is 'What happened to a row.';
comment on type realtime.equality_op is 'How a filter compares; named as in the data API.';
comment on type realtime.user_defined_filter is 'One condition of a subscription: column=[not.]op.value.';
comment on type realtime.wal_column is 'A column of a changed row.';
comment on type realtime.wal_rls is 'A change and the subscriptions that may see it.';

-- immutable, because a generated column calls it; a role renamed later keeps its oid
create function realtime.to_regrole(role_name text) returns regrole language sql immutable as $$
    select role_name::regrole
$$;
comment on function realtime.to_regrole(text) is 'The role of that name; an error if there is none.';

create function realtime."cast"(val text, type_ regtype) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
    result jsonb;
begin
    -- bytes arrive as bare hex and are sent as they are
    if type_ = 'bytea'::regtype then
        return to_jsonb(val);
    end if;
    execute format('select to_jsonb(%L::%s)', val, type_) into result;
    return result;
end
$$;
comment on function realtime."cast"(text, regtype) is 'The JSON of a value given as text; an error if the text is no such value.';

create function realtime.check_equality_op(
    op realtime.equality_op, type_ regtype, val_1 text, val_2 text, negate boolean)
returns boolean language plpgsql stable set search_path = '' as $$
declare
    condition text;
    result boolean;
begin
    if op = 'is' and val_2 not in ('null', 'true', 'false', 'unknown') then
        raise 'invalid value for is filter: must be null, true, false, or unknown';
    end if;
    condition := case op
        when 'eq' then '%1$L::%2$s = %3$L::%2$s'
        when 'neq' then '%1$L::%2$s <> %3$L::%2$s'
        when 'lt' then '%1$L::%2$s < %3$L::%2$s'
        when 'lte' then '%1$L::%2$s <= %3$L::%2$s'
        when 'gt' then '%1$L::%2$s > %3$L::%2$s'
        when 'gte' then '%1$L::%2$s >= %3$L::%2$s'
        when 'in' then '%1$L::%2$s = any (%3$L::%2$s[])'
        when 'like' then '%1$L::%2$s like %3$L::%2$s'
        when 'ilike' then '%1$L::%2$s ilike %3$L::%2$s'
        when 'match' then '%1$L::%2$s ~ %3$L::%2$s'
        when 'imatch' then '%1$L::%2$s ~* %3$L::%2$s'
        when 'is' then '%1$L::%2$s is %3$s'
        when 'isdistinct' then '%1$L::%2$s is distinct from %3$L::%2$s'
    end;
    execute format('select ' || condition, val_1, type_, val_2) into result;
    return result <> coalesce(negate, false);
end
$$;
comment on function realtime.check_equality_op(realtime.equality_op, regtype, text, text, boolean) is
    'Whether val_1 compares to val_2 as values of a type; null when the comparison is, negated or not.';

create function realtime.check_equality_op(op realtime.equality_op, type_ regtype, val_1 text, val_2 text)
returns boolean language sql immutable as $$
    select realtime.check_equality_op(op, type_, val_1, val_2, false)
$$;
comment on function realtime.check_equality_op(realtime.equality_op, regtype, text, text) is
    'Whether val_1 compares to val_2 as values of a type.';

create function realtime.is_visible_through_filters(columns realtime.wal_column[], filters realtime.user_defined_filter[])
returns boolean language sql stable as $$
    select coalesce(bool_and(coalesce(
        case when c.name is not null then
            realtime.check_equality_op(
                f.op, coalesce(c.type_oid::regtype, c.type_name::regtype), c.value #>> '{}', f.value, f.negate)
        end, false)), true)
    from unnest(filters) f left join unnest(columns) c on c.name = f.column_name
$$;
comment on function realtime.is_visible_through_filters(realtime.wal_column[], realtime.user_defined_filter[]) is
    'Whether a row passes all filters; a filter on a column the change does not carry is not passed.';

-- A filter that cannot be evaluated is refused here, where its author is still listening.
create function realtime.subscription_check_filters() returns trigger
language plpgsql set search_path = '' as $$
declare
    selectable constant text[] := array(
        select attname from pg_catalog.pg_attribute
        where attrelid = new.entity and attnum > 0 and not attisdropped
            and has_column_privilege(new.claims ->> 'role', attrelid, attnum, 'select'));
    filter realtime.user_defined_filter;
    type_ regtype;
    stray text;
begin
    foreach filter in array new.filters loop
        if filter.column_name <> all (selectable) then
            raise 'invalid column for filter %', filter.column_name;
        end if;
        select atttypid::regtype into type_ from pg_catalog.pg_attribute
        where attrelid = new.entity and attname = filter.column_name;

        case filter.op
            when 'in' then
                if jsonb_array_length(realtime."cast"(filter.value, (type_ || '[]')::regtype)) > 100 then
                    raise 'too many values for `in` filter. Maximum 100';
                end if;
            when 'is' then
                if filter.value not in ('null', 'true', 'false', 'unknown') then
                    raise 'invalid value for is filter: must be null, true, false, or unknown';
                elsif filter.value <> 'null' and type_ <> 'boolean'::regtype then
                    raise 'is % filter requires a boolean column, got %', filter.value, type_;
                end if;
            when 'like', 'ilike', 'match', 'imatch' then
                if not exists (
                    select from pg_catalog.pg_operator
                    where oprleft = type_ and oprresult = 'boolean'::regtype
                        and oprname = case filter.op when 'match' then '~' when 'imatch' then '~*' else '~~' end
                        and (oprright = type_ or filter.op in ('like', 'ilike')))
                then
                    raise 'operator % requires a text-compatible column type, got %', filter.op, type_;
                end if;
                if filter.op in ('match', 'imatch') then
                    begin
                        perform '' ~ filter.value;
                    exception when invalid_regular_expression then
                        raise 'invalid regular expression for % filter: %', filter.op, sqlerrm;
                    end;
                end if;
            else
                perform realtime."cast"(filter.value, type_);
        end case;
    end loop;

    select c into stray from unnest(new.selected_columns) c where c <> all (selectable) limit 1;
    if found then
        raise 'invalid column for select %', stray;
    end if;

    -- one order for all, so that the unique index recognises the same subscription in another order
    new.filters := array(select f from unnest(new.filters) f order by f.column_name, f.op, f.value, f.negate);
    if new.selected_columns is not null then
        new.selected_columns := array(select c from unnest(new.selected_columns) c order by c);
    end if;
    return new;
end
$$;
comment on function realtime.subscription_check_filters() is 'Refuses subscriptions to what the role may not read or could not compare.';

create table realtime.subscription (
    id bigint generated always as identity constraint pk_subscription primary key,
    subscription_id uuid not null,
    entity regclass not null,
    filters realtime.user_defined_filter[] not null default '{}',
    claims jsonb not null,
    claims_role regrole not null generated always as (realtime.to_regrole(claims ->> 'role')) stored,
    created_at timestamp not null default timezone('utc', now()),
    action_filter text default '*'
        constraint subscription_action_filter_check check (action_filter in ('*', 'INSERT', 'UPDATE', 'DELETE')),
    selected_columns text[]
);
comment on table realtime.subscription is 'Who follows which table; a row per channel and table.';
create index ix_realtime_subscription_entity on realtime.subscription (entity);
create unique index subscription_subscription_id_entity_filters_action_filter_selec on realtime.subscription
    (subscription_id, entity, filters, action_filter, coalesce(selected_columns, '{}'));
create trigger tr_check_filters before insert or update on realtime.subscription
    for each row execute function realtime.subscription_check_filters();

select minato.hand_over('realtime', 'supabase_realtime_admin');
grant select on realtime.subscription to anon, authenticated, service_role;
grant all on realtime.subscription to postgres, dashboard_user;
grant usage on sequence realtime.subscription_id_seq to anon, authenticated, service_role;
grant all on all routines in schema realtime to postgres, dashboard_user;

create table realtime.schema_migrations (
    version bigint primary key,
    inserted_at timestamp(0)
);
comment on table realtime.schema_migrations is 'The realtime service''s own migrations whose outcome this schema has; the revisions are kept elsewhere.';
revoke all on realtime.schema_migrations from postgres, dashboard_user;

-- Which tables are followed is for the developer to say, with alter publication … add table.
create publication supabase_realtime;
select minato.attempt('alter publication supabase_realtime owner to postgres');

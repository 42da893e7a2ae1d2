-- Messages sent from SQL. The table is partitioned by day, so that forgetting old messages is dropping a table.

create table realtime.messages (
    topic text not null,
    extension text not null,
    payload jsonb,
    event text,
    private boolean default false,
    updated_at timestamp not null default now(),
    inserted_at timestamp not null default now(),
    id uuid not null default gen_random_uuid(),
    binary_payload bytea,
    constraint messages_pkey primary key (id, inserted_at),
    constraint messages_payload_exclusive check (payload is null or binary_payload is null)
) partition by range (inserted_at);
comment on table realtime.messages is
    'Broadcasts from SQL; every committed insert is sent to its topic. Policies on this table decide who may join a private channel.';
create index messages_inserted_at_topic_index on realtime.messages (inserted_at desc, topic)
    where extension = 'broadcast' and private is true;
alter table realtime.messages enable row level security;

create function realtime.topic() returns text language sql stable as $$
    select nullif(current_setting('realtime.topic', true), '')
$$;
comment on function realtime.topic() is 'The channel whose policy is being asked.';

-- Meant for triggers: losing a broadcast is better than losing the write it tells of, so every error is only a warning.
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
language plpgsql set search_path = '' as $$
declare
    message_id uuid := gen_random_uuid();
begin
    perform set_config('realtime.topic', topic, true);
    insert into realtime.messages (id, payload, event, topic, private, extension)
    values (
        message_id,
        case when payload ? 'id' then payload else jsonb_set(payload, '{id}', to_jsonb(message_id)) end,
        event, topic, private, 'broadcast');
exception when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;
comment on function realtime.send(jsonb, text, text, boolean) is 'Broadcasts a JSON payload to a topic when the transaction commits.';

create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
language plpgsql set search_path = '' as $$
begin
    perform set_config('realtime.topic', topic, true);
    insert into realtime.messages (binary_payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast');
exception when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;
comment on function realtime.send_binary(bytea, text, text, boolean) is 'Broadcasts bytes to a topic when the transaction commits.';

create function realtime.broadcast_changes(
    topic_name text, event_name text, operation text, table_name text, table_schema text,
    new record, old record, level text default 'ROW')
returns void language plpgsql set search_path = '' as $$
begin
    if level = 'STATEMENT' then
        raise 'function can only be triggered for each row, not for each statement';
    elsif operation is null or operation not in ('INSERT', 'UPDATE', 'DELETE') then
        raise 'Unexpected operation type: %', operation;
    end if;
    perform realtime.send(
        jsonb_build_object(
            'old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema),
        event_name, topic_name);
exception when others then
    raise 'Failed to process the row: %', sqlerrm;
end
$$;
comment on function realtime.broadcast_changes(text, text, text, text, text, record, record, text) is
    'Called by a row trigger: broadcasts the change of the row to a private topic.';

-- Creating a partition in place would lock the whole table against readers; attaching a finished one does not.
create function minato.keep_message_partitions(today date default (now() at time zone 'utc')::date) returns void
language plpgsql set search_path = '' as $$
declare
    day date;
    partition text;
begin
    perform pg_advisory_xact_lock(hashtext('realtime.messages'));
    for day in select generate_series(today - 1, today + 3, interval '1 day') loop
        partition := to_char(day, '"messages_"YYYY_MM_DD');
        if to_regclass('realtime.' || partition) is null then
            execute format('create table realtime.%I (like realtime.messages including all)', partition);
            execute format('alter table realtime.messages attach partition realtime.%I for values from (%L) to (%L)',
                partition, day, day + 1);
            perform minato.attempt(format('alter table realtime.%I owner to supabase_realtime_admin', partition));
        end if;
    end loop;
    for partition in
        select c.relname from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'realtime.messages'::regclass and c.relname < to_char(today - 3, '"messages_"YYYY_MM_DD')
    loop
        execute format('drop table realtime.%I', partition);
    end loop;
end
$$;
comment on function minato.keep_message_partitions(date) is
    'Keeps a partition of realtime.messages for each day from yesterday to three days ahead, and drops those older than 72 hours.';
revoke all on function minato.keep_message_partitions(date) from public;

select minato.hand_over('realtime', 'supabase_realtime_admin');
grant select, insert, update on realtime.messages to anon, authenticated, service_role;
grant all on realtime.messages to postgres, dashboard_user;

select minato.keep_message_partitions();

-- what is inserted here is sent; partitions come and go, so the stream speaks of the table as a whole
create publication supabase_realtime_messages_publication for table realtime.messages
    with (publish = 'insert', publish_via_partition_root = true);

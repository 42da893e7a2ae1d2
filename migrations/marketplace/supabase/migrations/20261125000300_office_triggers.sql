-- The lists of the back office follow the tables they are made of, a statement at a time.

-- One function for all tables: its arguments are pairs of a list and the column of the changed row that is an id of it.
create function private.note_office() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
    rows constant text := case tg_op when 'INSERT' then 'select * from after_it' when 'DELETE' then 'select * from before_it'
        else 'select * from after_it union all select * from before_it' end;
    ids text[];
begin
    for place in 0 .. tg_nargs - 1 by 2 loop
        execute format('select array_agg(distinct %1$I::text) from (%2$s) r where %1$I is not null', tg_argv[place + 1], rows)
        into ids;
        perform private.keep_entries(tg_argv[place], ids);
    end loop;
    return null;
end
$$;
comment on function private.note_office() is 'Keeps the entries that a change of a table touches.';

do $$
declare
    source record;
begin
    for source in select * from (values
        ('profiles', $a$'agent_entries', 'user_id', 'importer_entries', 'user_id'$a$),
        ('agent_verifications', $a$'agent_entries', 'agent_id'$a$),
        ('reviews', $a$'agent_entries', 'reviewed_id'$a$),
        ('car_requests', $a$'request_entries', 'id', 'importer_entries', 'importer_id'$a$),
        ('request_cases', $a$'request_entries', 'request_id'$a$),
        ('deals', $a$'importer_entries', 'importer_id'$a$),
        ('support_tickets', $a$'ticket_entries', 'id'$a$),
        ('admin_audit_log', $a$'audit_entries', 'id'$a$)) as of (name, arguments)
    loop
        execute format('create trigger note_office after insert on public.%I referencing new table as after_it
            for each statement execute function private.note_office(%s)', source.name, source.arguments);
        execute format('create trigger note_office_change after update on public.%I referencing old table as before_it
            new table as after_it for each statement execute function private.note_office(%s)', source.name, source.arguments);
        execute format('create trigger note_office_end after delete on public.%I referencing old table as before_it
            for each statement execute function private.note_office(%s)', source.name, source.arguments);
    end loop;
end
$$;

-- An account's address and last sign-in stand in the platform's table, which changes for many other reasons.
create function private.note_account() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
    perform private.keep_entries('agent_entries', array[new.id::text]);
    perform private.keep_entries('importer_entries', array[new.id::text]);
    if new.email is distinct from old.email then
        perform private.keep_named_entries(array[new.id]);
    end if;
    return null;
end
$$;
comment on function private.note_account() is 'Keeps the entries that name an account or say when it was here.';
create trigger note_account after update on auth.users
    for each row when (old.email is distinct from new.email or old.last_sign_in_at is distinct from new.last_sign_in_at)
    execute function private.note_account();

create function private.keep_named_entries(members uuid[]) returns void
language sql volatile security definer set search_path = '' as $$
    select private.keep_entries('request_entries', array(
        select id::text from public.car_requests where importer_id = any (members)
        union select request_id::text from public.request_cases where assigned_agent_id = any (members)));
    select private.keep_entries('ticket_entries', array(
        select id::text from public.support_tickets where user_id = any (members)));
    select private.keep_entries('conversation_entries', array(
        select id from private.conversation_entries where one = any (members)
        union select id from private.conversation_entries where other = any (members)));
    select private.keep_entries('mail_entries', array(
        select e.id from private.mail_entries e join public.notification_outbox o on o.id = e.id::bigint
        where o.user_id = any (members) or o.payload ->> 'sender_id' = any (members::text[])
            or o.payload ->> 'importer_id' = any (members::text[]) or o.payload ->> 'agent_id' = any (members::text[])));
    select private.keep_entries('audit_entries', array(
        select id::text from public.admin_audit_log
        where target_type in ('agent', 'member') and target_id = any (members::text[])));
$$;
comment on function private.keep_named_entries(uuid[]) is 'Keeps the entries of all lists that name these members.';
create index admin_audit_log_target_idx on public.admin_audit_log (target_id);

create function private.note_renamed() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
    renamed constant uuid[] := array(
        select user_id from after_it a join before_it b using (user_id)
        where (a.full_name, a.country) is distinct from (b.full_name, b.country));
begin
    if cardinality(renamed) > 0 then
        perform private.keep_named_entries(renamed);
    end if;
    return null;
end
$$;
comment on function private.note_renamed() is 'Whoever has another name has it wherever they are listed.';
create trigger note_renamed after update on public.profiles referencing old table as before_it new table as after_it
    for each statement execute function private.note_renamed();

-- Of the mails only those that failed are listed, and most never do.
create function private.note_mails() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
    ids text[];
begin
    execute case tg_op when 'INSERT' then 'select array_agg(id::text) from after_it where error is not null'
        when 'DELETE' then 'select array_agg(id::text) from before_it where error is not null'
        else 'select array_agg(a.id::text) from after_it a join before_it b using (id)
            where a.error is not null or b.error is not null' end into ids;
    perform private.keep_entries('mail_entries', ids);
    return null;
end
$$;
comment on function private.note_mails() is 'Keeps the mails that could not be delivered.';
create trigger note_mails after insert on public.notification_outbox referencing new table as after_it
    for each statement execute function private.note_mails();
create trigger note_mails_change after update on public.notification_outbox referencing old table as before_it
    new table as after_it for each statement execute function private.note_mails();
create trigger note_mails_end after delete on public.notification_outbox referencing old table as before_it
    for each statement execute function private.note_mails();

-- A conversation may be long, so that what is written and read is added, not counted again.
create function private.report_of(one uuid, other uuid) returns text
language sql stable security definer set search_path = '' as $$
    select reason from public.conversation_reports
    where status <> 'closed' and reporter_id in (one, other) and counterpart_id in (one, other)
    order by created_at desc, id limit 1
$$;
comment on function private.report_of(uuid, uuid) is 'Why the conversation of two members is reported; nothing where it is not.';

create function private.count_written() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
    insert into private.conversation_entries as c
    select w.one || ',' || w.other, private.conversation_rank(r.report, w.last), w.one, w.other,
        private.list_word(concat_ws(' ', a.full_name, b.full_name)), w.messages, w.unread, w.started, w.last, r.report,
        clock_timestamp()
    from (
        select least(sender_id, receiver_id) as one, greatest(sender_id, receiver_id) as other, count(*) as messages,
            count(*) filter (where not is_read) as unread, min(created_at) as started, max(created_at) as last
        from written group by 1, 2) w
    join public.profiles a on a.user_id = w.one
    join public.profiles b on b.user_id = w.other
    cross join lateral (select private.report_of(w.one, w.other) as report) r
    order by w.one, w.other
    on conflict (id) do update set messages = c.messages + excluded.messages, unread = c.unread + excluded.unread,
        started = least(c.started, excluded.started), last = greatest(c.last, excluded.last),
        own = private.conversation_rank(c.report, greatest(c.last, excluded.last)), changed_at = excluded.changed_at;
    return null;
end
$$;
comment on function private.count_written() is 'A message is one more of its conversation.';
create trigger count_written after insert on public.messages
    referencing new table as written for each statement execute function private.count_written();

create function private.count_read() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
    update private.conversation_entries c set unread = c.unread - n.fewer, changed_at = clock_timestamp()
    from (
        select least(a.sender_id, a.receiver_id) || ',' || greatest(a.sender_id, a.receiver_id) as id,
            count(*) filter (where a.is_read) - count(*) filter (where not a.is_read) as fewer
        from after_it a join before_it b using (id)
        where a.is_read is distinct from b.is_read and a.sender_id is not null and a.receiver_id is not null
        group by 1) n
    where c.id = n.id and n.fewer <> 0;
    return null;
end
$$;
comment on function private.count_read() is 'What was read waits no longer.';
create trigger count_read after update on public.messages referencing old table as before_it new table as after_it
    for each statement execute function private.count_read();

create function private.note_conversations() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
    sides constant text[] := case tg_table_name when 'messages' then array['sender_id', 'receiver_id']
        else array['reporter_id', 'counterpart_id'] end;
    ids text[];
begin
    execute format($sql$
        select array_agg(distinct least(%1$I, %2$I) || ',' || greatest(%1$I, %2$I)) from (%3$s) r
        where %1$I is not null and %2$I is not null$sql$, sides[1], sides[2],
        case tg_op when 'INSERT' then 'select * from after_it' when 'DELETE' then 'select * from before_it'
            else 'select * from after_it union all select * from before_it' end) into ids;
    perform private.keep_entries('conversation_entries', ids);
    return null;
end
$$;
comment on function private.note_conversations() is 'Counts the conversations again that messages were taken from, or that are reported.';
create trigger count_removed after delete on public.messages referencing old table as before_it
    for each statement execute function private.note_conversations();
create trigger note_office after insert on public.conversation_reports referencing new table as after_it
    for each statement execute function private.note_conversations();
create trigger note_office_change after update on public.conversation_reports referencing old table as before_it
    new table as after_it for each statement execute function private.note_conversations();
create trigger note_office_end after delete on public.conversation_reports referencing old table as before_it
    for each statement execute function private.note_conversations();

-- Whoever leaves becomes nobody in the messages, and in no list of conversations.
create function private.note_left() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
    delete from private.conversation_entries where one in (select user_id from gone) or other in (select user_id from gone);
    return null;
end
$$;
comment on function private.note_left() is 'A conversation of which one side left is not listed.';
create trigger note_left after delete on public.profiles
    referencing old table as gone for each statement execute function private.note_left();

revoke execute on all functions in schema private from public;

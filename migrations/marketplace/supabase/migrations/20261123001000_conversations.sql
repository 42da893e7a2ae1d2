-- The conversations of each member, a row for each side, kept by the messages: their list is one short read.

create table public.conversations (
    user_id uuid not null constraint conversations_user_id_fkey references public.profiles (user_id) on delete cascade,
    conversation_id uuid not null,
    last_message_id uuid not null
        constraint conversations_last_message_id_fkey references public.messages (id) on delete cascade,
    last_at timestamptz not null,
    unread integer not null default 0 constraint conversations_unread_check check (unread >= 0),
    primary key (user_id, conversation_id)
);
comment on table public.conversations is
    'What was said last in each conversation of a member, and how much of it they have not read. Kept by the messages.';
create index conversations_user_id_last_at_idx on public.conversations (user_id, last_at desc);
create index conversations_last_message_id_idx on public.conversations (last_message_id);

-- A thread is read from its end; who has left is known by the number of the conversation alone.
create index messages_thread_idx on public.messages (sender_id, receiver_id, created_at);
create index messages_conversation_id_idx on public.messages (conversation_id, created_at);
create index messages_unread_idx on public.messages (receiver_id, sender_id) where not is_read;

alter table public.conversations enable row level security;
create policy "Members read their own conversations" on public.conversations
    for select to authenticated using (user_id = (select auth.uid()));
revoke insert, update, delete, truncate on public.conversations from anon, authenticated;

-- Those of `only_of`, or all: from the messages, whatever stood there.
create function private.rebuild_conversations(only_of uuid[] default null) returns void
language sql security definer set search_path = '' as $$
    insert into public.conversations (user_id, conversation_id, last_message_id, last_at, unread)
    select s.user_id, m.conversation_id, (array_agg(m.id order by m.created_at desc, m.id))[1], max(m.created_at),
        count(*) filter (where m.receiver_id = s.user_id and not m.is_read)
    from public.messages m cross join lateral (values (m.sender_id), (m.receiver_id)) as s (user_id)
    where s.user_id is not null and (only_of is null or m.conversation_id = any (only_of))
    group by s.user_id, m.conversation_id
    order by s.user_id, m.conversation_id
    on conflict (user_id, conversation_id) do update
    set last_message_id = excluded.last_message_id, last_at = excluded.last_at, unread = excluded.unread
$$;
comment on function private.rebuild_conversations(uuid[]) is
    'Makes conversations right where messages came without their triggers, as from a bulk load.';

create function private.note_written() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    -- In one order, so that two who write to each other wait instead of blocking each other.
    insert into public.conversations as c (user_id, conversation_id, last_message_id, last_at, unread)
    select s.user_id, w.conversation_id, (array_agg(w.id order by w.created_at desc, w.id))[1], max(w.created_at),
        count(*) filter (where w.receiver_id = s.user_id and not w.is_read)
    from written w cross join lateral (values (w.sender_id), (w.receiver_id)) as s (user_id)
    where s.user_id is not null
    group by s.user_id, w.conversation_id
    order by s.user_id, w.conversation_id
    on conflict (user_id, conversation_id) do update
    set last_message_id = case when excluded.last_at >= c.last_at then excluded.last_message_id
            else c.last_message_id end,
        last_at = greatest(c.last_at, excluded.last_at), unread = c.unread + excluded.unread;
    return null;
end
$$;
comment on function private.note_written() is 'A message leads the conversation of both sides; the other side has it to read.';
create trigger note_written after insert on public.messages
    referencing new table as written for each statement execute function private.note_written();

create function private.note_read() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    update public.conversations c set unread = greatest(c.unread - n.fewer, 0)
    from (
        select a.receiver_id as user_id, a.conversation_id,
            count(*) filter (where a.is_read) - count(*) filter (where not a.is_read) as fewer
        from after_it a join before_it b using (id)
        where a.is_read is distinct from b.is_read and a.receiver_id is not null
        group by a.receiver_id, a.conversation_id) n
    where c.user_id = n.user_id and c.conversation_id = n.conversation_id;
    return null;
end
$$;
comment on function private.note_read() is 'What was read is not waiting in its conversation any more.';
create trigger note_read after update on public.messages
    referencing old table as before_it new table as after_it for each statement execute function private.note_read();

create function private.note_removed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    perform private.rebuild_conversations(array(select distinct conversation_id from removed));
    return null;
end
$$;
comment on function private.note_removed() is 'A conversation without its last message goes on with the one before.';
create trigger note_removed after delete on public.messages
    referencing old table as removed for each statement execute function private.note_removed();

select private.rebuild_conversations();

-- Without a search path of its own, so that it is planned as part of the read that embeds it; every name is complete.
create function public.conversation(public.messages) returns setof public.conversations
language sql stable security invoker rows 1 as $$
    select c.* from public.conversations c where c.last_message_id = ($1).id and c.user_id = (select auth.uid())
$$;
comment on function public.conversation(public.messages) is
    'The caller''s conversation that the message is the last of, to embed; none for every other message.';

create function public.search_conversations(q text) returns setof public.messages
language sql stable security invoker set search_path = '' rows 50 as $$
    select m.* from public.conversations c
    join public.messages m on m.id = c.last_message_id
    left join public.profiles p
        on p.user_id = case when m.sender_id = (select auth.uid()) then m.receiver_id else m.sender_id end
    where c.user_id = (select auth.uid())
        and (strpos(lower(coalesce(p.full_name, 'Unknown User')), lower(btrim(left(q, 100)))) > 0
            or strpos(lower(m.content), lower(btrim(left(q, 100)))) > 0)
$$;
comment on function public.search_conversations(text) is
    'The last message of each of the caller''s conversations in which the other side''s name or that message has the text.';

revoke execute on function private.rebuild_conversations(uuid[]), private.note_written(), private.note_read(),
    private.note_removed() from public, anon, authenticated;
grant execute on function private.rebuild_conversations(uuid[]) to service_role;
revoke execute on function public.conversation(public.messages), public.search_conversations(text) from public, anon;
grant execute on function public.conversation(public.messages), public.search_conversations(text)
    to authenticated, service_role;

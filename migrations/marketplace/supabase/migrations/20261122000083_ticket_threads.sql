-- Members follow and reopen their tickets, and read the answer in the mail.

-- The member follows the own tickets live; each event is checked against the select policy.
alter publication supabase_realtime add table public.support_tickets, public.ticket_messages;

-- One appeal at a time: whoever is suspended writes to the team in one place.
create unique index support_tickets_one_open_appeal_key on public.support_tickets (user_id)
    where category = 'appeal' and status <> 'resolved';

create or replace function private.default_ticket_columns() returns trigger language plpgsql set search_path = '' as $$
begin
    if current_user in ('anon', 'authenticated') then
        new.status := 'open';
        new.assigned_to := null;
        new.tags := '{}';
        new.priority := 'medium';
        new.created_at := now();
        -- what a suspended member asks is about the suspension, and nobody else's ticket is an appeal
        new.category := case when private.is_suspended(new.user_id) then 'appeal'
            when new.category = 'appeal' then 'account' else new.category end;
    end if;
    return new;
end
$$;

create or replace function private.continue_ticket() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    -- unchanged statuses are written, too: the newest word moves the ticket to the top
    update public.support_tickets
    set status = case
        when status = 'waiting_response' or (status = 'resolved' and assigned_to is not null) then 'in_progress'
        when status = 'resolved' then 'open'
        else status end
    where id = new.ticket_id and user_id = new.author_id;
    return null;
end
$$;
comment on function private.continue_ticket() is
    'An answer from its author takes a ticket out of waiting, and opens one again that was resolved.';

create function private.default_ticket_message_columns() returns trigger language plpgsql set search_path = '' as $$
begin
    if current_user in ('anon', 'authenticated') then
        new.created_at := now();
    end if;
    return new;
end
$$;
comment on function private.default_ticket_message_columns() is 'What is said is said now.';
create trigger default_columns before insert on public.ticket_messages
    for each row execute function private.default_ticket_message_columns();

-- The mail carries the answer itself and leads to the ticket. It is added here, so that every step of a ticket that
-- writes an answer need not; `sender_id` is what the page of a mail may name.
create function private.add_ticket_answer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    new.payload := coalesce((
        select jsonb_build_object('note', m.body, 'sender_id', t.id,
            'facts', jsonb_build_array(jsonb_build_array('Your question', t.subject)))
        from public.support_tickets t join public.ticket_messages m on m.ticket_id = t.id
        where t.id::text = new.payload ->> 'ticket_id' and m.author_id is distinct from t.user_id
        order by m.created_at desc, m.id desc limit 1), '{}') || new.payload;
    return new;
end
$$;
comment on function private.add_ticket_answer() is 'Puts the newest answer of the team into its notification.';
create trigger add_ticket_answer before insert on public.notification_outbox
    for each row when (new.kind = 'ticket_answer') execute function private.add_ticket_answer();

update private.notification_texts set action = 'Read and answer', path = '/{area}/settings/support/{sender}'
where kind = 'ticket_answer';
update private.notification_texts
set body = 'You can still sign in, read, and ask our team to look again. This is the reason:',
    action = 'Ask for a review', path = '/{area}/settings/support'
where kind = 'account_suspended';

revoke execute on all functions in schema private from public;

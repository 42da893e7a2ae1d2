-- A key that a text carries is read as the key. Compared as text, it had each mail and each entry of the record look
-- through all messages, requests and members.

create function private.key_of(said text) returns uuid
language sql immutable parallel safe set search_path = '' as $$
    select case when said ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then said::uuid end
$$;
comment on function private.key_of(text) is 'A text as the key of a row; nothing where it is none.';

create or replace function private.called(member text) returns text
language sql stable security definer set search_path = '' as $$
    select coalesce((
        select nullif(btrim(full_name), '') from public.profiles where user_id = private.key_of(member)), 'A member')
$$;

create or replace function private.car_of_request(request text) returns text
language sql stable security definer set search_path = '' as $$
    select coalesce((
        select car_make || ' ' || car_model from public.car_requests where id = private.key_of(request)), 'your car')
$$;

create or replace function private.request_facts(request text) returns jsonb
language sql stable security definer set search_path = '' as $$
    select coalesce(jsonb_agg(jsonb_build_array(fact.name, fact.value) order by fact.place), '[]')
    from public.car_requests r
    cross join lateral (values
        (1, 'Car', r.car_make || ' ' || r.car_model),
        (2, 'Year', r.year_range),
        (3, 'Budget', private.budget_text(r.budget_min, r.budget_max)),
        (4, 'Destination port', r.shipping_port),
        (5, 'Condition', r.condition),
        (6, 'Wishes', r.description)) as fact (place, name, value)
    where r.id = private.key_of(request) and nullif(btrim(fact.value), '') is not null
$$;

create or replace function private.request_of(item public.notification_outbox) returns text
language sql stable security definer set search_path = '' as $$
    select coalesce(item.payload ->> 'request_id', (
        select request_id::text from public.invitations where id = private.key_of(item.payload ->> 'invitation_id')))
$$;

create or replace function private.facts_of(item public.notification_outbox) returns jsonb
language sql stable security definer set search_path = '' as $$
    select jsonb_build_object(
        'area', p.user_type,
        'other', case p.user_type when 'agent' then 'importer' else 'agent' end,
        'sender', coalesce(item.payload ->> 'sender_id', ''),
        'who', private.called(coalesce(item.payload ->> 'sender_id',
            case p.user_type when 'agent' then item.payload ->> 'importer_id' else item.payload ->> 'agent_id' end)),
        'car', private.car_of_request(private.request_of(item)),
        'note', coalesce(item.payload ->> 'note', item.payload ->> 'reason', ''),
        'words', coalesce(m.content, i.message, ''),
        'reply', coalesce(i.response_message, ''))
    from public.profiles p
    left join public.messages m on m.id = private.key_of(item.payload ->> 'message_id')
    left join public.invitations i on i.id = private.key_of(item.payload ->> 'invitation_id')
    where p.user_id = item.user_id
$$;

create or replace function private.items_of(mail public.notification_outbox) returns jsonb
language sql stable security definer set search_path = '' as $$
    select coalesce(mail.payload -> 'items', (
        select jsonb_build_array(private.request_item(r)) from public.car_requests r
        where r.id = private.key_of(mail.payload ->> 'request_id')), '[]')
$$;

create or replace function private.add_ticket_answer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    new.payload := coalesce((
        select jsonb_build_object('note', m.body, 'sender_id', t.id,
            'facts', jsonb_build_array(jsonb_build_array('Your question', t.subject)))
        from public.support_tickets t join public.ticket_messages m on m.ticket_id = t.id
        where t.id = private.key_of(new.payload ->> 'ticket_id') and m.author_id is distinct from t.user_id
        order by m.created_at desc, m.id desc limit 1), '{}') || new.payload;
    return new;
end
$$;

create or replace function private.audit_target(target_type text, target_id text) returns text
language sql stable security definer set search_path = '' as $$
    select case
        when target_type in ('agent', 'member') then
            (select full_name from public.profiles where user_id = private.key_of(target_id))
        when target_type = 'request' then
            (select car_make || ' ' || car_model from public.car_requests where id = private.key_of(target_id))
        when target_type = 'ticket' then (select subject from public.support_tickets where id = private.key_of(target_id))
        when target_type = 'mail' and target_id ~ '^\d{1,18}$' then (
            select p.full_name from public.notification_outbox o join public.profiles p on p.user_id = o.user_id
            where o.id = target_id::bigint)
        when target_type = 'setting' then target_id
        when target_type = 'report' then (
            select concat_ws(' – ', a.full_name, b.full_name) from public.conversation_reports r
            left join public.profiles a on a.user_id = r.reporter_id
            left join public.profiles b on b.user_id = r.counterpart_id
            where r.id = private.key_of(target_id)) end
$$;

revoke execute on function private.key_of(text) from public;

-- Agents hear of the requests that suit them, in a digest.

-- A new request is told to the agents it suits, and several of them in one mail: the first goes out at once, what comes
-- in the hours after it waits and goes out together. The items of such a mail stand in its payload.
insert into private.notification_texts (kind, subject, body, action, path) values
    ('requests', 'New import requests for you', 'Importers are looking for these cars:', 'See all requests',
        '/agent/requests');

create function private.request_digest_pause() returns interval
language sql immutable set search_path = '' as $$ select interval '4 hours' $$;
comment on function private.request_digest_pause() is 'How long an agent is left alone after a mail about requests.';

-- The words are an agent's own, so they are looked for either way round: 'Toyota', 'Toyota vans', 'Sports', 'Electric'.
create function private.is_about(word text, request public.car_requests) returns boolean
language sql stable security definer set search_path = '' as $$
    select strpos(lower(request.car_make || ' ' || request.car_model), lower(word)) > 0
        or strpos(lower(word), nullif(lower(btrim(request.car_make)), '')) > 0
        or strpos(lower(private.category_of(request.car_make, request.car_model)), lower(word)) > 0
        or lower(word) = lower(request.fuel_type)
        or lower(word) like 'commercial%' and request.car_model ~*
            '\y(hiace|regius|townace|liteace|dyna|toyoace|probox|canter|elf|titan|bongo|caravan|vanette|atlas|hijet|carry|every|sambar|acty|truck|van|bus)\y'
$$;
comment on function private.is_about(text, public.car_requests) is
    'Whether a word an agent uses for what they deal in fits a request: a make, a model, a kind of car, a fuel.';

create function private.suits(agent public.profiles, request public.car_requests) returns boolean
language sql stable security definer set search_path = '' as $$
    with said as (
        select btrim(word) as word from unnest(agent.specialties) as word where btrim(word) <> ''
        union
        select btrim(car_name) from public.agent_posts where agent_id = agent.user_id and btrim(car_name) <> ''
    )
    select not exists (select from said) or exists (select from said where private.is_about(word, request))
$$;
comment on function private.suits(public.profiles, public.car_requests) is
    'Whether a request is one for an agent, by specialties and by the makes on offer. An agent who has named neither deals in everything.';

create function private.request_item(request public.car_requests) returns jsonb
language sql immutable set search_path = '' as $$
    select jsonb_build_object('request_id', request.id, 'path', '/agent/requests',
        'title', request.car_make || ' ' || request.car_model,
        'text', concat_ws(' · ', nullif(btrim(request.year_range), ''),
            nullif(concat_ws(' – ',
                '$' || to_char(request.budget_min, 'FM999,999,999,990'),
                '$' || to_char(request.budget_max, 'FM999,999,999,990')), ''),
            nullif(btrim(request.shipping_port), '')))
$$;
comment on function private.request_item(public.car_requests) is 'A request as one of several in a mail.';

-- A mail about one request carries its id alone, and its facts; one about several carries their items.
create function private.items_of(mail public.notification_outbox) returns jsonb
language sql stable security definer set search_path = '' as $$
    select coalesce(mail.payload -> 'items', (
        select jsonb_build_array(private.request_item(r)) from public.car_requests r
        where r.id::text = mail.payload ->> 'request_id'), '[]')
$$;
comment on function private.items_of(public.notification_outbox) is 'The requests a queued mail is about.';

-- A mail that was handed out is due again within its lease: only one that waits longer takes something in.
create function private.tell_of_request(agent uuid, told_by text, request public.car_requests) returns void
language plpgsql security definer set search_path = '' as $$
declare
    waiting public.notification_outbox;
    latest timestamptz;
begin
    select * into waiting from public.notification_outbox
    where user_id = agent and channel = told_by and kind in ('request', 'requests') and sent_at is null
        and due_at > now() + private.mail_lease() and due_at < 'infinity'
    order by id limit 1 for update;
    if found then
        update public.notification_outbox
        set kind = 'requests', payload = jsonb_build_object('facts', '[]'::jsonb,
            'items', private.items_of(waiting) || private.request_item(request))
        where id = waiting.id;
        return;
    end if;
    select max(coalesce(sent_at, nullif(due_at, 'infinity'))) into latest from public.notification_outbox
    where user_id = agent and channel = told_by and kind in ('request', 'requests');
    insert into public.notification_outbox (user_id, channel, kind, payload, due_at)
    values (agent, told_by, 'request', jsonb_build_object('request_id', request.id),
        greatest(now(), latest + private.request_digest_pause()));
end
$$;
comment on function private.tell_of_request(uuid, text, public.car_requests) is
    'Queues a request for an agent, with others where a mail waits already.';

create or replace function private.notify_of_request() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    -- two requests posted at once must find each other's mails
    perform pg_advisory_xact_lock(hashtextextended('notify:requests', 0));
    perform private.tell_of_request(p.user_id, wanted.channel, new)
    from public.profiles p
    join public.notification_preferences n on n.user_id = p.user_id and n.new_request_alerts
    cross join lateral (values ('email', n.email), ('sms', n.sms)) as wanted (channel, wants)
    where p.user_type = 'agent' and p.status = 'active' and p.verification_status = 'verified' and wanted.wants
        and private.suits(p, new);
    return null;
end
$$;
comment on function private.notify_of_request() is 'Tells verified agents of a request that became active and suits them.';

-- What is no longer to be had goes out of the mails that wait.
create function private.withdraw_request_alerts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    update public.notification_outbox o
    set payload = jsonb_set(o.payload, '{items}', coalesce((
        select jsonb_agg(item) from jsonb_array_elements(o.payload -> 'items') as item
        where item ->> 'request_id' <> old.id::text), '[]'))
    where o.sent_at is null and o.kind = 'requests'
        and o.payload @> jsonb_build_object('items', jsonb_build_array(jsonb_build_object('request_id', old.id)));
    delete from public.notification_outbox
    where sent_at is null and (
        kind = 'request' and payload ->> 'request_id' = old.id::text
        or kind = 'requests' and payload -> 'items' = '[]');
    return null;
end
$$;
comment on function private.withdraw_request_alerts() is 'Takes a request that is closed or gone out of what is still to be mailed.';
create trigger withdraw_alerts after delete on public.car_requests
    for each row execute function private.withdraw_request_alerts();
create trigger withdraw_alerts_when_closed after update of status on public.car_requests
    for each row when (old.status = 'active' and new.status <> 'active')
    execute function private.withdraw_request_alerts();

revoke execute on function private.request_digest_pause(), private.is_about(text, public.car_requests),
    private.suits(public.profiles, public.car_requests), private.request_item(public.car_requests),
    private.items_of(public.notification_outbox),
    private.tell_of_request(uuid, text, public.car_requests), private.withdraw_request_alerts() from public;

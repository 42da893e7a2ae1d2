-- Notification mails say what they are about: the message, the request, the reason, and who sent it.

-- A mail carries what it is about, so that nobody has to sign in to learn whether it matters: somebody's own words as a
-- quote, named values as facts. What a notification brings in its payload as `quote`, `facts` or `items` goes out as it is.
alter table private.notification_texts
    add column quoted text,
    add column is_from_team boolean not null default false;
comment on column private.notification_texts.quoted is 'Which fact of the notification is quoted below the text.';
comment on column private.notification_texts.is_from_team is 'Whether the team did what the mail tells of, and not a member.';

update private.notification_texts set quoted = 'words' where kind in ('message', 'invitation');
update private.notification_texts set quoted = 'reply' where kind like 'invitation\_%';
update private.notification_texts set quoted = 'note', is_from_team = true
where kind like 'verification\_%' or kind like 'account\_%' or kind like 'request\_%' or kind = 'ticket_answer';

update private.notification_texts t set body = n.body, action = coalesce(n.action, t.action), path = coalesce(n.path, t.path)
from (values
    ('message', '{who} has written to you:', null, null),
    ('invitation', '{who} has sent you an invitation:', null, null),
    ('request', 'An importer is looking for this car:', null, null),
    ('verification_reject', 'We could not verify you, for this reason:', null, null),
    ('verification_more_info', 'We need one more thing before we can verify you:', null, null),
    ('account_suspended', 'You can still sign in, read, and write to our team. This is the reason:', 'Write to our team',
        '/{area}/settings'),
    ('request_request_more_info', 'Agents can see it once this is added:', null, null),
    ('request_reject', 'It is not shown to agents, for this reason:', null, null),
    ('request_open_dispute', 'Our team has opened a dispute:', 'Open your dashboard', '/{area}/dashboard'),
    ('request_mediate', 'Our team has written:', 'Open your dashboard', '/{area}/dashboard'),
    ('request_contact_parties', 'Our team has written:', 'Open your dashboard', '/{area}/dashboard'),
    ('request_cancel', 'It is closed, for this reason:', 'Open your dashboard', '/{area}/dashboard'),
    ('ticket_answer', 'Our team has answered your question:', 'Open your settings', '/{area}/settings')
) as n (kind, body, action, path) where n.kind = t.kind;

create function private.dollars(amount numeric) returns text
language sql immutable set search_path = '' as $$ select '$' || btrim(to_char(amount, 'FM999,999,999,990.99'), '.') $$;
comment on function private.dollars(numeric) is 'An amount as people write it.';

create function private.budget_text(lowest numeric, highest numeric) returns text
language sql immutable set search_path = '' as $$
    select case
        when lowest is null and highest is null then null
        when lowest is null then 'up to ' || private.dollars(highest)
        when highest is null then 'from ' || private.dollars(lowest)
        else private.dollars(lowest) || ' to ' || private.dollars(highest) end
$$;
comment on function private.budget_text(numeric, numeric) is 'What somebody wants to spend.';

create function private.request_facts(request text) returns jsonb
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
    where r.id::text = request and nullif(btrim(fact.value), '') is not null
$$;
comment on function private.request_facts(text) is 'What a request asks for, as the named values of a mail.';

create function private.excerpt(words text) returns text
language sql immutable set search_path = '' as $$
    select case when char_length(words) > 800 then rtrim(left(words, 799)) || '…' else words end
$$;
comment on function private.excerpt(text) is 'As much of a long text as a mail shows.';

-- the request a mail is about: its own, or the one of its invitation
create function private.request_of(item public.notification_outbox) returns text
language sql stable security definer set search_path = '' as $$
    select coalesce(item.payload ->> 'request_id', (
        select request_id::text from public.invitations where id::text = item.payload ->> 'invitation_id'))
$$;
comment on function private.request_of(public.notification_outbox) is 'The request a notification is about.';

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
    left join public.messages m on m.id::text = item.payload ->> 'message_id'
    left join public.invitations i on i.id::text = item.payload ->> 'invitation_id'
    where p.user_id = item.user_id
$$;

create or replace function private.next_mail() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
    item public.notification_outbox;
    said private.notification_texts;
    recipient text;
    facts jsonb;
begin
    -- asked again here: a preference or an account may have changed since the notification was queued
    select o.* into item from public.notification_outbox o
    join public.notification_preferences p on p.user_id = o.user_id and p.email
    join auth.users u on u.id = o.user_id and u.email is not null and u.deleted_at is null
    where o.sent_at is null and o.channel = 'email' and o.due_at <= now()
        and o.kind in (select kind from private.notification_texts)
    order by o.due_at, o.id limit 1
    for update of o skip locked;
    if not found then
        return null;
    end if;
    update public.notification_outbox set due_at = now() + private.mail_lease() where id = item.id;
    select * into said from private.notification_texts where kind = item.kind;
    select email into recipient from auth.users where id = item.user_id;
    facts := private.facts_of(item);
    return jsonb_build_object('id', item.id, 'to', recipient, 'kind', item.kind,
        'subject', private.filled(said.subject, facts), 'text', private.filled(said.body, facts),
        'action', said.action, 'path', private.filled(said.path, facts),
        'quote', private.excerpt(coalesce(item.payload ->> 'quote', facts ->> said.quoted, '')),
        'facts', coalesce(item.payload -> 'facts', private.request_facts(private.request_of(item))),
        'items', coalesce(item.payload -> 'items', '[]'),
        'from_team', said.is_from_team,
        'settings', private.filled('/{area}/settings#notifications', facts));
end
$$;
revoke execute on function private.dollars(numeric), private.budget_text(numeric, numeric), private.request_facts(text),
    private.excerpt(text), private.request_of(public.notification_outbox) from public;

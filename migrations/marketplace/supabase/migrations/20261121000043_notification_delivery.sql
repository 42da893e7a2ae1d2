-- How queued notifications become mails, and what is tidied by the hour.

-- A mail that failed is tried again later and later; after the last attempt it is never due again, and its error stays.
alter table public.notification_outbox
    add column attempts integer not null default 0,
    add column due_at timestamptz not null default now();
create index notification_outbox_due_idx on public.notification_outbox (due_at, id)
    where sent_at is null and channel = 'email';

-- The name a mail calls somebody by; accounts may be gone when it is written.
create function private.called(member text) returns text
language sql stable security definer set search_path = '' as $$
    select coalesce((select nullif(btrim(full_name), '') from public.profiles where user_id::text = member), 'A member')
$$;
comment on function private.called(text) is 'The name of a member, by the id a notification carries.';

create function private.car_of_request(request text) returns text
language sql stable security definer set search_path = '' as $$
    select coalesce((select car_make || ' ' || car_model from public.car_requests where id::text = request), 'your car')
$$;
comment on function private.car_of_request(text) is 'What a request asks for, by the id a notification carries.';

-- One kind of notification a row. {who}, {car} and {note} are filled in; a kind that is not here is not mailed.
create table private.notification_texts (
    kind text primary key,
    subject text not null,
    body text not null,
    action text not null,
    path text not null
);
comment on table private.notification_texts is 'Subject, text, button and page of each kind of mail.';
insert into private.notification_texts (kind, subject, body, action, path) values
    ('message', 'New message from {who}', '{who} has written to you.', 'Read the message', '/{area}/messages?{other}={sender}'),
    ('invitation', '{who} wants to help you import', '{who} has sent you an invitation.', 'See the invitation', '/importer/dashboard'),
    ('invitation_accepted', '{who} accepted your invitation', 'You can now talk about the details.', 'Start the conversation', '/agent/invitations'),
    ('invitation_declined', '{who} declined your invitation', 'Other importers are looking for an agent right now.', 'See import requests', '/agent/requests'),
    ('request', 'New import request: {car}', 'An importer is looking for a {car}.', 'See the request', '/agent/requests'),
    ('verification_approve', 'You are a verified agent now', 'Your documents were accepted. Importers see your seal from now on.', 'Open your dashboard', '/agent/dashboard'),
    ('verification_reject', 'Your verification was declined', 'Reason: {note}', 'Submit again', '/agent/profile-completion'),
    ('verification_more_info', 'Your verification needs one more thing', 'What is missing: {note}', 'Complete your profile', '/agent/profile-completion'),
    ('account_suspended', 'Your account was suspended', 'Reason: {note}', 'Sign in', '/auth'),
    ('account_active', 'Your account is active again', 'You can post, invite and write as before.', 'Sign in', '/auth'),
    ('account_inactive', 'Your account was set to inactive', 'Sign in to use it again.', 'Sign in', '/auth'),
    ('request_approve', 'Your request for a {car} is online', 'Agents can see it now and will send you invitations.', 'See your request', '/importer/requests'),
    ('request_request_more_info', 'Your request for a {car} needs one more thing', 'What is missing: {note}', 'Edit your request', '/importer/requests'),
    ('request_reject', 'Your request for a {car} was declined', 'Reason: {note}', 'See your requests', '/importer/requests'),
    ('request_open_dispute', 'We are looking into the import of the {car}', '{note}', 'Open Minato', '/auth'),
    ('request_mediate', 'The dispute about the {car} was mediated', '{note}', 'Open Minato', '/auth'),
    ('request_contact_parties', 'A question about the import of the {car}', '{note}', 'Open Minato', '/auth'),
    ('request_cancel', 'The request for a {car} was cancelled', 'Reason: {note}', 'Open Minato', '/auth'),
    ('ticket_answer', 'We answered your question', 'Our team has written to you.', 'Open Minato', '/auth');

create function private.filled(template text, facts jsonb) returns text
language plpgsql immutable set search_path = '' as $$
declare
    fact record;
begin
    for fact in select key, value from jsonb_each_text(facts) loop
        template := replace(template, '{' || fact.key || '}', fact.value);
    end loop;
    return template;
end
$$;
comment on function private.filled(text, jsonb) is 'A text with its {facts}.';

create function private.facts_of(item public.notification_outbox) returns jsonb
language sql stable security definer set search_path = '' as $$
    select jsonb_build_object(
        'area', p.user_type,
        'other', case p.user_type when 'agent' then 'importer' else 'agent' end,
        'sender', coalesce(item.payload ->> 'sender_id', ''),
        'who', private.called(coalesce(item.payload ->> 'sender_id',
            case p.user_type when 'agent' then item.payload ->> 'importer_id' else item.payload ->> 'agent_id' end)),
        'car', private.car_of_request(item.payload ->> 'request_id'),
        'note', coalesce(item.payload ->> 'note', item.payload ->> 'reason', ''))
    from public.profiles p where p.user_id = item.user_id
$$;
comment on function private.facts_of(public.notification_outbox) is 'What the texts of a notification may name.';

create function private.next_mail() returns jsonb
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
    select * into said from private.notification_texts where kind = item.kind;
    select email into recipient from auth.users where id = item.user_id;
    facts := private.facts_of(item);
    return jsonb_build_object('id', item.id, 'to', recipient, 'kind', item.kind,
        'subject', private.filled(said.subject, facts), 'text', private.filled(said.body, facts),
        'action', said.action, 'path', private.filled(said.path, facts));
end
$$;
comment on function private.next_mail() is
    'The next mail that is due, locked until the transaction ends; null when there is none. Workers never get the same one.';

create function private.mail_done(notification bigint, failure text) returns void
language sql volatile security definer set search_path = '' as $$
    update public.notification_outbox
    set attempts = attempts + 1, error = failure,
        sent_at = case when failure is null then now() end,
        due_at = case
            when failure is null then due_at
            when attempts >= 7 then 'infinity'
            else now() + interval '1 minute' * 2 ^ attempts end
    where id = notification
$$;
comment on function private.mail_done(bigint, text) is
    'Notes that a mail went out, or why not: then it is due again after 1, 2, 4 … minutes, eight times in all.';

create function private.tidy() returns void
language sql volatile security definer set search_path = '' as $$
    select private.expire_requests();
    delete from public.notification_outbox o
    where o.created_at < now() - interval '90 days'
        or (o.sent_at is null and o.channel = 'email' and not exists (
            select from public.notification_preferences p where p.user_id = o.user_id and p.email))
$$;
comment on function private.tidy() is 'What is due by the hour: old requests close, and nobody keeps mail that is not wanted.';

revoke execute on all functions in schema private from public;
grant execute on function private.next_mail(), private.mail_done(bigint, text), private.tidy() to service_role;

create or replace function private.notify_of_message() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    -- two sentences sent at once must not both find that nothing was queued
    perform pg_advisory_xact_lock(hashtextextended('notify:' || new.receiver_id || new.sender_id, 0));
    -- a conversation is one notification an hour, not one a sentence
    if not exists (
        select from public.notification_outbox
        where user_id = new.receiver_id and kind = 'message' and payload ->> 'sender_id' = new.sender_id::text
        and created_at > now() - interval '1 hour') then
        perform private.notify_member(new.receiver_id, 'message',
            jsonb_build_object('sender_id', new.sender_id, 'message_id', new.id));
    end if;
    return null;
end
$$;

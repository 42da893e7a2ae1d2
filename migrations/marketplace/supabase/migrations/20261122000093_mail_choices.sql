-- A mail can be stopped without signing in: a signed link for its reader and its kind, and a press.

-- What a kind of mail is about, for whoever wants no more of it. A kind without a topic is about the account itself and
-- carries no link to stop it.
alter table private.notification_texts add column topic text
    constraint notification_texts_topic_check
        check (topic in ('messages', 'requests', 'invitations', 'answers', 'progress', 'disputes', 'support'));
comment on column private.notification_texts.topic is 'What a reader stops with the link in such a mail; null where there is none.';
update private.notification_texts set topic = case
    when kind = 'message' then 'messages'
    when kind in ('request', 'requests') then 'requests'
    when kind in ('invitation', 'invitation_assigned') then 'invitations'
    when kind in ('invitation_accepted', 'invitation_declined', 'assignment') then 'answers'
    when kind like 'request\_%' then 'progress'
    when kind like 'dispute\_%' then 'disputes'
    when kind = 'ticket_answer' then 'support' end;

-- 'requests' and 'invitations' have switches of their own in the settings; the others are named here.
alter table public.notification_preferences add column muted_mails text[] not null default '{}'
    constraint notification_preferences_muted_mails_check
        check (muted_mails <@ array['messages', 'answers', 'progress', 'disputes', 'support']
            and cardinality(muted_mails) <= 5);
comment on column public.notification_preferences.muted_mails is 'Topics a member has stopped the mails of.';

create function private.wants_mail(wishes public.notification_preferences, topic text) returns boolean
language sql immutable set search_path = '' as $$
    select wishes.email and case topic
        when 'requests' then wishes.new_request_alerts
        when 'invitations' then wishes.agent_proposal_alerts
        else topic is null or not topic = any (wishes.muted_mails) end
$$;
comment on function private.wants_mail(public.notification_preferences, text) is 'Whether a member gets the mails of a topic.';

-- One secret a database: what another installation signs is worth nothing here. Two keys, hashed one around the other.
create table private.mail_secret (
    is_only boolean primary key default true constraint mail_secret_is_only_check check (is_only),
    inner_key bytea not null,
    outer_key bytea not null
);
comment on table private.mail_secret is 'What the links in mails are signed with. Replaced, all of them stop working.';
insert into private.mail_secret (inner_key, outer_key) values (
    sha256(convert_to(gen_random_uuid()::text || gen_random_uuid() || gen_random_uuid(), 'utf8')),
    sha256(convert_to(gen_random_uuid()::text || gen_random_uuid() || gen_random_uuid(), 'utf8')));

create function private.mail_signature(said text) returns text
language sql stable security definer set search_path = '' as $$
    select encode(sha256(outer_key || sha256(inner_key || convert_to(said, 'utf8'))), 'hex') from private.mail_secret
$$;
comment on function private.mail_signature(text) is 'What only this database can say of a text.';

create function private.mail_token(member uuid, topic text) returns text
language sql stable security definer set search_path = '' as $$
    select topic || '-' || replace(member::text, '-', '') || '-' || private.mail_signature('stop:' || topic || ':' || member)
$$;
comment on function private.mail_token(uuid, text) is
    'Lets whoever has it stop one member''s mails of one topic; it never expires. Null without a topic.';

create function private.read_mail_token(token text, out member uuid, out topic text)
language plpgsql stable security definer set search_path = '' as $$
declare
    parts constant text[] := regexp_match(token, '^([a-z]{1,20})-([0-9a-f]{32})-([0-9a-f]{64})$');
begin
    topic := parts[1];
    member := parts[2]::uuid;
    -- hashes are compared, so that the time it takes tells nothing of the right one
    if parts is null
        or sha256(parts[3]::bytea) <> sha256(private.mail_signature('stop:' || topic || ':' || member)::bytea)
        or not exists (select from public.profiles where user_id = member) then
        raise exception 'This link does not work. Please use the one in your newest mail.' using errcode = 'P0001';
    end if;
end
$$;
comment on function private.read_mail_token(text) is
    'Whose mails of which topic a link is about. Every other link is refused in the same words.';

create function private.mail_choice_of(member uuid, topic text) returns jsonb
language sql stable security definer set search_path = '' as $$
    select jsonb_build_object('topic', mail_choice_of.topic, 'wanted', coalesce((
        select private.wants_mail(p, mail_choice_of.topic) from public.notification_preferences p
        where user_id = member), true))
$$;
comment on function private.mail_choice_of(uuid, text) is 'All that the holder of a link learns.';

create function public.mail_choice(p_token text) returns jsonb
language sql stable security definer set search_path = '' as $$
    select private.mail_choice_of(t.member, t.topic) from private.read_mail_token(p_token) t
$$;
comment on function public.mail_choice(text) is
    'What the link in a mail is about, and whether such mails are still sent: {topic, wanted}. Changes nothing.';

create function public.choose_mail(p_token text, p_wanted boolean default false) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
    who uuid;
    what text;
begin
    select t.member, t.topic into who, what from private.read_mail_token(p_token) t;
    insert into public.notification_preferences (user_id) values (who) on conflict do nothing;
    update public.notification_preferences p
    set new_request_alerts = case what when 'requests' then p_wanted else new_request_alerts end,
        agent_proposal_alerts = case what when 'invitations' then p_wanted else agent_proposal_alerts end,
        muted_mails = case when what in ('requests', 'invitations') then muted_mails
            when p_wanted then array_remove(muted_mails, what)
            else array_append(array_remove(muted_mails, what), what) end
    where user_id = who;
    return private.mail_choice_of(who, what);
end
$$;
comment on function public.choose_mail(text, boolean) is
    'Stops the mails the link is about, or sends them again (p_wanted). Whoever has the link may; nobody signs in.';

alter table public.notification_outbox
    add column tried_at timestamptz,
    add column claimed_at timestamptz,
    add column given_up_at timestamptz;
comment on column public.notification_outbox.claimed_at is 'Since when a server is sending it; null when none is.';
comment on column public.notification_outbox.given_up_at is 'When an administrator decided that it is not sent any more.';

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
    join private.notification_texts t on t.kind = o.kind
    join public.notification_preferences p on p.user_id = o.user_id and private.wants_mail(p, t.topic)
    join auth.users u on u.id = o.user_id and u.email is not null and u.deleted_at is null
    where o.sent_at is null and o.channel = 'email' and o.due_at <= now()
    order by o.due_at, o.id limit 1
    for update of o skip locked;
    if not found then
        return null;
    end if;
    update public.notification_outbox set due_at = now() + private.mail_lease(), claimed_at = now() where id = item.id;
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
        'settings', private.filled('/{area}/settings#notifications', facts),
        'stop', coalesce('/mails/' || private.mail_token(item.user_id, said.topic), ''),
        -- the same for every try, so that a mailbox knows a mail it has
        'reference', left(private.mail_signature('mail:' || item.id || ':' || item.created_at), 32));
end
$$;

create or replace function private.tidy() returns void
language sql volatile security definer set search_path = '' as $$
    select private.expire_requests();
    delete from public.notification_outbox o
    where o.created_at < now() - interval '90 days'
        or (o.sent_at is null and o.channel = 'email' and not exists (
            select from public.notification_preferences p
            where p.user_id = o.user_id and private.wants_mail(p,
                (select topic from private.notification_texts t where t.kind = o.kind))))
$$;

revoke execute on function private.wants_mail(public.notification_preferences, text), private.mail_signature(text),
    private.mail_token(uuid, text), private.read_mail_token(text), private.mail_choice_of(uuid, text) from public;

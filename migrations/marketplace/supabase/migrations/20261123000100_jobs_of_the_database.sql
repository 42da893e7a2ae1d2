-- What ran beside the server by files of its own is the database's: pg_cron tidies, and the operator's settings are read
-- where the platform keeps them. Who sends the mails and deletes the files is said in minato.toml.

-- The rows in app_settings are what holds in a database that no server was started on yet.
create or replace function private.setting(name text) returns jsonb
language sql stable security definer set search_path = '' as $$
    select coalesce(
        case when name in ('admin_email', 'demo_mode', 'public_url') then minato.operator_setting(name) end,
        (select value from public.app_settings where key = name))
$$;
comment on function private.setting(text) is 'The value of a setting, the operator''s before the stored one; or null.';
drop function private.configure(jsonb);

create or replace function public.public_config() returns jsonb
language sql stable security definer set search_path = '' as $$
    select jsonb_object_agg(key, private.setting(key)) || jsonb_build_object(
        'payment_instructions', private.shown_payment_instructions())
    from public.app_settings
    where key in ('demo_mode', 'review_new_requests', 'require_verified_to_post', 'payment_instructions', 'fee_pkr')
$$;

-- A row here means: no pg_cron, so whoever asks for mails tidies when an hour is over. A database that gets pg_cron later
-- schedules the two jobs below and deletes the row.
create table private.tidied_without_cron (
    is_only boolean primary key default true constraint tidied_without_cron_is_only_check check (is_only),
    at timestamptz not null
);
comment on table private.tidied_without_cron is 'When it was last tidied where pg_cron does not do it; else no row.';

create function private.tidy_without_cron() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
    update private.tidied_without_cron set at = now()
    where (select true from private.tidied_without_cron
        where at <= now() - interval '1 hour' for update skip locked);
    if found then
        perform private.tidy();
    end if;
end
$$;
comment on function private.tidy_without_cron() is 'Tidies by the hour, one worker at a time; nothing where pg_cron does it.';
revoke execute on function private.tidy_without_cron() from public;

create or replace function private.next_mail() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
    item public.notification_outbox;
    said private.notification_texts;
    recipient text;
    facts jsonb;
begin
    perform private.tidy_without_cron();
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

-- Also at a start: a server that slept at that minute has something to make up for.
do $$
begin
    create extension if not exists pg_cron with schema pg_catalog;
    perform cron.schedule('tidy', '17 * * * *', 'select private.tidy()');
    perform cron.schedule('tidy at start', '@reboot', 'select private.tidy()');
-- a server without pg_cron, one that has it for another database, or lets nobody create it: each in words of its own
exception when others then
    raise warning 'no pg_cron here, the marketplace tidies when mails are asked for: %', sqlerrm;
    insert into private.tidied_without_cron values (true, '-infinity');
end
$$;

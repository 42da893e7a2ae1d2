-- A queued mail is claimed for some minutes and sent outside any transaction: a slow mail server holds nothing.

-- Longer than any delivery takes; a mail whose sender died is due again when its lease is over.
create function private.mail_lease() returns interval
language sql immutable set search_path = '' as $$ select interval '5 minutes' $$;
comment on function private.mail_lease() is 'How long a mail that was handed out stays with who is sending it.';
revoke execute on function private.mail_lease() from public;

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
        'action', said.action, 'path', private.filled(said.path, facts));
end
$$;
comment on function private.next_mail() is
    'The next mail that is due, claimed for a few minutes; null when there is none. Workers never get the same one.';

-- Who has left keeps a place: conversations stay apart, deals stay counted.

-- Whoever leaves becomes nobody in the messages. Conversations are told apart by a number of their own, which stays.
create function private.conversation_of(one uuid, other uuid) returns uuid
language sql immutable set search_path = '' as $$
    select md5(concat_ws(':', 'conversation', least(one, other), greatest(one, other)))::uuid
$$;
comment on function private.conversation_of(uuid, uuid) is 'The number of the conversation of two members.';

alter table public.messages add column conversation_id uuid;
alter table public.messages disable trigger user;
update public.messages set conversation_id = private.conversation_of(sender_id, receiver_id);
alter table public.messages enable trigger user;
alter table public.messages alter column conversation_id set default gen_random_uuid();
alter table public.messages alter column conversation_id set not null;
comment on column public.messages.conversation_id is
    'The same for all messages of two members, also when one of them has left.';

create function private.number_conversation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    new.conversation_id := private.conversation_of(new.sender_id, new.receiver_id);
    return new;
end
$$;
comment on function private.number_conversation() is 'A message belongs to the conversation of its two members.';
create trigger number_conversation before insert on public.messages
    for each row execute function private.number_conversation();

-- An accepted invitation goes with the account of either side; what it counted for stays with the other.
alter table public.deals add column party_left boolean not null default false;
comment on column public.deals.party_left is 'Whether one side''s account, and the invitation with it, is gone.';

create function private.note_departure() returns trigger language plpgsql set search_path = '' as $$
begin
    new.party_left := true;
    return new;
end
$$;
comment on function private.note_departure() is 'A deal whose invitation went with an account still counts for the other side.';
create trigger note_departure before update of invitation_id on public.deals
    for each row when (old.invitation_id is not null and new.invitation_id is null)
    execute function private.note_departure();

revoke execute on all functions in schema private from public;

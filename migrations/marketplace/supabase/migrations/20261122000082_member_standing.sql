-- A suspension is told to the member, and to every open page.

-- Pages that are open learn of a suspension by this table: what the member published leaves them, and the member's own
-- page says why. The status itself is on the profile, which everybody reads; profiles are not followed live.
create table public.member_standing (
    user_id uuid primary key
        constraint member_standing_user_id_fkey references public.profiles (user_id) on delete cascade,
    is_suspended boolean not null,
    changed_at timestamptz not null default now()
);
comment on table public.member_standing is 'Who was suspended or came back, and when: the news, not the status.';
alter table public.member_standing enable row level security;
create policy "Members hear whose standing changed" on public.member_standing
    for select to authenticated using (
        user_id = (select auth.uid()) or (select private.is_confirmed_member()) or (select private.is_admin()));
alter publication supabase_realtime add table public.member_standing;

create function private.note_standing() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    insert into public.member_standing (user_id, is_suspended) values (new.user_id, new.status = 'suspended')
    on conflict (user_id) do update set is_suspended = excluded.is_suspended, changed_at = now();
    return null;
end
$$;
comment on function private.note_standing() is 'A suspension, and its end, is news.';
create trigger note_standing after update of status on public.profiles
    for each row when ((old.status = 'suspended') <> (new.status = 'suspended'))
    execute function private.note_standing();

create function public.own_suspension() returns table (reason text, since timestamptz)
language sql stable security definer set search_path = '' as $$
    select m.suspension_reason, m.suspended_at
    from public.profiles p left join public.account_moderation m on m.user_id = p.user_id
    where p.user_id = auth.uid() and p.status = 'suspended'
$$;
comment on function public.own_suspension() is 'Why and since when the caller is suspended; no row when that is not so.';
revoke execute on function public.own_suspension() from public, anon;

create function private.is_suspended(member uuid) returns boolean
language sql stable security definer set search_path = '' as $$
    select exists (select from public.profiles where user_id = member and status = 'suspended')
$$;
comment on function private.is_suspended(uuid) is 'Whether a member is suspended, as the profile tells everybody.';

-- The policies refuse as well; this says it in a sentence. The hint is for screens.
create function private.refuse_suspended() returns trigger
language plpgsql set search_path = '' as $$
begin
    if current_user = 'authenticated' and private.is_suspended(auth.uid()) then
        raise exception 'Your account is suspended. You can read everything, and write to our team.'
            using errcode = '42501', hint = 'account_suspended';
    end if;
    return new;
end
$$;
comment on function private.refuse_suspended() is 'Says to a suspended member why nothing can be written.';

create trigger refuse_suspended before insert or update on public.agent_posts
    for each row execute function private.refuse_suspended();
create trigger refuse_suspended before insert or update on public.car_requests
    for each row execute function private.refuse_suspended();
create trigger refuse_suspended before insert or update on public.invitations
    for each row execute function private.refuse_suspended();
create trigger refuse_suspended before insert or update on public.reviews
    for each row execute function private.refuse_suspended();
create trigger refuse_suspended before insert on public.messages
    for each row execute function private.refuse_suspended();
create trigger refuse_suspended before insert on public.follows
    for each row execute function private.refuse_suspended();
create trigger refuse_suspended before insert on public.saved_posts
    for each row execute function private.refuse_suspended();
create trigger refuse_suspended before update on public.profiles
    for each row execute function private.refuse_suspended();

create or replace function private.require_active() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
    if private.is_suspended(auth.uid()) then
        raise exception 'Your account is suspended. You can read everything, and write to our team.'
            using errcode = '42501', hint = 'account_suspended';
    elsif not private.is_active() then
        raise exception 'Only active members may do this' using errcode = '42501';
    end if;
end
$$;

-- Nobody writes to a suspended member, invites one, or opens a deal with one. An invitation may still be declined.
create function private.refuse_writing_to_suspended() returns trigger
language plpgsql set search_path = '' as $$
begin
    if current_user = 'authenticated' and private.is_suspended(new.receiver_id) then
        raise exception 'This member is suspended and cannot be written to.'
            using errcode = '42501', hint = 'member_suspended';
    end if;
    return new;
end
$$;
comment on function private.refuse_writing_to_suspended() is 'A suspended member is not written to.';
create trigger refuse_suspended_receiver before insert on public.messages
    for each row execute function private.refuse_writing_to_suspended();

create function private.refuse_inviting_suspended() returns trigger
language plpgsql set search_path = '' as $$
begin
    if current_user = 'authenticated' and private.is_suspended(new.importer_id) then
        raise exception 'This member is suspended and cannot be invited.'
            using errcode = '42501', hint = 'member_suspended';
    end if;
    return new;
end
$$;
comment on function private.refuse_inviting_suspended() is 'A suspended importer is not invited.';
create trigger refuse_suspended_importer before insert on public.invitations
    for each row execute function private.refuse_inviting_suspended();

create function private.refuse_accepting_suspended() returns trigger
language plpgsql set search_path = '' as $$
begin
    if current_user = 'authenticated' and private.is_suspended(new.agent_id) then
        raise exception 'This agent is suspended. The invitation cannot be accepted.'
            using errcode = '42501', hint = 'member_suspended';
    end if;
    return new;
end
$$;
comment on function private.refuse_accepting_suspended() is 'No deal is opened with a suspended agent.';
create trigger refuse_suspended_agent before update on public.invitations
    for each row when (old.status <> 'accepted' and new.status = 'accepted')
    execute function private.refuse_accepting_suspended();

revoke execute on all functions in schema private from public;
grant execute on function private.is_suspended(uuid) to authenticated, service_role;

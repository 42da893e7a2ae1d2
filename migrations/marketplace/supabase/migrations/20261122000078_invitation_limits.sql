-- Who may invite, and how often.

-- The setting says that only agents with the seal post cars and send invitations: the same question for both.
alter policy "Active agents invite importers who take invitations" on public.invitations
    with check (
        agent_id = (select auth.uid()) and (select private.may_post())
        and private.may_be_invited(importer_id, request_id));
comment on function private.may_post() is
    'Whether the caller may offer cars and invite: an active agent, and verified where that is required.';

-- What an agent sent within a while; what the team assigned is not counted. Who was not checked yet sends few, so that nobody signs up to advertise.
create function private.sent_since(agent uuid, within interval) returns bigint
language sql stable security definer set search_path = '' as $$
    select count(*) from public.invitations
    where agent_id = agent and not is_assigned and created_at > now() - within
$$;
comment on function private.sent_since(uuid, interval) is 'How many invitations an agent sent within that time.';

create function private.is_verified(member uuid) returns boolean
language sql stable security definer set search_path = '' as $$
    select exists (select from public.profiles where user_id = member and verification_status = 'verified')
$$;
comment on function private.is_verified(uuid) is 'Whether a member has the seal.';

-- Sentences, where a policy would only say no. Whoever is no active agent is left to the policy.
create function private.limit_invitations() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    if new.agent_id is distinct from auth.uid() or not private.is_active_agent() then
        return new;
    end if;
    if not private.may_post() then
        raise exception 'Only verified agents can send invitations. Get verified first.'
            using errcode = '42501', hint = 'verification_required';
    end if;
    -- two sent at once must not both be the last one
    perform pg_advisory_xact_lock(hashtextextended('invite:' || new.agent_id, 0));
    if private.is_verified(new.agent_id) then
        if private.sent_since(new.agent_id, interval '1 hour') >= 30 then
            raise exception 'You have sent 30 invitations within an hour. Please try again later.'
                using errcode = 'P0001', hint = 'too_many_invitations';
        end if;
    elsif private.sent_since(new.agent_id, interval '1 day') >= 10 then
        raise exception 'Until you are verified, you can send 10 invitations a day. Please try again tomorrow.'
            using errcode = 'P0001', hint = 'too_many_invitations';
    end if;
    return new;
end
$$;
comment on function private.limit_invitations() is 'Refuses invitations of agents who may not send any, or not as many.';
-- after default_columns, which sets the time that is counted; the team and the seed are not members
create trigger limit_invitations before insert on public.invitations
    for each row when (current_user in ('anon', 'authenticated')) execute function private.limit_invitations();

revoke execute on function private.sent_since(uuid, interval), private.is_verified(uuid), private.limit_invitations()
    from public;

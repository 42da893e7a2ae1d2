-- Somebody may have opened the account before its owner, and be in it still or on the way there.
create function minato.name_administrator(member uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
    if not minato.grant_admin_role(member) then
        return false;
    end if;
    delete from auth.sessions where user_id = member;
    delete from auth.flow_state where user_id = member or linking_target_id = member;
    return true;
end
$$;
comment on function minato.name_administrator(uuid) is
    'For the operator: `grant_admin_role`, and whoever is in the account already is out of it.';
revoke execute on function minato.name_administrator(uuid) from public;
grant execute on function minato.name_administrator(uuid) to postgres;
-- As its kin: the auth service's, who must be able to create it, and afterwards nothing more.
grant create on schema minato to supabase_auth_admin;
select minato.attempt('alter function minato.name_administrator(uuid) owner to supabase_auth_admin');
revoke create on schema minato from supabase_auth_admin;

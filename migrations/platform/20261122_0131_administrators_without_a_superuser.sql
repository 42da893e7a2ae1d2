-- These wrote to auth.users and its kin as the superuser who made them, and a trigger that a project has there was run as
-- that superuser. They become the auth service's, who owns those tables.
grant select, insert, delete on minato.administrators to supabase_auth_admin;
grant select, delete on minato.answered_mails to supabase_auth_admin;
grant execute on function minato.is_admin_address(text) to supabase_auth_admin;
-- The new owner of a function must be able to create it; afterwards nothing more is to be created there.
grant create on schema minato to supabase_auth_admin;
select minato.attempt(format('alter function minato.%s owner to supabase_auth_admin', name))
from unnest(array[
    'grant_admin_role(uuid)', 'claim_admin_role(uuid)', 'revoke_admin_role(uuid)', 'leave_admin_address()'
]) as name;
revoke create on schema minato from supabase_auth_admin;

-- The administrator's role follows a password set by way of a mail to the address, no longer the address alone.

-- A confirmed address proves little: whoever signed up first chose the password, and with autoconfirm nothing is proven
-- at all. So the role is given where a mail to the address was answered in a session that then set the password, or by
-- the operator.
drop trigger grant_admin_role on auth.users;
drop function private.grant_admin_role();

create or replace function private.configure(operator jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
    update public.app_settings s set value = o.value
    from jsonb_each(operator) as o (key, value)
    where s.key = o.key and s.key in ('admin_email', 'demo_mode') and s.value <> o.value;
end
$$;

-- How the server tells the database what its operator configured.

-- The server calls this when it starts, so that a changed environment needs no SQL. An administrator who was confirmed
-- before the address was configured gets the role here; every later one at confirmation.
create function private.configure(operator jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
    update public.app_settings s set value = o.value
    from jsonb_each(operator) as o (key, value)
    where s.key = o.key and s.key in ('admin_email', 'demo_mode') and s.value <> o.value;
    update auth.users set updated_at = updated_at
    where lower(email) = lower(operator ->> 'admin_email') and email_confirmed_at is not null
        and coalesce(raw_app_meta_data ->> 'role', '') <> 'admin';
end
$$;
comment on function private.configure(jsonb) is
    'Takes over what the operator configured: {"admin_email": text, "demo_mode": boolean}; other keys are ignored.';
revoke execute on function private.configure(jsonb) from public;

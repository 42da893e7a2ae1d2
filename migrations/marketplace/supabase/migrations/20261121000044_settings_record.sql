-- What the administrator changes in the settings is in the record, too.

create function private.record_setting() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    if private.is_admin() then
        perform private.audit('change_setting', 'setting', new.key, jsonb_build_object('from', old.value, 'to', new.value));
    end if;
    return null;
end
$$;
comment on function private.record_setting() is 'Notes which setting the administrator changed, from what to what.';
revoke execute on function private.record_setting() from public;
create trigger record_change after update of value on public.app_settings
    for each row when (old.value is distinct from new.value) execute function private.record_setting();

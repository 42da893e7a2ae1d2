-- The marketplace's settings, its administrator, and the guards its tables share.

-- Helpers of policies and triggers live in a schema the API does not expose; what members may call lives in public.
create schema private;
comment on schema private is 'What policies and triggers of the marketplace use; not exposed by the API.';
revoke all on schema private from public;
grant usage on schema private to authenticated, service_role;

create table public.app_settings (
    key text primary key,
    value jsonb not null
);
comment on table public.app_settings is 'What the operator decides: one row per setting.';

insert into public.app_settings (key, value) values
    ('admin_email', to_jsonb(coalesce(current_setting('minato.admin_email', true), ''))),
    ('demo_mode', 'false'),
    ('review_new_requests', 'false'),
    ('require_verified_to_post', 'false'),
    ('fee_pkr', '2000'),
    ('payment_instructions', '{
        "easypaisa": {"number": "0300 0000000"},
        "bank": {"title": "Minato", "account": "0000 0000 0000 00", "iban": "PK00 DEMO 0000 0000 0000 0000"}
    }');

create function private.setting(name text) returns jsonb
language sql stable security definer set search_path = '' as $$
    select value from public.app_settings where key = name
$$;
comment on function private.setting(text) is 'The value of a setting, or null.';

-- The role comes from app_metadata, which only the auth service writes; user_metadata is the user's own.
create function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
    select coalesce(
        auth.jwt() -> 'app_metadata' ->> 'role' = 'admin'
        and nullif(private.setting('admin_email') #>> '{}', '') is not null
        and lower(auth.jwt() ->> 'email') = lower(private.setting('admin_email') #>> '{}'),
        false)
$$;
comment on function private.is_admin() is 'Whether the caller is the administrator: by role and by the configured address.';

create function private.require_admin() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
    if not private.is_admin() then
        raise exception 'Only the administrator may do this' using errcode = '42501';
    end if;
end
$$;
comment on function private.require_admin() is 'First statement of every admin function: refuses everybody else.';

alter table public.app_settings enable row level security;
create policy "The administrator reads the settings" on public.app_settings
    for select to authenticated using ((select private.is_admin()));
-- who is administrator, and whether this is a demo, is decided where the server is configured
create policy "The administrator changes settings that are not the operator's" on public.app_settings
    for update to authenticated using ((select private.is_admin()) and key not in ('admin_email', 'demo_mode'));

-- Guards bind those who come through the API as themselves. Functions running as their owner, and the service role, are
-- trusted: the guards ask `current_user`, which nobody can set from a request, so no flag can be forged.
create function private.guard_columns() returns trigger language plpgsql set search_path = '' as $$
declare
    guarded text;
begin
    if current_user in ('anon', 'authenticated') then
        foreach guarded in array tg_argv loop
            if to_jsonb(new) -> guarded is distinct from to_jsonb(old) -> guarded then
                raise exception 'Column "%" of "%" cannot be changed', guarded, tg_table_name using errcode = '42501';
            end if;
        end loop;
    end if;
    return new;
end
$$;
comment on function private.guard_columns() is 'Refuses changes to the columns named as arguments.';

create function private.guard_all_columns_but() returns trigger language plpgsql set search_path = '' as $$
declare
    changed text;
begin
    if current_user in ('anon', 'authenticated') then
        select after.key into changed
        from jsonb_each(to_jsonb(new)) as after
        where not after.key = any (tg_argv) and after.value is distinct from to_jsonb(old) -> after.key
        order by after.key limit 1;
        if found then
            raise exception 'Column "%" of "%" cannot be changed', changed, tg_table_name using errcode = '42501';
        end if;
    end if;
    return new;
end
$$;
comment on function private.guard_all_columns_but() is 'Refuses changes to every column except those named as arguments.';

create function private.set_updated_at() returns trigger language plpgsql set search_path = '' as $$
begin
    new.updated_at := now();
    return new;
end
$$;
comment on function private.set_updated_at() is 'Notes when a row was last changed.';

create trigger guard_key before update on public.app_settings
    for each row execute function private.guard_columns('key');

grant execute on function private.setting(text), private.is_admin(), private.require_admin() to authenticated, service_role;

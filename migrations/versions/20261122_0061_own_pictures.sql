-- An address of another host would tell that host who looks at an offer or a member. So a picture is one that was
-- uploaded here. Its address is kept whole where it begins with this server's, otherwise from /storage on: what a
-- browser called this server (localhost, a second name) does not matter, and no host gets in.
create function private.own_picture(url text, bucket text, name text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
    parts text[] := regexp_match(url, '^(https?://[^/?#\s\\]+)?((?:/[A-Za-z0-9._~-]+)*/storage/v1/'
        || '(?:object|render/image)/public/' || bucket || '/' || name || '(?:\?[A-Za-z0-9_.~%=&-]*)?)$');
begin
    if url is null or url = '' then
        return null;
    elsif parts is null then
        raise exception 'A picture must be one that was uploaded here' using errcode = '23514';
    elsif parts[1] || parts[2] like (private.setting('public_url') #>> '{}') || '/storage/%' then
        return url;
    end if;
    return parts[2];
end
$$;
comment on function private.own_picture(text, text, text) is
    'The address of a public file of ours whose name fits; anything else is refused.';

create function private.own_avatar() returns trigger language plpgsql security definer set search_path = '' as $$
begin
    new.avatar_url := private.own_picture(new.avatar_url, 'profiles', new.user_id || '/avatar\.[A-Za-z0-9]{1,8}');
    return new;
end
$$;
comment on function private.own_avatar() is 'A member''s picture lies in the member''s folder.';

create function private.own_car_pictures() returns trigger language plpgsql security definer set search_path = '' as $$
declare
    name constant text := '(?:' || new.agent_id || '|samples)/[A-Za-z0-9._~%!()@+,/-]+';
begin
    if tg_op = 'INSERT' or new.image_url is distinct from old.image_url then
        new.image_url := private.own_picture(new.image_url, 'car-images', name);
    end if;
    if tg_op = 'INSERT' or new.image_urls is distinct from old.image_urls then
        new.image_urls := (select array_agg(private.own_picture(url, 'car-images', name) order by n)
            from unnest(new.image_urls) with ordinality as t (url, n));
    end if;
    return new;
end
$$;
comment on function private.own_car_pictures() is 'An offer''s pictures lie in its agent''s folder, or are samples.';

-- Functions, migrations and sample data are trusted, as by the other guards. What is there already stays: the site shows
-- no picture of another host.
create trigger own_avatar_of_new before insert on public.profiles
    for each row when (new.avatar_url is not null and current_user in ('anon', 'authenticated'))
    execute function private.own_avatar();
create trigger own_avatar before update on public.profiles
    for each row when (new.avatar_url is distinct from old.avatar_url and current_user in ('anon', 'authenticated'))
    execute function private.own_avatar();
create trigger own_car_pictures before insert or update on public.agent_posts
    for each row when (current_user in ('anon', 'authenticated')) execute function private.own_car_pictures();
revoke execute on function private.own_picture(text, text, text), private.own_avatar(), private.own_car_pictures()
    from public;

-- what clients call this server, where the operator said so
create or replace function private.configure(operator jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
    update public.app_settings s set value = o.value
    from jsonb_each(operator) as o (key, value)
    where s.key = o.key and s.key in ('admin_email', 'demo_mode') and s.value <> o.value;
    delete from public.app_settings where key = 'public_url' and operator ->> key is null;
    if operator ->> 'public_url' is not null then
        insert into public.app_settings (key, value) values ('public_url', operator -> 'public_url')
        on conflict (key) do update set value = excluded.value where app_settings.value <> excluded.value;
    end if;
    update auth.users set updated_at = updated_at
    where lower(email) = lower(operator ->> 'admin_email') and email_confirmed_at is not null
        and coalesce(raw_app_meta_data ->> 'role', '') <> 'admin';
end
$$;
comment on function private.configure(jsonb) is
    'Takes over what the operator configured: {"admin_email": text, "demo_mode": boolean, "public_url": text}; other keys are ignored.';
alter policy "The administrator changes settings that are not the operator's" on public.app_settings
    using ((select private.is_admin()) and key not in ('admin_email', 'demo_mode', 'public_url'));

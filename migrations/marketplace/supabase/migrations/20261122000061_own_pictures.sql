-- Pictures of members are files of this server; those of offers are, too, or lie at a web address.

-- An address of another host tells that host who looks at what. So a member's picture is one that was uploaded here; an
-- offer's may lie at any web address, which the site asks for only when a reader wants it. Of what was uploaded here the
-- address is kept whole where it begins with this server's, otherwise from /storage on: what a browser called this server
-- (localhost, a second name) does not matter.
create function private.own_picture(url text, bucket text, name text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
    parts text[] := regexp_match(url, '^(https?://[^/?#\s\\]+)?((?:/[A-Za-z0-9._~-]+)*/storage/v1/'
        || '(?:object|render/image)/public/' || bucket || '/' || name || '(?:\?[A-Za-z0-9_.~%=&-]*)?)$');
begin
    if parts[1] || parts[2] like (private.setting('public_url') #>> '{}') || '/storage/%' then
        return url;
    end if;
    return parts[2];
end
$$;
comment on function private.own_picture(text, text, text) is
    'The address of a public file of ours whose name fits; null for every other.';

create function private.own_avatar() returns trigger language plpgsql security definer set search_path = '' as $$
declare
    own constant text := private.own_picture(
        new.avatar_url, 'profiles', new.user_id || '/avatar\.[A-Za-z0-9]{1,8}');
begin
    if own is null and new.avatar_url <> '' then
        raise exception 'A picture must be one that was uploaded here' using errcode = '23514';
    end if;
    new.avatar_url := own;
    return new;
end
$$;
comment on function private.own_avatar() is 'A member''s picture lies in the member''s folder.';

create function private.car_picture(url text, agent uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
    own constant text := private.own_picture(
        url, 'car-images', '(?:' || agent || '|samples)/[A-Za-z0-9._~%!()@+,/-]+');
    server constant text := substring(lower(private.setting('public_url') #>> '{}') from '^https?://[^/?#]+');
    -- spaces, controls, marks nobody sees, and the backslash that browsers read as a slash
    never constant text := '\u0001-\u0020\u007f-\u00a0\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\\';
    host constant text := '(?:\[[0-9a-f:.]+\]|[^/?#@:\[\]<>"' || never || ']+)(?::[0-9]{1,5})?';
begin
    if own is not null or url is null or url = '' then
        return own;
    elsif char_length(url) > 2048 or url !~* ('^https?://' || host || '(?:[/?#][^' || never || ']*)?$')
        or substring(lower(url) from '^https?://[^/?#]+') = server then
        raise exception 'A picture must be one that was uploaded here or a web address such as https://example.com/a.jpg'
            using errcode = '23514', hint = 'No spaces, no user name or password, at most 2048 characters.';
    end if;
    return url;
end
$$;
comment on function private.car_picture(text, uuid) is
    'The address of a picture of the agent''s or of a sample, or a whole web address elsewhere; others are refused.';

create function private.own_car_pictures() returns trigger language plpgsql security definer set search_path = '' as $$
begin
    if tg_op = 'INSERT' or new.image_url is distinct from old.image_url then
        new.image_url := private.car_picture(new.image_url, new.agent_id);
    end if;
    if tg_op = 'INSERT' or new.image_urls is distinct from old.image_urls then
        new.image_urls := (select array_agg(private.car_picture(url, new.agent_id) order by n)
            from unnest(new.image_urls) with ordinality as t (url, n));
    end if;
    return new;
end
$$;
comment on function private.own_car_pictures() is
    'An offer''s pictures lie in its agent''s folder, are samples, or lie at a web address elsewhere.';

-- Functions, migrations and sample data are trusted, as by the other guards. What is there already stays: the site asks
-- no other host by itself.
create trigger own_avatar_of_new before insert on public.profiles
    for each row when (new.avatar_url is not null and current_user in ('anon', 'authenticated'))
    execute function private.own_avatar();
create trigger own_avatar before update on public.profiles
    for each row when (new.avatar_url is distinct from old.avatar_url and current_user in ('anon', 'authenticated'))
    execute function private.own_avatar();
create trigger own_car_pictures before insert or update on public.agent_posts
    for each row when (current_user in ('anon', 'authenticated')) execute function private.own_car_pictures();
revoke execute on function private.own_picture(text, text, text), private.own_avatar(),
    private.car_picture(text, uuid), private.own_car_pictures() from public;

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

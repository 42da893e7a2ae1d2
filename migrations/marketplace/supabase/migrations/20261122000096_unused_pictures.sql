-- Pictures no offer shows any more are deleted, and no offer takes one that is gone.

-- A form that was not sent yet is kept in the browser for thirty days, and with it the addresses of its photos.
create function private.unused_picture_age() returns interval
language sql immutable set search_path = '' as $$ select interval '31 days' $$;
comment on function private.unused_picture_age() is 'How long a picture that no offer shows is kept; longer than a draft of one.';

create function private.url_decoded(url text) returns text
language plpgsql immutable set search_path = '' as $$
declare
    bytes bytea := '';
    part text;
begin
    for part in select (regexp_matches(url, '%[0-9A-Fa-f]{2}|[^%]+|%', 'g'))[1] loop
        bytes := bytes || case when part ~ '^%..$' then decode(substr(part, 2), 'hex') else convert_to(part, 'utf8') end;
    end loop;
    return convert_from(bytes, 'utf8');
exception when character_not_in_repertoire or untranslatable_character then
    return url;
end
$$;
comment on function private.url_decoded(text) is 'A part of an address as it is meant; as it is written where that means nothing.';

create function private.pictures_of(post public.agent_posts) returns setof text
language sql stable set search_path = '' as $$
    select private.url_decoded(substring(url from '/car-images/([^?#]+)'))
    from unnest(post.image_urls || post.image_url) as url where url like '%/car-images/%'
$$;
comment on function private.pictures_of(public.agent_posts) is 'The names of the stored pictures an offer shows.';

-- Whoever publishes a picture holds its row until the offer is there; whoever deletes it asks once more with the row in
-- hand. So neither an offer without its picture nor a picture without use can come of both at once.
create function private.hold_pictures() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
    wanted constant text[] := array(
        select name from private.pictures_of(new) as name where name not like 'samples/%'
        except select private.pictures_of(old));
begin
    perform from storage.objects where bucket_id = 'car-images' and name = any (wanted) order by name for key share;
    if exists (
        select from unnest(wanted) as w (name)
        where not exists (select from storage.objects o where o.bucket_id = 'car-images' and o.name = w.name)) then
        raise exception 'A photo of this offer is not there any more. Please remove it and choose it again.'
            using errcode = 'P0001', hint = 'photo_gone';
    end if;
    return new;
end
$$;
comment on function private.hold_pictures() is 'An offer shows pictures that are there, and they stay while it is written.';

create function private.take_unused_objects(most integer) returns table (bucket_id text, version text)
language plpgsql volatile security definer set search_path = '' as $$
declare
    found uuid[];
begin
    select array_agg(o.id) into found from (
        select o.id from storage.objects o
        where o.bucket_id = 'car-images' and o.name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/'
            and greatest(o.created_at, o.updated_at) < now() - private.unused_picture_age()
            and o.name not in (select name from public.agent_posts p, private.pictures_of(p) as name where name is not null)
        order by o.created_at limit most
        for update skip locked) o;
    perform set_config('storage.allow_delete_query', 'true', true);
    return query
        delete from storage.objects o
        where o.id = any (found)
            and o.name not in (select name from public.agent_posts p, private.pictures_of(p) as name where name is not null)
        returning o.bucket_id, o.version;
end
$$;
comment on function private.take_unused_objects(integer) is
    'Takes the rows of stored objects nobody uses any more; whoever calls deletes their files.';

revoke execute on function private.unused_picture_age(), private.url_decoded(text),
    private.pictures_of(public.agent_posts), private.hold_pictures(), private.take_unused_objects(integer) from public;
grant execute on function private.take_unused_objects(integer) to service_role;
create trigger zz_hold_pictures before insert or update of image_url, image_urls on public.agent_posts
    for each row when (current_user in ('anon', 'authenticated')) execute function private.hold_pictures();

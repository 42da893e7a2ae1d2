-- Buckets, and who may put what where.

-- SVG is allowed in car-images for the drawings the operator uploads; the policies below keep members to photographs.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
    ('profiles', 'profiles', true, 10485760, array['image/*']),
    ('verification-documents', 'verification-documents', false, 10485760,
        array['application/pdf', 'image/jpeg', 'image/png']),
    ('car-images', 'car-images', true, 5242880, array['image/jpeg', 'image/png', 'image/webp', 'image/svg+xml'])
on conflict (id) do nothing;

create function private.is_own_avatar(object text) returns boolean
language sql stable set search_path = '' as $$
    select object ~ ('^' || auth.uid() || '/avatar\.[A-Za-z0-9]{1,8}$')
$$;
comment on function private.is_own_avatar(text) is 'Whether an object is {uid}/avatar.{ext} of the caller.';

create function private.is_in_own_folder(object text) returns boolean
language sql stable set search_path = '' as $$
    select object like auth.uid() || '/%'
$$;
comment on function private.is_in_own_folder(text) is 'Whether an object lies in the caller''s folder.';

create function private.is_photograph(object text, metadata jsonb) returns boolean
language sql immutable set search_path = '' as $$
    select object ~* '\.(jpe?g|png|webp)$'
        and coalesce(metadata ->> 'mimetype', 'image/jpeg') in ('image/jpeg', 'image/png', 'image/webp')
$$;
comment on function private.is_photograph(text, jsonb) is 'Whether an object is named, and was sent, as JPEG, PNG or WebP.';
grant execute on function private.is_own_avatar(text), private.is_in_own_folder(text), private.is_photograph(text, jsonb)
    to authenticated, service_role;

create policy "Members see their own avatar's entry" on storage.objects
    for select to authenticated using (bucket_id = 'profiles' and private.is_own_avatar(name));
create policy "Members upload their own avatar" on storage.objects
    for insert to authenticated with check (bucket_id = 'profiles' and private.is_own_avatar(name));
create policy "Members replace their own avatar" on storage.objects
    for update to authenticated using (bucket_id = 'profiles' and private.is_own_avatar(name))
    with check (bucket_id = 'profiles' and private.is_own_avatar(name));
create policy "Members remove their own avatar" on storage.objects
    for delete to authenticated using (bucket_id = 'profiles' and private.is_own_avatar(name));

create policy "Agents read their own documents" on storage.objects
    for select to authenticated using (bucket_id = 'verification-documents' and private.is_in_own_folder(name));
create policy "The administrator reads documents" on storage.objects
    for select to authenticated using (bucket_id = 'verification-documents' and (select private.is_admin()));
create policy "Agents hand in documents" on storage.objects
    for insert to authenticated with check (
        bucket_id = 'verification-documents' and private.is_in_own_folder(name) and (select private.is_active_agent()));

create policy "Agents see the entries of their own pictures" on storage.objects
    for select to authenticated using (bucket_id = 'car-images' and private.is_in_own_folder(name));
create policy "Agents upload pictures of cars" on storage.objects
    for insert to authenticated with check (
        bucket_id = 'car-images' and private.is_in_own_folder(name) and private.is_photograph(name, metadata)
        and (select private.is_active_agent()));
create policy "Agents replace their own pictures" on storage.objects
    for update to authenticated using (bucket_id = 'car-images' and private.is_in_own_folder(name))
    with check (
        bucket_id = 'car-images' and private.is_in_own_folder(name) and private.is_photograph(name, metadata)
        and (select private.is_active_agent()));
create policy "Agents remove their own pictures" on storage.objects
    for delete to authenticated using (bucket_id = 'car-images' and private.is_in_own_folder(name));

-- A function is everybody's to call when it is made. Policies need a few of these, triggers none; those were granted above.
revoke execute on all functions in schema private from public;

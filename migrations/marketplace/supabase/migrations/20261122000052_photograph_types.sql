-- A picture of a car has a type: one that nobody gave is no JPEG.

-- While a URL is signed nobody knows what will be sent to it, at most that the question was JSON; the upload asks again.
create or replace function private.is_photograph(object text, metadata jsonb) returns boolean
language sql stable set search_path = '' as $$
    select object ~* '\.(jpe?g|png|webp)$' and case storage.operation()
        when 'storage.object.sign_upload_url' then
            coalesce(metadata ->> 'mimetype', 'application/json')
                in ('image/jpeg', 'image/png', 'image/webp', 'application/json')
        else coalesce(metadata ->> 'mimetype', '') in ('image/jpeg', 'image/png', 'image/webp')
    end
$$;

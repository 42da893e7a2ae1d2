-- Servers without it go on: a project that asks for the vault is told so.
do $$
begin
    if exists (select from pg_catalog.pg_available_extensions where name = 'supabase_vault') then
        perform minato.attempt('create extension if not exists supabase_vault with schema vault');
    end if;
    if to_regclass('vault.decrypted_secrets') is null then
        return;
    end if;
    -- a server's own gives no rights; on a hosted project its owner does
    perform minato.attempt(format('grant usage on schema vault to %s', grantee)),
        minato.attempt(format('grant select, delete on vault.secrets, vault.decrypted_secrets to %s', grantee)),
        minato.attempt(format('grant execute on function vault.create_secret, vault.update_secret, '
            'vault._crypto_aead_det_decrypt to %s', grantee))
    from unnest(array['postgres with grant option', 'service_role']) as grantee;
    comment on schema vault is 'Vault: secrets, encrypted with a key that lies outside the database.';
end
$$;
select minato.give_extension('supabase_vault', 'postgres');

-- As on a hosted project. Its postgres may truncate the secrets as well, which ours need not.
do $$
begin
    if to_regclass('vault.decrypted_secrets') is not null then
        perform minato.attempt(
            'grant references on vault.secrets, vault.decrypted_secrets to postgres with grant option');
    end if;
end
$$;

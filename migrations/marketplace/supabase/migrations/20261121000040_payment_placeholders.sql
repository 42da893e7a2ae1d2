-- Receiving details that were never entered are shown to nobody outside a demonstration.

-- Somebody who takes an example for a real account sends money to nobody. So the details a database starts with are
-- shown in a demonstration, which says so, and blank everywhere else until the operator entered real ones.
create function private.shown_payment_instructions() returns jsonb
language sql stable security definer set search_path = '' as $$
    select case
        when private.setting('demo_mode') = 'true' or stored.value <> sample.value then stored.value
        else '{"easypaisa": {"number": ""}, "bank": {"title": "", "account": "", "iban": ""}}'
    end
    from (select private.setting('payment_instructions')) as stored (value),
        (values ('{
            "easypaisa": {"number": "0300 0000000"},
            "bank": {"title": "Minato", "account": "0000 0000 0000 00", "iban": "PK00 DEMO 0000 0000 0000 0000"}
        }'::jsonb)) as sample (value)
$$;
comment on function private.shown_payment_instructions() is
    'Where the fee goes; blank outside a demonstration while the operator has entered nothing.';

create or replace function public.public_config() returns jsonb
language sql stable security definer set search_path = '' as $$
    select jsonb_object_agg(key, value) || jsonb_build_object(
        'payment_instructions', private.shown_payment_instructions())
    from public.app_settings
    where key in ('demo_mode', 'review_new_requests', 'require_verified_to_post', 'payment_instructions', 'fee_pkr')
$$;

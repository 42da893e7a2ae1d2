-- What supautils and its own grants let `postgres` do on a hosted project, as far as PostgreSQL can grant it.

-- as in 0001: parallel migrations of one cluster take turns
select minato.attempt('lock table pg_catalog.pg_authid in share row exclusive mode');

-- With the option, postgres may hand the roles on to its own and change their settings.
select minato.attempt(format('grant %I to postgres with admin option', role))
from unnest(array['anon', 'authenticated', 'service_role', 'authenticator',
    'pg_monitor', 'pg_read_all_data', 'pg_signal_backend']) as role
where not (select rolsuper from pg_catalog.pg_roles where rolname = 'postgres');
select minato.attempt('grant pg_create_subscription to postgres')
where exists (select from pg_catalog.pg_roles where rolname = 'pg_create_subscription')
    and not (select rolsuper from pg_catalog.pg_roles where rolname = 'postgres');

-- supautils.privileged_role_allowed_configs (supabase/postgres at 6124db1). `pgrst.*` and its kin are no patterns for
-- PostgreSQL, so every name stands here; those of the data API are what PostgREST reads (Config/Database.hs).
select minato.attempt(format('grant set on parameter %s to postgres', string_agg(name, ', ')))
from unnest(array[
    'session_replication_role', 'track_io_timing', 'wal_compression',
    'log_lock_waits', 'log_min_duration_statement', 'log_min_messages', 'log_parameter_max_length',
    'log_replication_commands', 'log_statement', 'log_temp_files'
] || array(select 'pgrst.' || setting from unnest(array[
    'db_aggregates_enabled', 'client_error_verbosity', 'db_anon_role', 'db_pre_config', 'db_extra_search_path',
    'db_max_rows', 'db_plan_enabled', 'db_pre_request', 'db_prepared_statements', 'db_root_spec', 'db_schemas',
    'db_tx_end', 'db_hoisted_tx_settings', 'jwt_aud', 'jwt_role_claim_key', 'jwt_secret', 'jwt_secret_is_base64',
    'jwt_cache_max_lifetime', 'openapi_mode', 'openapi_security_active', 'openapi_server_proxy_uri',
    'server_cors_allowed_origins', 'server_trace_header', 'server_timing_enabled', 'url_use_legacy_target_names'
]) as setting) || array(select 'auto_explain.' || setting from unnest(array[
    'log_analyze', 'log_buffers', 'log_format', 'log_level', 'log_min_duration', 'log_nested_statements',
    'log_parameter_max_length', 'log_settings', 'log_timing', 'log_triggers', 'log_verbose', 'log_wal', 'sample_rate'
]) as setting) || array(select 'pgaudit.' || setting from unnest(array[
    'log', 'log_catalog', 'log_client', 'log_level', 'log_relation', 'log_rows', 'log_statement', 'log_statement_once',
    'role'
]) as setting) || array[
    'pg_stat_statements.track', 'pg_stat_statements.track_utility', 'pg_stat_statements.track_planning',
    'pg_net.batch_size', 'pg_net.ttl', 'safeupdate.enabled',
    'plan_filter.statement_cost_limit', 'plan_filter.limit_select_only'
]) as name
where not (select rolsuper from pg_catalog.pg_roles where rolname = 'postgres')
-- of no rows there still is a sum
having count(*) > 0;

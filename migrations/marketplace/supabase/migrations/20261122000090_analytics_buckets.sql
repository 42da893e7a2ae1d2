-- Short windows have days or weeks, and growth from nothing has no figure.

-- null is no growth: nothing can be measured against nothing
create or replace function private.growth(early numeric, late numeric) returns integer
language sql immutable set search_path = '' as $$
    select round(100 * (coalesce(late, 0) - early) / nullif(early, 0))::integer
$$;
comment on function private.growth(numeric, numeric) is
    'The second half of the window against the first, in percent; null when the first has nothing.';

create function private.analytics_step(first_day date, last_day date) returns text
language sql immutable set search_path = '' as $$
    select case when last_day - first_day < 45 then 'day' when last_day - first_day < 190 then 'week'
        when last_day - first_day < 1100 then 'month' else 'quarter' end
$$;
comment on function private.analytics_step(date, date) is 'How long a bar of the trend is, so that a window has neither two nor two hundred.';

create function private.analytics_trend(first_day date, last_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
    with step as (
        select private.analytics_step(first_day, last_day) as name,
            case private.analytics_step(first_day, last_day) when 'quarter' then interval '3 months'
                else ('1 ' || private.analytics_step(first_day, last_day))::interval end as length
    ), bars as (
        select greatest(day::date, first_day) as first, least((day + length)::date - 1, last_day) as last
        from step, generate_series(date_trunc(name, first_day::timestamp), last_day::timestamp, length) as day
    ), sold as (
        select d.day, sum(d.value_usd) as revenue
        from (select completed_at::date as day, coalesce(value_usd, 0) as value_usd from public.deals
            where status = 'completed' and completed_at >= first_day and completed_at < last_day + 1) d group by 1
    ), joined as (
        select created_at::date as day, count(*) as users from public.profiles
        where created_at >= first_day and created_at < last_day + 1 group by 1
    ), asked as (
        select created_at::date as day, count(*) as requests from public.car_requests
        where created_at >= first_day and created_at < last_day + 1 group by 1
    )
    select jsonb_build_object('step', (select name from step), 'bars', (
        select jsonb_agg(jsonb_build_object('from', first, 'to', last,
            'revenue', coalesce((select sum(revenue) from sold where day between first and last), 0),
            'users', coalesce((select sum(users) from joined where day between first and last), 0),
            'requests', coalesce((select sum(requests) from asked where day between first and last), 0)) order by first)
        from bars))
$$;
comment on function private.analytics_trend(date, date) is
    'Revenue, new accounts and new requests in days, weeks, months or quarters, whichever the window has room for.';

create or replace function public.admin_analytics(p_from date default null, p_to date default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    first_day date;
    last_day date;
begin
    perform private.require_admin();
    select w.first_day, w.last_day into first_day, last_day from private.analytics_window(p_from, p_to) w;
    if last_day < first_day or last_day - first_day > 3660 then
        raise exception 'The window must begin before it ends and last at most ten years' using errcode = '22023';
    end if;
    return jsonb_build_object(
        'from', first_day, 'to', last_day,
        'summary', private.analytics_summary(first_day, last_day),
        'by_month', private.analytics_by_month(first_day, last_day),
        'trend', private.analytics_trend(first_day, last_day),
        'activity', private.analytics_activity(),
        'by_country', private.analytics_by_country(first_day, last_day),
        'by_category', private.analytics_by_category(first_day, last_day),
        'top_agents', private.analytics_top_agents(first_day, last_day),
        'top_importers', private.analytics_top_importers(first_day, last_day));
end
$$;

revoke execute on function private.analytics_step(date, date), private.analytics_trend(date, date) from public;

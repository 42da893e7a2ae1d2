-- What a car, a budget or a deal may come to at most, as the forms say.

-- An amount above the limit is a slip of the keyboard. It becomes the limit here, so that its row can still be changed,
-- and is kept as it was in private.cut_texts.
create function pg_temp.limit_amount(tab text, col text) returns void language plpgsql as $$
begin
    execute format('insert into private.cut_texts (source, field, row_id, value)
        select %L, %L, id::text, %I::text from public.%I where %I > 100000000', tab, col, col, tab, col);
    execute format('update public.%I set %I = 100000000 where %I > 100000000', tab, col, col);
    execute format('alter table public.%I add constraint %I check (%I <= 100000000)', tab, tab || '_' || col || '_limit', col);
end
$$;

select pg_temp.limit_amount('agent_posts', 'cnf_price');
-- the lower end first, so that it never exceeds the upper one
select pg_temp.limit_amount('car_requests', 'budget_min');
select pg_temp.limit_amount('car_requests', 'budget_max');
select pg_temp.limit_amount('deals', 'value_usd');

-- What shape a car has.

-- A new column without a value needs no rewrite of the table.
alter table public.agent_posts add column body text
    constraint agent_posts_body_check check (
        body in ('kei', 'hatch', 'sedan', 'wagon', 'coupe', 'suv', 'van', 'truck', 'bus', 'other'));
comment on column public.agent_posts.body is 'The shape of the car, which buyers filter by; null where nobody said.';

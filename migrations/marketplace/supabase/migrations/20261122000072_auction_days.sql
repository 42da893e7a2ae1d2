-- An auction is on a day, not at an instant.

-- An auction is on a day in Japan. As an instant it was a day early for readers west of Greenwich: the form's midnight was
-- UTC, which is nine in the morning of the same day in Tokyo, so that day is what was meant.
alter table public.agent_posts
    alter column auction_date type date using (auction_date at time zone 'Asia/Tokyo')::date;
comment on column public.agent_posts.auction_date is 'The day of the auction, in Japan.';

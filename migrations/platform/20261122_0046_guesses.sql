-- Outside auth, which stays as GoTrue made it.
create table minato.guesses (
    subject text not null,
    kind text not null,
    asked_at timestamptz,
    tries integer not null,
    tried_at timestamptz not null,
    primary key (subject, kind)
);
create index guesses_tried_at_idx on minato.guesses (tried_at);
comment on table minato.guesses is 'How often somebody tried to answer what was asked: a mailed or texted code, a second factor.';
comment on column minato.guesses.subject is 'Who or what is guessed at: the hash of an address, a challenge, a factor.';
comment on column minato.guesses.asked_at is 'Which question the tries belong to; another one starts at nought.';

create table minato.totp_steps (
    factor_id uuid primary key references auth.mfa_factors (id) on delete cascade,
    step bigint not null
);
comment on table minato.totp_steps is 'The period of the last code each authenticator app was believed by: none is good twice.';

revoke all on minato.guesses, minato.totp_steps from public;
grant usage on schema minato to supabase_auth_admin;
grant select, insert, update, delete on minato.guesses, minato.totp_steps to supabase_auth_admin;

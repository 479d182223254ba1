-- What was set aside, why, at which stage; its neighbours went on. Grain: one row per cause; of a row of an answer, per row.
create table subledger.dead_letters (
    dead_letter_id bigint generated always as identity,
    app_id text not null,
    subscription_key bigint,
    stage text not null,
    reason text not null,
    detail text not null,
    attempts integer not null default 1,
    first_run_id bigint not null,
    last_run_id bigint not null,
    created_at timestamptz not null,
    resolved_at timestamptz,
    transaction_id text,
    is_beside boolean not null default false,
    constraint dead_letters_pkey primary key (dead_letter_id),
    constraint known_stages check (stage in ('extract', 'fetch', 'transform', 'load', 'intake', 'notifications')),
    constraint attempts_are_counted check (attempts > 0)
);

create unique index one_open_dead_letter_per_cause on subledger.dead_letters (subscription_key, stage, reason, transaction_id)
    nulls not distinct where resolved_at is null;

comment on table subledger.dead_letters is 'What was set aside, why, at which stage; its neighbours went on';
comment on column subledger.dead_letters.dead_letter_id is 'Row number';
comment on column subledger.dead_letters.app_id is 'The app';
comment on column subledger.dead_letters.subscription_key is 'The subscription';
comment on column subledger.dead_letters.stage is 'Stage that set it aside';
comment on column subledger.dead_letters.reason is 'A short word';
comment on column subledger.dead_letters.detail is 'A sentence, free of tokens';
comment on column subledger.dead_letters.attempts is 'Nights it happened';
comment on column subledger.dead_letters.first_run_id is 'Run that first set it aside';
comment on column subledger.dead_letters.last_run_id is 'Run that last did';
comment on column subledger.dead_letters.created_at is 'Logical now of the first';
comment on column subledger.dead_letters.resolved_at is 'When a later check succeeded, or the row was booked';
comment on column subledger.dead_letters.transaction_id is 'The row that it is about, by its transaction or order id; unidentified: a row that shows none; NULL: the whole answer';
comment on column subledger.dead_letters.is_beside is 'Only an intake beside the night first_run_id met it: it counts for nothing of that night';

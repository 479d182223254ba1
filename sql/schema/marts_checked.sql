-- What the checks of a night look at: what was written since the books were last found to close, and a thirtieth of everything
-- besides, another one each business date: of single rows by subscription (of many about a thousand), of totals by day (of many
-- about twelve). Once in seven days, and until the books close where they did not, they look at everything.
-- Grain: one row per seal whose checks all passed, since they last failed or a definition last changed. No row: the next checks look
-- at everything.
create table marts.checked (
    seal bigint not null,
    full_proof_on date,
    constraint checked_pkey primary key (seal)
);

comment on table marts.checked is 'The seals whose checks all passed, since they last failed';
comment on column marts.checked.seal is 'What runs sealed by then wrote was looked at';
comment on column marts.checked.full_proof_on is 'The business date, where everything was looked at; NULL: a part';

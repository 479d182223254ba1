-- What the checks of a night look at: what was written since the books were last found to close, and a thirtieth of everything
-- besides, another one each business date: of single rows by subscription (of many about a thousand), of totals by day (of many
-- about twelve). Once in seven days, and until the books close where they did not, they look at everything.

-- Grain: one row per seal whose checks all passed, since they last failed or a definition last changed. No row: the next
-- checks look at everything.
drop table if exists report.checked;
create table report.checked (
    seal bigint primary key,
    full_proof_on date
);

-- Grain: one row per seal that the kept tables were moved to, kind of figures and day that they moved on.
drop table if exists report.moved_days;
create table report.moved_days (
    seal bigint not null,
    figures text not null check (figures in ('money', 'periods')),
    day date not null,
    primary key (seal, figures, day)
);

comment on table report.checked is 'The seals whose checks all passed, since they last failed';
comment on column report.checked.seal is 'What runs sealed by then wrote was looked at';
comment on column report.checked.full_proof_on is 'The business date, where everything was looked at; NULL: a part';
comment on table report.moved_days is 'The days that a night moved figures on: the checks of totals look at them';
comment on column report.moved_days.seal is 'The seal that the kept tables were moved to';
comment on column report.moved_days.figures is 'money: booked or recognised; periods: paid periods, MRR, statuses';
comment on column report.moved_days.day is 'A day of the report time zone';

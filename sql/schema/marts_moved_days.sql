-- The days that a night moved figures on. Grain: one row per seal that the materialised tables were moved to, kind of figures and day.
create table marts.moved_days (
    seal bigint not null,
    figures text not null,
    day date not null,
    constraint moved_days_pkey primary key (seal, figures, day),
    constraint known_figures check (figures in ('money', 'periods'))
);

comment on table marts.moved_days is 'The days that a night moved figures on: the checks of totals look at them';
comment on column marts.moved_days.seal is 'The seal that the materialised tables were moved to';
comment on column marts.moved_days.figures is 'money: booked or recognised; periods: paid periods, MRR, statuses';
comment on column marts.moved_days.day is 'A day of the report time zone';

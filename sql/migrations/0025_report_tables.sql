-- Where the tables stand that reports are made from, how far a build of them is, and what their checks looked at.

-- Where the kept tables stand. Grain: one row; none until they are first made. They stand at that seal once every part of the
-- lineages is built and no table is stale.
create table report.kept (
    only_row boolean primary key default true check (only_row),
    seal bigint not null,
    time_zone text not null,
    parts bigint not null,
    parts_built bigint not null
);

comment on table report.kept is 'The seal and the time zone that the kept tables stand at';
comment on column report.kept.only_row is 'Always true: there is one row';
comment on column report.kept.seal is 'What runs sealed by then wrote is in them';
comment on column report.kept.time_zone is 'Zone of the days: that of the reports';
comment on column report.kept.parts is 'How many parts the lineages were divided into when they were last built; 0: not divided yet';
comment on column report.kept.parts_built is 'How many of them are in the tables: all, unless a build was interrupted';

-- Tables whose definition changed: they are emptied, and built again, part by part, before the next report.
-- Grain: one row per table.
create table report.stale_tables (
    table_name text primary key
);

comment on table report.stale_tables is 'Kept tables that have to be built again';

-- The parts that a build divides the lineages into: settled once, when it starts, since lineages join while it goes on.
-- Grain: one row per key of a lineage (its own and those of its subscriptions); none when nothing is being built.
create table report.part_keys (
    part bigint not null,
    key bigint not null,
    primary key (part, key)
);

comment on table report.part_keys is 'The parts that an unfinished build divides the lineages into';
comment on column report.part_keys.part is 'From 0 on';
comment on column report.part_keys.key is 'Of a subscription or lineage';

-- What the checks of a night look at: what was written since the books were last found to close, and a thirtieth of everything
-- besides, another one each business date: of single rows by subscription (of many about a thousand), of totals by day (of many
-- about twelve). Once in seven days, and until the books close where they did not, they look at everything.

-- Grain: one row per seal whose checks all passed, since they last failed or a definition last changed. No row: the next
-- checks look at everything.
create table report.checked (
    seal bigint primary key,
    full_proof_on date
);

-- Grain: one row per seal that the kept tables were moved to, kind of figures and day that they moved on.
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

comment on column report.stale_tables.table_name is 'Its name in schema report';
comment on schema report is 'What reports are made from, and one view per report with the columns of its CSV';

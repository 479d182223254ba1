-- Where the kept tables stand. Grain: one row; none until they are first made. They stand at that seal once every part of the
-- lineages is built and no table is stale.
create table if not exists report.kept (
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
create table if not exists report.stale_tables (
    table_name text primary key
);

comment on table report.stale_tables is 'Kept tables that have to be built again';

-- The parts that a build divides the lineages into: settled once, when it starts, since lineages join while it goes on.
-- Grain: one row per key of a lineage (its own and those of its subscriptions); none when nothing is being built.
create table if not exists report.part_keys (
    part bigint not null,
    key bigint not null,
    primary key (part, key)
);

comment on table report.part_keys is 'The parts that an unfinished build divides the lineages into';
comment on column report.part_keys.part is 'From 0 on';
comment on column report.part_keys.key is 'Of a subscription or lineage';

-- Tables that have to be filled again, part by part, before the next report. Grain: one row per table.
create table marts.stale_tables (
    table_name text not null,
    constraint stale_tables_pkey primary key (table_name)
);

comment on table marts.stale_tables is 'materialised tables that have to be built again';
comment on column marts.stale_tables.table_name is 'Its name in schema marts';

-- A made-up release, until there is one: what `pg_dump --schema-only` and a few rows of a database of it would be.
create schema subledger;
create schema marts;
create schema report;

create table subledger.schema_files (
    path text not null,
    checksum text not null,
    applied_at timestamptz not null default now(),
    constraint schema_files_pkey primary key (path)
);
create table subledger.schema_objects (
    identity text not null,
    constraint schema_objects_pkey primary key (identity)
);
create table subledger.sales (
    sale_id bigint not null,
    amount_micros bigint not null,
    constraint sales_pkey primary key (sale_id)
);
comment on table subledger.sales is 'Sales';
comment on column subledger.sales.sale_id is 'Its number';
comment on column subledger.sales.amount_micros is 'Micros';

create function subledger.doubled(amount_micros bigint) returns bigint
language sql immutable
as 'select 3 * amount_micros';

insert into subledger.schema_objects (identity)
values ('table subledger.schema_files'), ('table subledger.schema_objects'), ('table subledger.sales'),
    ('function subledger.doubled(bigint)');
insert into subledger.schema_files (path, checksum) values ('schema/sales.sql', 'as it was'), ('functions/sums.sql', 'as it was');
insert into subledger.sales (sale_id, amount_micros) values (1, 9990000);

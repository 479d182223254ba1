-- Statements about the position of the marts.

-- name: read_position
-- At which seal the marts are. Grain: one row; none before they were first made.
select
    materialisation.seal, materialisation.time_zone, materialisation.parts, materialisation.parts_built,
    array(select stale.table_name from marts.stale_tables stale order by stale.table_name) as stale_tables
from marts.materialisation

-- name: has_currency_changed
-- Whether the reporting currency is another one. Grain: one row. $1 seal, $2 another seal
select
    subledger.reporting_currency_as_of($1::bigint) is distinct from subledger.reporting_currency_as_of($2::bigint)
        as has_changed

-- name: lock_position
-- One at a time moves the marts on; whoever waited sees where the other one left them.
lock table marts.materialisation in share row exclusive mode

-- name: lock_for_emptying
-- Waits for whoever reads the marts: a table that is emptied is empty for them, too, whatever their snapshot.
lock table marts.materialisation in access exclusive mode

-- name: lock_for_reading
-- Before the snapshot is taken: no session empties a table until it has been read.
lock table marts.materialisation in access share mode

-- name: forget_checks
-- A definition changed: the next checks look at everything. Grain: all rows
with forgotten as (
    delete from marts.moved_days
)

delete from marts.checked

-- name: start_build
-- Says that the marts are to be built at a seal; the next checks look at everything. $1 seal, $2 time zone
with forgotten as (
    delete from marts.checked
)

insert into marts.materialisation as stored (seal, time_zone, parts, parts_built)
values ($1::bigint, $2::text, 0, 0)
on conflict (only_row) do update set
    seal = excluded.seal, time_zone = excluded.time_zone, parts = 0, parts_built = 0

-- name: mark_stale
-- Says that tables have to be built again, from the first part on; so do those that a build was not done with, whose parts
-- an older version may not have stored. $1 tables; none where no table changed
with restarted as (
    update marts.materialisation set parts = 0, parts_built = 0
    where cardinality($1::text[]) > 0 or exists (select from marts.stale_tables)
)

insert into marts.stale_tables (table_name)
select unnest($1::text[])
on conflict (table_name) do nothing

-- name: restart_build
-- Says into how many parts the lineages are divided, none of which is built yet. $1 parts
update marts.materialisation set parts = $1::bigint, parts_built = 0

-- name: end_part
-- Says that one more part of the lineages is built; after the last one no table is stale, and the parts are forgotten.
with built as (
    update marts.materialisation set parts_built = parts_built + 1 returning parts_built = parts as is_last
),

forgotten as (
    delete from marts.part_keys where (select built.is_last from built)
)

delete from marts.stale_tables where (select built.is_last from built)

-- name: move_position
-- Says at which seal the marts are. $1 seal
update marts.materialisation set seal = $1::bigint

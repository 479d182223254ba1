-- Says that tables are empty and have to be built again, where any was ever made. $1 tables
with restarted as (
    update report.kept set parts_built = 0 where $1::text[] <> '{}'
)

insert into report.stale_tables (table_name)
select unnest($1::text[])
on conflict (table_name) do nothing

-- Says which seal, days and zone are asked for. $1 seal, $2 first day, $3 last day, $4 time zone
with earlier as (
    delete from report_scope
)

insert into report_scope (seal, from_date, through_date, time_zone)
values ($1::bigint, $2::date, $3::date, $4::text)

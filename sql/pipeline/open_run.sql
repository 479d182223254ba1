-- Opens a run; the unique index on open apps refuses a second one.
-- Grain: one row. $1 job, $2 business date, $3 now, $4 host, $5 process, $6 lease (seconds), $7 a report is to be written
insert into subledger.runs (job, business_date, logical_now, host, process_id, leased_until, report_due)
values (
    $1::text, $2::date, $3::timestamptz, $4::text, $5::bigint, clock_timestamp() + $6::bigint * interval '1 second',
    $7::boolean
)
returning run_id, leader_generation

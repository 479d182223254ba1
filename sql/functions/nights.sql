-- Dates between two sealed nights on which none was sealed, as a seal knows them. They owe no issue: what happened on them is in the
-- next one. Grain: one row per unbroken run of such dates.
create or replace function subledger.night_gaps(seal bigint) returns table (first_date date, last_date date)
language sql stable as $$
    select night.business_date + 1, night.next_date - 1
    from (
        select dated.business_date, lead(dated.business_date) over (order by dated.business_date) as next_date
        from (
            select distinct run.business_date
            from subledger.runs run
            where run.job = 'nightly' and run.seal <= night_gaps.seal
        ) dated
    ) night
    where night.next_date > night.business_date + 1
$$;

comment on function subledger.night_gaps is 'Dates between sealed nights on which none was sealed: they have no issue of their own';

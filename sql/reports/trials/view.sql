-- Trials: what became of the trials that started on a day.
-- Grain: one row per start day, app, store and product with a trial.
--
-- A trial is an unbroken free time before a lineage's first payment; free periods that the store offered to customers it
-- knew (promotional, win-back) are none. It is converted when it was paid by its end, grace included; a gap of up to 24
-- hours is none. Paid later, out of billing retry, it has ended here and begins as new in the bridge.
-- started = converted + pending + ended.
drop view if exists report.trials;
drop function if exists report.trials_as_of(bigint, date, date, text);
create function report.trials_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    cohort_date date, app_id text, store text, product_id text, started bigint, converted bigint, refunded bigint,
    pending bigint, ended bigint, conversion_rate numeric
)
language sql stable
set jit = off
as $$
    with sums as materialized (
        select * from report.trials_sums_at(trials_as_of.seal, trials_as_of.time_zone)
    ),

    judged as (
        select
            sums.*,
            sums.fate in ('converted', 'refunded') as is_converted,
            sums.fate = 'waiting' or sums.ends_at > run.logical_now as is_open
        from sums
        join subledger.runs run on run.seal = trials_as_of.seal
        where sums.day >= trials_as_of.from_date and sums.day <= trials_as_of.through_date
    )

    select
        day, app_id, store, product_id, sum(trials)::bigint,
        coalesce(sum(trials) filter (where is_converted), 0)::bigint,
        coalesce(sum(trials) filter (where fate = 'refunded'), 0)::bigint,
        coalesce(sum(trials) filter (where not is_converted and is_open), 0)::bigint,
        coalesce(sum(trials) filter (where not is_converted and not is_open), 0)::bigint,
        report.share(coalesce(sum(trials) filter (where is_converted), 0)::bigint, sum(trials)::bigint)
    from judged
    group by day, app_id, store, product_id
$$;

create view report.trials as
select report.*
from subledger.newest_seal() newest
cross join lateral report.trials_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.trials_as_of is 'Trials by the day they started: converted when paid by the trial''s end, grace included';
comment on view report.trials is 'Trials by start day, as of the newest seal, in UTC';
comment on column report.trials.cohort_date is 'Day the trials started';
comment on column report.trials.app_id is 'The owner''s own name of the app';
comment on column report.trials.store is 'app_store or google_play';
comment on column report.trials.product_id is 'Product the trial was of';
comment on column report.trials.started is 'Trials that started: free time before a lineage''s first payment; promotional and win-back offers are none';
comment on column report.trials.converted is 'Of them, paid by the end of the trial, grace included; a refund later changes nothing';
comment on column report.trials.refunded is 'Of the converted, those whose first paid period was refunded';
comment on column report.trials.pending is 'Of the started, still running, or not yet read past their end';
comment on column report.trials.ended is 'Of the started, over unpaid';
comment on column report.trials.conversion_rate is 'converted ÷ started, 0 to 1';

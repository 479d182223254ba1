-- rests on: trials_daily, marts.half_even, marts.nearest, marts.share, subledger.runs
-- Trials: what became of the trials that started on a day.
-- Grain: one row per start day, app, store and product with a trial.
--
-- A trial is an unbroken free time before a lineage's first payment; free periods on an offer to customers whom the app knew
-- (promotional, win-back) are none. It is converted when it was paid by its end, grace included; a gap of up to 24
-- hours is none. Paid later, out of billing retry, it has ended here and begins as new in the bridge.
-- started = converted + pending + ended.
create view trials (cohort_date, app_id, store, product_id, started, converted, refunded, pending, ended, conversion_rate) as
with classified as (
    select
        trial.*,
        trial.outcome in ('converted', 'refunded') as is_converted,
        trial.outcome = 'waiting' or trial.ends_at > run.logical_now as is_open
    from trials_daily trial
    join report_scope scope on trial.day >= scope.from_date and trial.day <= scope.through_date
    join subledger.runs run on run.seal = scope.seal
)

select
    day, app_id, store, product_id, sum(trials)::bigint,
    coalesce(sum(trials) filter (where is_converted), 0)::bigint,
    coalesce(sum(trials) filter (where outcome = 'refunded'), 0)::bigint,
    coalesce(sum(trials) filter (where not is_converted and is_open), 0)::bigint,
    coalesce(sum(trials) filter (where not is_converted and not is_open), 0)::bigint,
    marts.share(coalesce(sum(trials) filter (where is_converted), 0)::bigint, sum(trials)::bigint)
from classified
group by day, app_id, store, product_id;

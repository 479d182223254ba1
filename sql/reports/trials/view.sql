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
as $$
    with in_line as (
        select
            period.*,
            coalesce(bool_or(period.is_paid) over before, false) as has_paid,
            max(period.covered_until) over before as covered_before
        from report.periods_as_of(trials_as_of.seal) period
        window before as (
            partition by period.lineage_key
            order by period.starts_at, period.purchased_at, period.transaction_id, period.product_id
            rows between unbounded preceding and 1 preceding
        )
    ),

    free as (
        select
            in_line.*,
            count(*) filter (
                where in_line.covered_before is null or in_line.starts_at > in_line.covered_before + interval '24 hours'
            ) over (
                partition by in_line.lineage_key
                order by in_line.starts_at, in_line.purchased_at, in_line.transaction_id, in_line.product_id
            ) as trial_no
        from in_line
        where in_line.kind = 'trial'
            and not in_line.has_paid
            and in_line.offer_type is distinct from 'promotional'
            and in_line.offer_type is distinct from 'win_back'
    ),

    trials as (
        select
            lineage_key, app_id, store, trial_no, min(starts_at) as starts_at, max(covered_until) as ends_at,
            (array_agg(product_id order by starts_at, transaction_id, product_id))[1] as product_id,
            (array_agg(subscription_key order by starts_at desc, transaction_id, product_id))[1] as subscription_key
        from free
        group by lineage_key, app_id, store, trial_no
    ),

    first_payments as (
        select distinct on (lineage_key) lineage_key, starts_at, is_refunded
        from in_line
        where is_paid
        order by lineage_key, starts_at, purchased_at, transaction_id, product_id
    ),

    last_periods as (
        select lineage_key, max(starts_at) as starts_at from in_line group by lineage_key
    ),

    last_states as (
        select distinct on (change.subscription_key) change.subscription_key, change.state
        from subledger.state_changes_as_of(trials_as_of.seal) change
        order by change.subscription_key, change.change_id desc
    ),

    judged as (
        select
            report.day_of(trial.starts_at, trial.store, trials_as_of.time_zone) as day,
            trial.app_id, trial.store, trial.product_id, paid.is_refunded,
            paid.lineage_key is not null as is_converted,
            trial.ends_at > run.logical_now or (
                last_period.starts_at <= trial.ends_at
                and coalesce(told.state, 'unverified') not in ('expired', 'revoked', 'billing_retry', 'paused')
            ) as is_open
        from trials trial
        join subledger.runs run on run.seal = trials_as_of.seal
        join last_periods last_period on last_period.lineage_key = trial.lineage_key
        left join first_payments paid
            on paid.lineage_key = trial.lineage_key
            and paid.starts_at >= trial.starts_at
            and paid.starts_at <= trial.ends_at + interval '24 hours'
        left join last_states told on told.subscription_key = trial.subscription_key
    )

    select
        day, app_id, store, product_id, count(*),
        count(*) filter (where is_converted),
        count(*) filter (where is_converted and is_refunded),
        count(*) filter (where not is_converted and is_open),
        count(*) filter (where not is_converted and not is_open),
        report.share(count(*) filter (where is_converted), count(*))
    from judged
    where day >= trials_as_of.from_date and day <= trials_as_of.through_date
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

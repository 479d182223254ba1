-- Trials and what became of them.
-- Grain: one row per start day, app, store, product, fate and end. fate: converted; refunded (converted, and the first paid
-- period was refunded); waiting (the store has not told what became of it); unpaid, which is pending until ends_at and
-- ended from then on: the report tells by its seal's clock. In every other fate ends_at is -infinity.
drop table if exists report.trials_sums cascade;
create table report.trials_sums (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    fate text not null,
    ends_at timestamptz not null,
    trials bigint not null,
    primary key (day, app_id, store, product_id, fate, ends_at)
);

create or replace function report.trials_sums_as_of(seal bigint, subscriptions bigint[], time_zone text)
returns setof report.trials_sums
language sql stable
set enable_nestloop = off
set jit = off
as $$
    with in_line as (
        select
            period.*,
            coalesce(bool_or(period.is_paid) over before, false) as has_paid,
            max(period.covered_until) over before as covered_before
        from report.periods_as_of(trials_sums_as_of.seal, trials_sums_as_of.subscriptions) period
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
        from report.line_changes_as_of(trials_sums_as_of.seal, trials_sums_as_of.subscriptions) change
        where change.state <> 'unreachable'
        order by change.subscription_key, change.change_id desc
    ),

    judged as (
        select
            report.day_of(trial.starts_at, trial.store, trials_sums_as_of.time_zone) as day,
            trial.app_id, trial.store, trial.product_id, trial.ends_at,
            case
                when paid.is_refunded then 'refunded'
                when paid.lineage_key is not null then 'converted'
                when last_period.starts_at <= trial.ends_at
                    and coalesce(told.state, 'unverified') not in ('expired', 'revoked', 'billing_retry', 'paused')
                    then 'waiting'
                else 'unpaid'
            end as fate
        from trials trial
        join last_periods last_period on last_period.lineage_key = trial.lineage_key
        left join first_payments paid
            on paid.lineage_key = trial.lineage_key
            and paid.starts_at >= trial.starts_at
            and paid.starts_at <= trial.ends_at + interval '24 hours'
        left join last_states told on told.subscription_key = trial.subscription_key
    )

    select
        day, app_id, store, product_id, fate, case fate when 'unpaid' then ends_at else '-infinity' end, count(*)
    from judged
    group by 1, 2, 3, 4, 5, 6
$$;

comment on table report.trials_sums is 'Kept sums of the trials by what became of them';
comment on function report.trials_sums_as_of is 'The same sums, of some subscriptions or all, as of a seal';

call report.make_reader('trials');

-- The state of every subscription when a day closed (UTC), as was known then, or as a later seal knows it of that day.
-- Grain: one row per subscription of which a state is known that had come about by then.
--
-- Without a seal it is that of the last run sealed before the first one that was about a later day: "set to cancel on 3 March"
-- is what the night after 3 March knew, and what is sealed late moves no day that was closed. What the store does not date
-- came about on the business date of the run that learned it.
create or replace function report.states_on(day date, seal bigint default null) returns table (
    subscription_key bigint, app_id text, store text, product_id text, state text, auto_renew boolean,
    set_to_cancel boolean, expires_at timestamptz, grace_expires_at timestamptz, end_reason text,
    occurred_at timestamptz, recorded_at timestamptz
)
language sql stable
as $$
    select
        newest.subscription_key, owner.app_id, owner.store, newest.product_id, newest.state, newest.auto_renew,
        newest.auto_renew is false and newest.state in ('active', 'trial', 'grace'), newest.expires_at,
        newest.grace_expires_at, newest.end_reason, newest.occurred_at, newest.recorded_at
    from (
        select distinct on (change.subscription_key) change.*
        from subledger.state_changes_as_of(coalesce(states_on.seal, (
            with sealed as (
                select run.seal, run.business_date
                from subledger.runs run
                where run.seal is not null and run.job in ('nightly', 'notifications', 'intake', 'report')
            )

            select max(sealed.seal)
            from sealed
            where sealed.seal < coalesce(
                (select min(later.seal) from sealed later where later.business_date > states_on.day), 9223372036854775807
            )
        ))) change
        join subledger.runs run on run.run_id = change.run_id
        where least(run.business_date, (change.occurred_at at time zone 'UTC')::date) <= states_on.day
        order by change.subscription_key, change.change_id desc
    ) newest
    join subledger.subscriptions owner on owner.subscription_key = newest.subscription_key
$$;

comment on function report.states_on is 'Where every subscription stood when a day closed (UTC), as was known then, or as a later seal knows it';

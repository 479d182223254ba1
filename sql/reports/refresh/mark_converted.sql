-- The lineages whose money, or whose expected renewal in another currency, exchange rates concern that runs brought: a rate is valid
-- for what was bought after its day, up to the day of the next one that is known at the seal. $1 runs, $2 seal
with published as materialized (
    select distinct
        known.currency, known.rate_date + 1 as from_day,
        coalesce(
            (
                select min(following.rate_date)
                from subledger.fx_rates following
                where following.source = known.source
                    and following.base = known.base
                    and following.currency = known.currency
                    and following.rate_date > known.rate_date
                    and (
                        following.recorded_run_id = 0
                        or (select run.seal from subledger.runs run where run.run_id = following.recorded_run_id) <= $2::bigint
                    )
            ), 'infinity'
        ) as through_day
    from subledger.fx_rates known
    where known.recorded_run_id = any ($1::bigint[])
)

insert into pg_temp.marked_lineages (key)
select unnest(marts.whole_lineages(array(
    select movement.lineage_key
    from published
    join money_movements movement
        on movement.purchase_day between published.from_day and published.through_day
        and (
            movement.currency = published.currency
            or published.currency = subledger.reporting_currency_as_of($2::bigint)
        )
    union
    select period.lineage_key
    from published
    join paid_periods period
        on (period.purchased_at at time zone 'UTC')::date between published.from_day and published.through_day
        and period.renewal_currency is distinct from period.currency
        and (
            period.renewal_currency = published.currency
            or published.currency = subledger.reporting_currency_as_of($2::bigint)
        )
)))
on conflict (key) do nothing

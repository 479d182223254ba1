-- Exchange rates that are fixed, and those that end.

-- Units of a currency that one euro is worth since it gave way to it, by the Council's fixed rates. Grain: one row; none where it has
-- not, or not by that day.
create or replace function subledger.fixed_euro_rate(currency text, day date) returns table (rate numeric, since date)
language sql immutable
as $$
    select fixed.rate, fixed.since
    from (
        values
        ('BGN', 1.95583, '2026-01-01'::date), ('HRK', 7.53450, '2023-01-01'), ('LTL', 3.45280, '2015-01-01'),
        ('LVL', 0.702804, '2014-01-01'), ('EEK', 15.6466, '2011-01-01'), ('SKK', 30.1260, '2009-01-01'),
        ('CYP', 0.585274, '2008-01-01'), ('MTL', 0.429300, '2008-01-01')
    ) as fixed (currency, rate, since)
    where fixed.currency = fixed_euro_rate.currency and fixed_euro_rate.day >= fixed.since
$$;

-- Currencies in use whose newest rate is more than ten days older than a day, as a seal saw them: of charges in the thirty days to it,
-- and the reporting currency. Where all is of one currency no rate is needed; one that its source quotes no more has ended, and what
-- was sold in it since is unconverted. Rates of days to come are none. Grain: one row per currency.
create or replace function subledger.stale_rates(
    seal bigint, last_day date, reporting_currency text
) returns table (currency text, newest date)
language sql stable
as $$
    with used as (
        select distinct entry.currency
        from subledger.ledger_entries entry
        join subledger.runs run on run.run_id = entry.run_id
        where entry.kind = 'charge'
            and entry.occurred_at >= (stale_rates.last_day - 29)::timestamp at time zone 'UTC'
            and entry.occurred_at < (stale_rates.last_day + 1)::timestamp at time zone 'UTC'
            and run.seal <= stale_rates.seal
        union
        select stale_rates.reporting_currency where stale_rates.reporting_currency is not null
    ),

    quoted as (
        select distinct case when fixed.rate is null then used.currency else 'EUR' end as currency
        from used
        left join lateral subledger.fixed_euro_rate(used.currency, stale_rates.last_day) fixed on true
    )

    select quoted.currency, max(rate.rate_date) filter (where rate.rate is not null)
    from quoted
    join subledger.fx_rates rate on quoted.currency in (rate.currency, rate.base)
    left join subledger.runs run on run.run_id = rate.recorded_run_id
    where (select count(*) from quoted) > 1
        and rate.rate_date <= stale_rates.last_day
        and (rate.recorded_run_id = 0 or run.seal <= stale_rates.seal)
    group by quoted.currency
    having max(rate.rate_date) filter (where rate.rate is not null) < stale_rates.last_day - 10
        and max(rate.rate_date) = max(rate.rate_date) filter (where rate.rate is not null)
$$;

comment on function subledger.fixed_euro_rate is 'Units of a currency for one euro since it gave way to it';
comment on function subledger.stale_rates is 'Currencies in use whose newest exchange rate is more than ten days older than a day';

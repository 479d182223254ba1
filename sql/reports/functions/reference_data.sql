-- The dated reference tables as a seal saw them: of each row the last word that runs sealed by then wrote. What came with
-- the program (run 0) is seen by every seal.

-- Grain: one row per app, product, base plan and first day.
create or replace function subledger.products_as_of(seal bigint) returns table (
    app_id text, product_id text, period text, subscription_group text, level integer, valid_from date,
    recorded_run_id bigint, base_plan_id text
)
language sql stable
as $$
    select distinct on (known.app_id, known.product_id, known.base_plan_id, known.valid_from)
        known.app_id, known.product_id, known.period, known.subscription_group, known.level, known.valid_from,
        known.recorded_run_id, known.base_plan_id
    from subledger.products known
    left join subledger.runs run on run.run_id = known.recorded_run_id
    where known.recorded_run_id = 0 or run.seal <= products_as_of.seal
    order by known.app_id, known.product_id, known.base_plan_id, known.valid_from, known.recorded_run_id desc
$$;

-- Grain: one row per app, product, base plan, period, country and first day.
create or replace function subledger.prices_as_of(seal bigint) returns table (
    app_id text, product_id text, base_plan_id text, period text, country text, currency text, price_micros bigint,
    valid_from date, recorded_run_id bigint
)
language sql stable
as $$
    select distinct on (
        known.app_id, known.product_id, known.base_plan_id, known.period, known.country, known.valid_from
    )
        known.app_id, known.product_id, known.base_plan_id, known.period, known.country, known.currency, known.price_micros,
        known.valid_from, known.recorded_run_id
    from subledger.prices known
    left join subledger.runs run on run.run_id = known.recorded_run_id
    where known.recorded_run_id = 0 or run.seal <= prices_as_of.seal
    order by known.app_id, known.product_id, known.base_plan_id, known.period, known.country, known.valid_from,
        known.recorded_run_id desc, known.currency
$$;

-- Grain: one row per source, base, currency and day of publication.
create or replace function subledger.fx_rates_as_of(seal bigint) returns table (
    base text, currency text, rate_date date, rate numeric, recorded_run_id bigint, source text, is_flagged boolean
)
language sql stable
as $$
    select distinct on (known.source, known.base, known.currency, known.rate_date)
        known.base, known.currency, known.rate_date, known.rate, known.recorded_run_id, known.source, known.is_flagged
    from subledger.fx_rates known
    left join subledger.runs run on run.run_id = known.recorded_run_id
    where known.recorded_run_id = 0 or run.seal <= fx_rates_as_of.seal
    order by known.source, known.base, known.currency, known.rate_date, known.recorded_run_id desc
$$;

-- Grain: one row per origin, rule, store, app, country, product type and first day.
create or replace function subledger.commission_rules_as_of(seal bigint) returns table (
    rule text, store text, app_id text, country text, rate numeric, valid_from date, recorded_run_id bigint,
    product_type text, valid_to date, source text, confidence text, is_published boolean
)
language sql stable
as $$
    select distinct on (
        known.is_published, known.rule, known.store, known.app_id, known.country, known.product_type, known.valid_from
    )
        known.rule, known.store, known.app_id, known.country, known.rate, known.valid_from, known.recorded_run_id,
        known.product_type, known.valid_to, known.source, known.confidence, known.is_published
    from subledger.commission_rules known
    left join subledger.runs run on run.run_id = known.recorded_run_id
    where known.recorded_run_id = 0 or run.seal <= commission_rules_as_of.seal
    order by known.is_published, known.rule, known.store, known.app_id, known.country, known.product_type, known.valid_from,
        known.recorded_run_id desc
$$;

-- Grain: one row per country and first day.
create or replace function subledger.tax_rates_as_of(seal bigint) returns table (
    country text, rate numeric, is_inclusive boolean, valid_from date, recorded_run_id bigint
)
language sql stable
as $$
    select distinct on (known.country, known.valid_from)
        known.country, known.rate, known.is_inclusive, known.valid_from, known.recorded_run_id
    from subledger.tax_rates known
    left join subledger.runs run on run.run_id = known.recorded_run_id
    where known.recorded_run_id = 0 or run.seal <= tax_rates_as_of.seal
    order by known.country, known.valid_from, known.recorded_run_id desc
$$;

-- What was configured when the seal was given, whatever the configuration says now.
create or replace function subledger.reporting_currency_as_of(seal bigint) returns text
language sql stable
as $$
    select known.currency
    from subledger.reporting_currencies known
    where known.after_seal < reporting_currency_as_of.seal
    order by known.change_id desc
    limit 1
$$;

comment on function subledger.products_as_of is 'The product catalogue as runs sealed by then told it';
comment on function subledger.prices_as_of is 'The price list as runs sealed by then told it';
comment on function subledger.fx_rates_as_of is 'The exchange rates as runs sealed by then told them';
comment on function subledger.commission_rules_as_of is 'The commission rules as runs sealed by then told them';
comment on function subledger.tax_rates_as_of is 'The tax rates as runs sealed by then told them';
comment on function subledger.reporting_currency_as_of is 'The currency that reports of the seal convert into';

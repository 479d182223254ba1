-- The dated reference tables as a seal saw them: of each row the last word that runs sealed by then wrote. What came with
-- the program (run 0) is seen by every seal.

-- Grain: one row per app, product, base plan and first day.
create or replace function subledger.products_as_of(seal bigint) returns setof subledger.products
language sql stable
as $$
    select distinct on (known.app_id, known.product_id, known.base_plan_id, known.valid_from) known.*
    from subledger.products known
    left join subledger.runs run on run.run_id = known.recorded_run_id
    where known.recorded_run_id = 0 or run.seal <= products_as_of.seal
    order by known.app_id, known.product_id, known.base_plan_id, known.valid_from, known.recorded_run_id desc
$$;

-- Grain: one row per app, product, base plan, country and first day.
create or replace function subledger.prices_as_of(seal bigint) returns setof subledger.prices
language sql stable
as $$
    select distinct on (known.app_id, known.product_id, known.base_plan_id, known.country, known.valid_from) known.*
    from subledger.prices known
    left join subledger.runs run on run.run_id = known.recorded_run_id
    where known.recorded_run_id = 0 or run.seal <= prices_as_of.seal
    order by known.app_id, known.product_id, known.base_plan_id, known.country, known.valid_from,
        known.recorded_run_id desc, known.currency
$$;

-- Grain: one row per source, base, currency and day of publication.
create or replace function subledger.fx_rates_as_of(seal bigint) returns setof subledger.fx_rates
language sql stable
as $$
    select distinct on (known.source, known.base, known.currency, known.rate_date) known.*
    from subledger.fx_rates known
    left join subledger.runs run on run.run_id = known.recorded_run_id
    where known.recorded_run_id = 0 or run.seal <= fx_rates_as_of.seal
    order by known.source, known.base, known.currency, known.rate_date, known.recorded_run_id desc
$$;

-- Grain: one row per rule, store, app, country, product type and first day.
create or replace function subledger.commission_rules_as_of(seal bigint) returns setof subledger.commission_rules
language sql stable
as $$
    select distinct on (known.rule, known.store, known.app_id, known.country, known.product_type, known.valid_from) known.*
    from subledger.commission_rules known
    left join subledger.runs run on run.run_id = known.recorded_run_id
    where known.recorded_run_id = 0 or run.seal <= commission_rules_as_of.seal
    order by known.rule, known.store, known.app_id, known.country, known.product_type, known.valid_from,
        known.recorded_run_id desc
$$;

-- Grain: one row per country and first day.
create or replace function subledger.tax_rates_as_of(seal bigint) returns setof subledger.tax_rates
language sql stable
as $$
    select distinct on (known.country, known.valid_from) known.*
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

-- Which rate applies on a day, as a seal saw it: exchange rates, commission and tax.

-- What one unit of a currency is worth in another: numerator ÷ denominator, by the last rate published before the day.
-- Grain: one row; none where no source quotes both currencies (a source that left a currency unquoted last quotes it no
-- more). A pair that is not published is crossed over the source's base. Of several sources the one that published last
-- counts, then the first by name.
create or replace function marts.published_conversion_as_of(seal bigint, currency text, into_currency text, day date) returns table (
    numerator numeric, denominator numeric, source text, rate_date date, is_flagged boolean
)
language sql stable
-- A few steps down an index, whatever its caller's plan prefers.
set enable_nestloop = on
as $$
    with recursive feeds as (
        (select rate.source, rate.base from subledger.fx_rates rate order by rate.source, rate.base limit 1)
        union all
        select following.source, following.base
        from feeds
        cross join lateral (
            select rate.source, rate.base
            from subledger.fx_rates rate
            where (rate.source, rate.base) > (feeds.source, feeds.base)
            order by rate.source, rate.base
            limit 1
        ) following
    ),

    sides as (
        select feeds.source, feeds.base, side.name, published.rate, published.rate_date, published.is_flagged
        from feeds
        cross join (values ('from', published_conversion_as_of.currency), ('into', published_conversion_as_of.into_currency))
            as side (name, currency)
        cross join lateral (
            select 1::numeric as rate, 'infinity'::date as rate_date, false as is_flagged
            where side.currency = feeds.base
            union all
            (
                select quoted.rate, quoted.rate_date, quoted.is_flagged
                from subledger.fx_rates quoted
                where quoted.source = feeds.source
                    and quoted.base = feeds.base
                    and quoted.currency = side.currency
                    and side.currency <> feeds.base
                    and quoted.rate_date < published_conversion_as_of.day
                    and (
                        quoted.recorded_run_id = 0
                        or (
                            select run.seal from subledger.runs run where run.run_id = quoted.recorded_run_id
                        ) <= published_conversion_as_of.seal
                    )
                order by quoted.rate_date desc, quoted.recorded_run_id desc
                limit 1
            )
        ) published
        where published.rate is not null
    )

    select 1, 1, null, null, false
    where published_conversion_as_of.currency = published_conversion_as_of.into_currency
    union all
    (
        select
            target.rate, origin.rate, origin.source, least(origin.rate_date, target.rate_date),
            origin.is_flagged or target.is_flagged
        from sides origin
        join sides target on target.source = origin.source and target.base = origin.base
        where origin.name = 'from' and target.name = 'into' and published_conversion_as_of.currency <> published_conversion_as_of.into_currency
        order by least(origin.rate_date, target.rate_date) desc, origin.source, origin.base
        limit 1
    )
$$;

-- What one unit of a currency is worth in another, as marts.published_conversion_as_of has it; a currency that gave way to the euro
-- goes through it by its fixed rate from that day on, whatever a source still quotes. Grain: one row; none where it is not known.
create or replace function marts.conversion_as_of(seal bigint, currency text, into_currency text, day date) returns table (
    numerator numeric, denominator numeric, source text, rate_date date, is_flagged boolean
)
language sql stable
as $$
    select
        published.numerator * coalesce(target.rate, 1), published.denominator * coalesce(origin.rate, 1),
        coalesce(published.source, case when origin.rate is not null or target.rate is not null then 'euro' end),
        coalesce(published.rate_date, origin.since, target.since), published.is_flagged
    from (select conversion_as_of.currency <> conversion_as_of.into_currency as is_needed) conversion
    left join lateral subledger.fixed_euro_rate(conversion_as_of.currency, conversion_as_of.day) origin on conversion.is_needed
    left join lateral subledger.fixed_euro_rate(conversion_as_of.into_currency, conversion_as_of.day) target on conversion.is_needed
    cross join lateral marts.published_conversion_as_of(
        conversion_as_of.seal, case when origin.rate is null then conversion_as_of.currency else 'EUR' end,
        case when target.rate is null then conversion_as_of.into_currency else 'EUR' end, conversion_as_of.day
    ) published
$$;

-- The share of a sale that is the store's commission: the least of what applies (standard, after one year of paid service, the app's
-- programme). Of each rule the owner's own row counts before a published one; of those a row for the app before one for any, then
-- one for the country, then one for the product type, then the newest. A membership without a rate has the published one.
-- is_unsettled: a published rate that is not settled gives the share.
-- Grain: one row; none where no rule is known.
create or replace function marts.commission_as_of(
    seal bigint, store text, app_id text, country text, product_type text, day date, has_paid_a_year boolean
) returns table (rate numeric, is_unsettled boolean)
language sql stable
as $$
    with applied as (
        select distinct on (known.rule, known.is_published)
            known.rule, known.is_published, known.rate, coalesce(known.confidence = 'U', false) as is_unsettled
        from subledger.commission_rules_as_of(commission_as_of.seal) known
        where known.store = commission_as_of.store
            and known.app_id in ('', commission_as_of.app_id)
            and known.country in ('', commission_as_of.country)
            and known.product_type in ('', commission_as_of.product_type)
            and known.valid_from <= commission_as_of.day
            and (known.valid_to is null or commission_as_of.day < known.valid_to)
        order by known.rule, known.is_published, known.app_id desc, known.country desc, known.product_type desc,
            known.valid_from desc
    ),

    ruled as (
        select
            rule, own.rule is not null as is_own, coalesce(own.rate, published.rate) as rate,
            coalesce(own.rate is null and published.is_unsettled, false) as is_unsettled
        from (select * from applied where not is_published) own
        full join (select * from applied where is_published) published using (rule)
    )

    select ruled.rate, ruled.is_unsettled
    from ruled
    where ruled.rate is not null
        and (
            ruled.rule = 'standard'
            or ruled.rule = 'after_one_year' and commission_as_of.has_paid_a_year
            or ruled.rule = 'small_business' and ruled.is_own
        )
    order by ruled.rate, ruled.is_unsettled
    limit 1
$$;

-- The day since which the same commission rules and tax rates apply as on a day: whoever asks for many days asks once for all
-- that have it in common. No later day is in question: rules are imported for days to come, too.
create or replace function marts.ruled_since(day date) returns date
language sql stable
as $$
    select coalesce(max(known.day), '-infinity')
    from (
        select valid_from as day from subledger.commission_rules
        union all
        select valid_to from subledger.commission_rules
        union all
        select valid_from from subledger.tax_rates
    ) known
    where known.day <= ruled_since.day
$$;

-- What a price is divided by to be net of tax: 1 + rate where prices include it, 1 where they do not. NULL: not known.
create or replace function marts.tax_divisor_as_of(seal bigint, country text, day date) returns numeric
language sql stable
as $$
    select case when known.is_inclusive then 1 + known.rate else 1 end
    from subledger.tax_rates_as_of(tax_divisor_as_of.seal) known
    where known.country = tax_divisor_as_of.country and known.valid_from <= tax_divisor_as_of.day
    order by known.valid_from desc
    limit 1
$$;

comment on function marts.published_conversion_as_of is 'Units of the second currency for one of the first, as a source published them';
comment on function marts.conversion_as_of is 'Units of the second currency for one of the first, by the last rate published before the day';
comment on function marts.commission_as_of is 'The share of a sale that the store keeps, by the rules in force on the day, and whether it is not settled';
comment on function marts.ruled_since is 'The day since which the same commission rules and tax rates hold as on a day';
comment on function marts.tax_divisor_as_of is 'What a price is divided by to be net of tax';

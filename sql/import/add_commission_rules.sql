-- Adds commission rules that are not held as they are.
-- Grain: one row per line that goes in; note says what it replaces, NULL where nothing was held.
-- $1 run, $2 line numbers, $3 rules, $4 stores, $5 apps, $6 countries, $7 product types, $8 rates (NULL: membership), $9 first days,
-- $10 last days
with given as (
    select line.line_no, line.rule, line.store, coalesce(line.app_id, '') as app_id,
        coalesce(line.country, '') as country, coalesce(line.product_type, '') as product_type, line.rate::numeric,
        coalesce(line.valid_from, '-infinity')::date as valid_from, line.valid_to::date
    from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
            $10::text[])
        as line (line_no, rule, store, app_id, country, product_type, rate, valid_from, valid_to)
),

stored as (
    select distinct on (rule, store, app_id, country, product_type, valid_from) *
    from subledger.commission_rules
    where not is_published
    order by rule, store, app_id, country, product_type, valid_from, recorded_run_id desc
),

fresh as (
    select given.*, stored.rate as old_rate, stored.valid_to as old_end, stored.rule is not null as was_stored
    from given
    left join stored
        on stored.rule = given.rule
        and stored.store = given.store
        and stored.app_id = given.app_id
        and stored.country = given.country
        and stored.product_type = given.product_type
        and stored.valid_from = given.valid_from
    where stored.rule is null or (stored.rate, stored.valid_to) is distinct from (given.rate, given.valid_to)
),

written as (
    insert into subledger.commission_rules (
        rule, store, app_id, country, product_type, rate, valid_from, valid_to, recorded_run_id)
    select rule, store, app_id, country, product_type, rate, valid_from, valid_to, $1::bigint from fresh
)

select
    line_no,
    nullif(concat_ws(
        '; ',
        case when was_stored
            then 'replaces ' || coalesce(trim_scale(old_rate)::text, 'the published rate') || coalesce(' up to ' || old_end, '')
        end,
        (
            select
                'overlaps the line from ' || string_agg(
                    coalesce(nullif(other.valid_from, '-infinity')::text, 'the beginning') || coalesce(' to ' || other.valid_to, ''),
                    ', ' order by other.valid_from)
                    || ': of two that hold on a day the one that began later counts'
            from (
                select rule, store, app_id, country, product_type, valid_from, valid_to from stored
                union
                select rule, store, app_id, country, product_type, valid_from, valid_to from given
            ) other
            where other.rule = fresh.rule
                and other.store = fresh.store
                and other.app_id = fresh.app_id
                and other.country = fresh.country
                and other.product_type = fresh.product_type
                and other.valid_from <> fresh.valid_from
                and other.valid_from < coalesce(fresh.valid_to, 'infinity')
                and fresh.valid_from < coalesce(other.valid_to, 'infinity')
                -- One that goes on until another begins is no overlap.
                and case when other.valid_from < fresh.valid_from then other.valid_to else fresh.valid_to end is not null
        )
    ), '') as note
from fresh
order by line_no

-- Adds product facts that are not held as they are; the history of what was held stays.
-- Grain: one row per line that goes in; note says what it replaces, NULL where nothing was held.
-- $1 run, $2 line numbers, $3 apps, $4 products, $5 periods, $6 groups, $7 levels, $8 first days, $9 base plans (NULL: any)
with given as (
    select line.line_no, line.app_id, line.product_id, line.period, line.subscription_group, line.level::integer,
        coalesce(line.valid_from, '-infinity')::date as valid_from, coalesce(line.base_plan_id, '') as base_plan_id
    from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
        as line (line_no, app_id, product_id, period, subscription_group, level, valid_from, base_plan_id)
),

fresh as (
    select given.*, stored.recorded_run_id is not null as is_stored, stored.period as old_period,
        stored.subscription_group as old_group, stored.level as old_level
    from given
    left join lateral (
        select known.period, known.subscription_group, known.level, known.recorded_run_id
        from subledger.products known
        where known.app_id = given.app_id
            and known.product_id = given.product_id
            and known.base_plan_id = given.base_plan_id
            and known.valid_from = given.valid_from
        order by known.recorded_run_id desc
        limit 1
    ) stored on true
    where stored.recorded_run_id is null
        or (stored.period, stored.subscription_group, stored.level)
            is distinct from (given.period, given.subscription_group, given.level)
),

written as (
    insert into subledger.products (
        app_id, product_id, base_plan_id, period, subscription_group, level, valid_from, recorded_run_id)
    select app_id, product_id, base_plan_id, period, subscription_group, level, valid_from, $1::bigint from fresh
)

select
    line_no,
    case when is_stored then 'replaces ' || concat_ws(', ', old_period, 'group ' || old_group, 'level ' || old_level)
    end as note
from fresh
order by line_no

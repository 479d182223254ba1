-- What the figures of the page lack, and whose: active subscribers whose price is unknown, movements and paid periods that no
-- exchange rate is known for.
-- Grain: one row per app and what is missing, none where nothing is.
with newest as (
    select max(month) as month
    from metrics
),

missing as (
    select app_id, 'price' as what, sum(active)::bigint as number
    from metrics
    join newest using (month)
    where currency is null
    group by app_id
    union all
    select app_id, 'rate', sum(unconverted)::bigint
    from revenue
    group by app_id
)

select app_id, what, number
from missing
where number > 0
order by app_id collate "C", what

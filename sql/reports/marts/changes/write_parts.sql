-- Writes what was compared for the changes report: as the last issue knew it, and as it is known now.
-- Into the empty table. $1 seal of that issue
insert into figure_parts (figure, day, app_id, product_id, transaction_id, before, after, has_new_entry)
select
    figure, day, app_id, product_id, transaction_id,
    coalesce(sum(amount) filter (where not is_now), 0), coalesce(sum(amount) filter (where is_now), 0),
    coalesce(bool_or(seal > $1::bigint), false)
from pg_temp.compared_parts
group by figure, day, app_id, product_id, transaction_id

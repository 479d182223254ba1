-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into trials_daily as stored (
    day, app_id, store, product_id, outcome, ends_at, trials
)
select day, app_id, store, product_id, outcome, ends_at, sum(sign)
from pg_temp.changed_trial_outcomes
group by day, app_id, store, product_id, outcome, ends_at
having sum(sign) <> 0
on conflict (day, app_id, store, product_id, outcome, ends_at) do update set
    trials = stored.trials + excluded.trials;

delete from trials_daily where trials = 0;

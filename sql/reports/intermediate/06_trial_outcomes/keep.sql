-- Puts the rows of the lineages at hand in place of those that are held of them; what stays the same is left.
delete from trial_outcomes held using pg_temp.going_trial_outcomes went
where went.lineage_key = held.lineage_key
    and went.app_id = held.app_id
    and went.store = held.store
    and went.trial_no = held.trial_no;
insert into trial_outcomes table pg_temp.coming_trial_outcomes;

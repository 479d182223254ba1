-- Puts the rows of the lineages at hand in place of those that are held of them; what stays the same is left.
delete from cohort_months held using pg_temp.going_cohort_months went
where went.lineage_key = held.lineage_key
    and went.month_number = held.month_number;
insert into cohort_months table pg_temp.coming_cohort_months;

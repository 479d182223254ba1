-- Puts the rows of the lineages at hand in place of those that are held of them.
delete from cohort_months held using touched where touched.key = held.lineage_key;
insert into cohort_months select * from new_cohort_months;

-- The day on which the stores' fees that came with the program were last compared with their pages. Grain: one row
select subledger.commission_rules_compared_on()::text as compared_on

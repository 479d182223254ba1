-- Puts what a session made anew in place of what the nights had left in a kept table.
-- Grain: one row, corrected: rows that were otherwise. $1 table
select report.correct_table($1::text) as corrected

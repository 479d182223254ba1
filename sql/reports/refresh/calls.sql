-- Calls of what upkeep.sql defines.

-- name: lock_relations
-- $1 views and tables of schema report
call report.lock_relations($1::text[])

-- name: drop_views
-- $1 views
call report.drop_relations('view', $1::text[])

-- name: drop_tables
-- $1 tables
call report.drop_relations('table', $1::text[])

-- name: drop_functions
-- Those that reports are made with.
call report.drop_functions()

-- name: empty_table
-- $1 table
call report.empty_table($1::text)

-- name: correct_table
-- Puts what a session made anew in place of what the nights had left in a kept table.
-- Grain: one row, corrected: rows that were otherwise. $1 table
select report.correct_table($1::text) as corrected

-- name: hold_rows
-- Reads a session's view once for all that name it from now on. $1 view
call report.hold_rows($1::text)

-- name: hold_days_to_come
-- Adds the days from the scope's first one on to the rows that stand in the place of a session's view. $1 view
call report.hold_days_to_come($1::text)

-- name: release_rows
-- Lets a session's view be read anew: its days have changed. $1 view
call report.release_rows($1::text)

-- Calls of what upkeep.sql defines.

-- name: empty_table
-- $1 table
call marts.empty_table($1::text)

-- name: correct_table
-- Replaces what the nights have left in a materialised table by what a session has rebuilt.
-- Grain: one row, corrected: rows that were otherwise. $1 table
select marts.correct_table($1::text) as corrected

-- name: materialise_rows
-- Reads a session's view once for all that name it from now on. $1 view
call marts.materialise_rows($1::text)

-- name: materialise_days_to_come
-- Adds the days from the scope's first one on to the rows that replace a session's view. $1 view
call marts.materialise_days_to_come($1::text)

-- name: release_rows
-- Lets a session's view be read again: its days have changed. $1 view
call marts.release_rows($1::text)

-- name: drop_view
-- Takes a session's view away, so that it can be made over other rows. $1 view
call marts.drop_view($1::text)

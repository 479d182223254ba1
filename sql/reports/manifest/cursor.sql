-- Statements about the cursor of a report.

-- name: fetch_rows
-- The next rows of the report whose query opened the cursor: memory stays flat however long the history is.
fetch forward 2000 from report_rows

-- name: close_rows
-- Ends the cursor of a report, so that the next one can open its own.
close report_rows

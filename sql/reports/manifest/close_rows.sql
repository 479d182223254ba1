-- Ends the cursor of a report, so that the next one can open its own.
close report_rows

-- The next rows of the report whose query opened the cursor: memory stays flat however long the history is.
fetch forward 2000 from report_rows

-- Reads a session's view once for all that name it from now on. $1 view
call report.hold_rows($1::text)

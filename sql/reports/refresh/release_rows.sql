-- Lets a session's view be read anew: its days have changed. $1 view
call report.release_rows($1::text)

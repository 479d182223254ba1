-- Ends the session's own tables and views.
discard temp

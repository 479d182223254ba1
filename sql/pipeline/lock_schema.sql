-- One migrator at a time, until the end of its transaction.
select pg_advisory_xact_lock(hashtext('subledger.migrate'))

-- The schema stays as it is until the end of this transaction: a migrator waits for it, then sees what it did.
select pg_advisory_xact_lock_shared(hashtext('subledger.migrate'))

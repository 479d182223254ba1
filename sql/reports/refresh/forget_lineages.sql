-- Other lineages follow in the same transaction.
delete from touched

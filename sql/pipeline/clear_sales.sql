-- One-time sales that were accepted long ago: nothing else knows whose they are, so their verdict stays, and what was
-- handed in goes.
-- Grain: one row per purchase. $1 judged before
update subledger.purchase_inbox set payload = '', signature = null
where checked_at < $1::timestamptz and state = 'accepted' and payload <> ''

-- Whose one-time sales are, which have no subscription: the account that first handed one in.
-- Grain: one row per sale that was handed in with an account. $1 keys
select distinct on (subscription_key) subscription_key, account_id
from subledger.purchase_inbox
where subscription_key = any ($1::bigint[]) and state = 'accepted' and account_id is not null
order by subscription_key, purchase_id

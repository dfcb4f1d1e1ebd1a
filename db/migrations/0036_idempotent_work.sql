-- When the call of an idempotency key changed something: written in the transaction that did, so that the call is never done
-- again, whatever becomes of its answer. Null: it has changed nothing so far.
alter table idempotency_keys add column done_at timestamptz;
update idempotency_keys set done_at = created_at where status is not null;

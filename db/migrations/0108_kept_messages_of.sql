-- The kept messages of one campaign, newest first.
create index outbox_messages_mailing on outbox_messages (workspace_id, mailing_id, id);

drop function kept_messages_to(text, bigint, integer);

-- As before, and with `of_mailing` only the messages of that mailing.
create function kept_messages_to(beginning text, of_mailing bigint, before bigint, at_most integer)
returns setof bigint
language plpgsql stable security definer
set search_path = public, pg_temp
set plan_cache_mode = force_custom_plan
rows 50
as $$
declare
  tenant bigint := current_workspace();
  pattern text := replace(replace(replace(beginning, '\', '\\'), '%', '\%'), '_', '\_') || '%';
begin
  return query
    select o.id from outbox_messages o
    where o.workspace_id = tenant and lower(o.recipient) like pattern
      and (of_mailing is null or o.mailing_id = of_mailing) and (before is null or o.id < before)
    order by o.id desc limit at_most;
end
$$;

-- Lists of campaigns are asked for again and again. They read the figures of mailings that have
-- ended from one place, and the tests of campaigns without the content of their variants.

-- The sums over the parts of a campaign's mailing, since it has ended. Null: it may still change.
alter table mailings add column books jsonb;
update mailings m
set books = (
  select jsonb_build_object('total', coalesce(sum(total), 0), 'sent', coalesce(sum(sent), 0),
    'failed', coalesce(sum(failed), 0), 'skipped', coalesce(sum(skipped), 0),
    'uncertain', coalesce(sum(uncertain), 0), 'deferred', coalesce(sum(deferred), 0))
  from send_parts p where p.workspace_id = m.workspace_id and p.mailing_id = m.id
)
where m.kind = 'campaign' and m.ended_at is not null;

create function test_without_content(test jsonb) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_set(test, '{variants}', (
    select coalesce(jsonb_agg(case when v ? 'content' then v || '{"content": ""}' else v end order by place), '[]')
    from jsonb_array_elements(test -> 'variants') with ordinality e (v, place)
  ))
$$;
alter table campaigns add column ab_test_in_lists jsonb generated always as (test_without_content(ab_test)) stored;

-- What people did by variant, as it was last counted. Counting reads all who have opened it.
alter table mailing_tests
  add column counted_at timestamptz,
  add column took_ms bigint not null default 0,
  add column claimed_until timestamptz,
  add column figures jsonb;

-- The titles and the people of activities are found one after the other, without reading all lines.
create index activities_action on activities (workspace_id, action);
create index activities_actor on activities (workspace_id, actor) where actor is not null;

-- At night it is asked which of the files that are there a record names.
create index imports_file on imports (workspace_id, file_key) where file_key is not null;
create index imports_receipt on imports (workspace_id, receipt_key) where receipt_key is not null;

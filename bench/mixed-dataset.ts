import pg from 'pg';
import { idsPerBlock } from '#features/contacts/rules.ts';
import { domainDeltaStatement } from '#features/rollups/server/rollup-queries.ts';
import { workspaceId } from './dataset.ts';

/**
 * Contacts of every kind, for lists that filter and sort by what is told of them: invalid ones and
 * copies, posts and people, providers, firms and public bodies, British and foreign. Made within
 * the database, which is faster than to send them.
 */

/** Contacts arrive as from imports of this size, sorted by address within each. */
const importSize = 1_000_000;

const firstNames = `array['oliver','amelia','george','isla','harry','ava','noah','mia','jack','ivy','leo','lily','arthur','freya',
  'oscar','grace','henry','emily','theo','sophie']`;
const lastNames = `array['smith','jones','taylor','brown','williams','wilson','johnson','davies','patel','robinson','wright','thompson',
  'evans','walker','white','roberts','green','hall','wood','jackson','clarke','khan','lewis','james']`;
const posts = `array['info','sales','office','admin','enquiries','accounts','hello','contact','support','reception']`;
const providers = `array['gmail.com','hotmail.co.uk','hotmail.com','outlook.com','yahoo.co.uk','btinternet.com','icloud.com','sky.com',
  'live.co.uk','aol.com']`;
const endings = `array['co.uk','co.uk','co.uk','co.uk','com','com','com','org.uk','org','fr','de','net']`;
const bodies = `array['nhs.uk','ac.uk','gov.uk','sch.uk','police.uk']`;

const pick = (list: string, by: string) => `(${list})[1 + (${by}) % array_length(${list}, 1)]`;

/** In a hundred: 40 at providers, 2 at public bodies, 3 posts, 4 invalid, 51 people at firms. */
const made = (first: number, count: number) => `
  select n, case when lot < 4 then 1 else 0 end::smallint as state,
    case
      when lot < 4 then 'not an address ' || n
      when lot < 7 then ${pick(posts, 'r')}
      else ${pick(firstNames, 'r')} || '.' || ${pick(lastNames, 'r / 100')} || n
    end as local,
    case
      when lot = 0 then ''
      when lot between 4 and 6 then 'works' || n || '.' || ${pick(endings, 'r / 1000')}
      when lot between 7 and 8 then 'body' || r % 300 || '.' || ${pick(bodies, 'r / 1000')}
      when lot < 49 then ${pick(providers, 'r / 1000')}
      else 'firm' || r % 250000 || '.' || ${pick(endings, 'r / 1000')}
    end as domain
  from (
    select n, abs(hashint8(n::bigint + 7)::bigint) % 100 as lot, abs(hashint8(n::bigint)::bigint) as r
    from generate_series(${first}, ${first + count - 1}) n
  ) numbers`;

/** One in twenty-five is written twice: a copy. One in three hundred is suppressed. */
export async function fillMixed(ownerUrl: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`set work_mem = '256MB'`);
  await client.query('set synchronous_commit = off');
  await client.query(`set app.workspace_id = '${workspaceId}'`);
  for (let done = 0; done < rows; done += importSize) {
    await addMixed(client, done + 1, Math.min(importSize, rows - done));
    process.stderr.write(`\r${Math.min(done + importSize, rows).toLocaleString('en-GB')} contacts `);
  }
  process.stderr.write('\n');
  await client.query('vacuum analyze');
  await client.end();
}

async function addMixed(client: pg.Client, first: number, count: number): Promise<void> {
  await client.query('begin');
  await client.query(`create temporary table batch on commit drop as ${made(first, count)}`);
  await client.query(
    `insert into batch select n, 2, local, domain from batch where state = 0 and n % 25 = 0`,
  );
  await client.query(
    `with added as (
       insert into contacts (workspace_id, local, domain, state, name, source, date)
       select ${workspaceId}, local, domain, state, initcap(translate(local, '._', '  ')),
         case when n % 200 = 0 then 'fair' else 'website' end, '2026-03-09'
       from batch order by domain collate "C", local collate "C"
       returning id, local, domain
     )
     insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
     select ${workspaceId}, min(id), max(id), string_agg(local || '@' || domain, E'\\n') from added group by id / ${idsPerBlock}`,
  );
  await client.query(
    `insert into suppressions (workspace_id, local, domain, reason)
     select ${workspaceId}, local, domain, 'bounced' from batch where n % 300 = 0 and state = 0`,
  );
  const suppressed = (state: number) => `count(*) filter (where state = ${state} and n % 300 = 0)`;
  const of = (state: number) => `count(*) filter (where state = ${state})`;
  await client.query(
    domainDeltaStatement(
      workspaceId,
      `select domain collate "C" as domain, ${of(0)} as valid, ${of(1)} as invalid, ${of(2)} as duplicate,
         ${suppressed(0)} as valid_suppressed, 0 as invalid_suppressed, ${suppressed(2)} as duplicate_suppressed
       from batch group by 1`,
      { isImport: true },
    ),
  );
  await client.query('commit');
}

const isPost = `c.local = any(${posts})`;
const isProvider = `c.domain = any(${providers})`;
/** What a verification would say, near enough. About a hundred and twenty profiles. */
const judged = `
  select c.id, abs(hashint8(c.id)::bigint) % 100 as lot, abs(hashint8(c.id + 3)::bigint) as r, c.state,
    case when c.state = 1 then null when ${isPost} then 'role' when ${isProvider} then 'free'
      when c.domain like '%.nhs.uk' then 'nhs' when c.domain like '%.ac.uk' then 'academic'
      when c.domain like '%.gov.uk' then 'government' when c.domain like '%.police.uk' then 'police' else 'corporate' end as kind,
    case when c.domain like '%.uk' then 'uk' when ${isProvider} then 'global'
      when c.domain like '%.fr' or c.domain like '%.de' then 'not_uk' else 'not_uk' end as uk
  from contacts c where c.workspace_id = ${workspaceId}`;
const told = `
  select id, kind, uk,
    case when state = 1 then 'invalid' when lot < 78 then 'valid' when lot < 93 then 'risky' when lot < 98 then 'unknown'
      else 'invalid' end as verdict,
    case when state = 1 then '{syntax}' when lot < 78 then '{}' when lot < 93 then '{plus_tag}' when lot < 98 then '{no_answer}'
      else '{no_such_domain}' end::text[] as reasons,
    (case when state = 1 then 100 when lot < 78 then (r % 3) * 5 when lot < 93 then 20 + (r % 6) * 10 when lot < 98 then 50
      else 95 end)::smallint as risk
  from (${judged}) judged`;

/** Gives the contacts between two shares of the ids a verdict, the oldest first. */
export async function verifyMixed(ownerUrl: string, from: number, to: number): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`set work_mem = '256MB'`);
  await client.query(`set synchronous_commit = off`);
  await client.query(`set app.workspace_id = '${workspaceId}'`);
  const part = `${told} where id > (select max(id) * ${from}::float from contacts) and id <= (select max(id) * ${to}::float from contacts)`;
  await client.query('begin');
  await client.query(`create temporary table told on commit drop as ${part}`);
  await client.query(
    `insert into verdict_profiles (workspace_id, verdict, reasons, risk, kind, uk, contacts)
     select ${workspaceId}, verdict, reasons, risk, kind, uk, count(*) from told group by 2, 3, 4, 5, 6
     on conflict (workspace_id, verdict, reasons, risk, kind, uk)
     do update set contacts = verdict_profiles.contacts + excluded.contacts`,
  );
  await client.query(
    `insert into contact_verifications (workspace_id, contact_id, profile_id, checked_at)
     select ${workspaceId}, t.id, p.id, now() from told t join verdict_profiles p
       on p.workspace_id = ${workspaceId} and p.verdict = t.verdict and p.reasons = t.reasons and p.risk = t.risk
       and p.kind is not distinct from t.kind and p.uk is not distinct from t.uk
     order by t.id`,
  );
  await client.query('commit');
  await client.query('vacuum analyze contact_verifications, verdict_profiles');
  await client.end();
}

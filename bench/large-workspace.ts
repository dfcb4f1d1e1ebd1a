import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { indexRecentBlocks } from '#features/audience/server/index-blocks.ts';
import { idsPerBlock } from '#features/contacts/rules.ts';
import type { Task } from '#features/tasks/contract.ts';
import { openDatabase } from '#platform/server/database.ts';

/** A large workspace to work in, and calls that wait for the tasks they start. */

const inWords = (count: number) => count.toLocaleString('en-GB');

/**
 * In a hundred contacts, 30 are from another country, 20 of one large domain, 3 invalid and 5
 * further copies. Sorted by address within each lot, as imports leave them.
 */
export async function fillWorkspace(
  owner: pg.Client,
  { url, workspaceId, rows }: { url: string; workspaceId: number; rows: number },
): Promise<void> {
  const lot = 500_000;
  await owner.query(`set work_mem = '256MB'`);
  await owner.query('set synchronous_commit = off');
  await owner.query(`set app.workspace_id = '${workspaceId}'`);
  for (let done = 0; done < rows; done += lot) {
    await owner.query(
      `with added as (
         insert into contacts (workspace_id, local, domain, state, name, source)
         select $1::bigint, 'person.' || n,
                case when n % 10 < 3 then 'firma' || n % 20000 || '.de' when n % 5 = 4 then 'megashop.co.uk' else 'shop' || n % 60000 || '.co.uk' end,
                case when n % 100 in (10, 11, 12) then 1 when n % 100 between 20 and 24 then 2 else 0 end,
                'Person ' || n, 'website'
         from generate_series($2::int, $3::int) n order by 3, 2
         returning id, local, domain
       )
       insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
       select $1, min(id), max(id), string_agg(local || '@' || domain, E'\\n') from added group by id / ${idsPerBlock}`,
      [workspaceId, done + 1, Math.min(done + lot, rows)],
    );
    process.stderr.write(`\r${inWords(Math.min(done + lot, rows))} contacts `);
  }
  process.stderr.write('\n');
  await owner.query(
    `insert into suppressions (workspace_id, local, domain, reason)
     select workspace_id, local, domain, 'bounced' from contacts where workspace_id = $1 and id % 300 = 0 and state <> 2
     on conflict do nothing`,
    [workspaceId],
  );
  await owner.query(
    `insert into contact_domains (workspace_id, domain, valid, invalid, duplicate, valid_suppressed, invalid_suppressed,
                                  duplicate_suppressed)
     select $1, c.domain, count(*) filter (where state = 0), count(*) filter (where state = 1),
            count(*) filter (where state = 2), count(*) filter (where state = 0 and s.id is not null),
            count(*) filter (where state = 1 and s.id is not null), count(*) filter (where state = 2 and s.id is not null)
     from contacts c left join suppressions s using (workspace_id, domain, local)
     where workspace_id = $1 group by c.domain`,
    [workspaceId],
  );
  await owner.query(
    `insert into contact_counts (workspace_id, active, suppressed, invalid, duplicate, domains)
     select $1, sum(valid - valid_suppressed), sum(valid_suppressed + invalid_suppressed + duplicate_suppressed),
            sum(invalid - invalid_suppressed), sum(duplicate - duplicate_suppressed), count(*)
     from contact_domains where workspace_id = $1`,
    [workspaceId],
  );
  const db = openDatabase({ url, maxConnections: 2 });
  await indexRecentBlocks(db, { maxBlocks: 4000 });
  await db.close();
  await owner.query('vacuum analyze');
}

/** Makes calls as somebody, and waits for the tasks they start. */
export const callsOf =
  (product: { url: string }, cookie: string) =>
  async (method: string, path: string, body?: object): Promise<Record<string, number>> => {
    const response = await fetch(`${product.url}${path}`, {
      method,
      headers: { cookie, ...(body ? { 'content-type': 'application/json' } : {}), prefer: 'respond-async' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    const answer = (await response.json()) as { taskId?: number } & Record<string, number>;
    if (answer.taskId === undefined) return answer;
    for (;;) {
      const task = (await (
        await fetch(`${product.url}/api/tasks/${answer.taskId}`, { headers: { cookie } })
      ).json()) as Task;
      if (task.status === 'completed') return task.result as Record<string, number>;
      if (task.status === 'failed' || task.status === 'cancelled')
        throw new Error(`${task.title}: ${task.error}`);
      await sleep(200);
    }
  };

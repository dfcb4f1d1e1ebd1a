import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { indexRecentBlocks } from '#features/audience/server/index-blocks.ts';
import { idsPerBlock } from '#features/contacts/rules.ts';

import { domainDeltaStatement } from '#features/rollups/server/rollup-queries.ts';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { startEmbeddedPostgres } from '#platform/server/embedded-postgres.ts';
import { createLogger } from '#platform/server/logging.ts';
import { migrate } from '#platform/server/migrate.ts';
import { addresses } from '#test/support/dirty-data.ts';
import { makeDataDir, removeDataDir } from '#test/support/product.ts';

/** The workspace that holds the contacts. */
export const workspaceId = 1;

export interface Dataset {
  db: Database;
  ownerUrl: string;
  appUrl: string;
  close(): Promise<void>;
}

/** Contacts arrive as from imports of this size, sorted by address within each. */
const importSize = 1_500_000;
const suppressedEvery = 300;

/**
 * A separate server with the product's settings and one workspace of `rows` contacts, searchable
 * and counted. With `keep`, the folder is filled once and reused. Otherwise it is temporary and
 * removed at the end.
 */
export async function openDataset(rows: number, keep?: string): Promise<Dataset> {
  const dataDir = keep ?? makeDataDir();
  const isFilled = existsSync(join(dataDir, 'postgres', 'PG_VERSION'));
  const log = createLogger('warn');
  const server = await startEmbeddedPostgres({ dataDir, log });
  const db = openDatabase({ url: server.appUrl });
  const close = async () => {
    await db.close();
    await server.stop();
    if (keep === undefined) removeDataDir(dataDir);
  };
  try {
    await migrate(server.ownerUrl, { log });
    if (!isFilled) await fill(server.ownerUrl, db, rows);
    return { db, ownerUrl: server.ownerUrl, appUrl: server.appUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fill(ownerUrl: string, db: Database, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`set work_mem = '256MB'`);
  await client.query(`set synchronous_commit = off`);
  await client.query(`set app.workspace_id = '${workspaceId}'`);
  await client.query('create unlogged table fill (address text)');
  const all = addresses(rows);
  for (let done = 0; done < rows; done += importSize) {
    await pipeline(
      Readable.from(lines(all, Math.min(importSize, rows - done))),
      client.query(copyFrom('copy fill from stdin')),
    );
    await saveFill(client);
    await client.query('truncate fill');
    await indexRecentBlocks(db, { maxBlocks: 4000 });
    process.stderr.write(`\r${Math.min(done + importSize, rows).toLocaleString('en-GB')} contacts `);
  }
  process.stderr.write('\n');
  await client.query('drop table fill');
  await client.query('vacuum analyze');
  await client.end();
}

function* lines(all: Generator<string>, count: number): Generator<string> {
  let text = '';
  for (let taken = 0; taken < count; taken++) {
    const { value } = all.next();
    text += `${value}\n`;
    if (text.length > 262_144) {
      yield text;
      text = '';
    }
  }
  yield text;
}

/**
 * What an import leaves: contacts with a few fields, search text, rollups, and suppressions for
 * some of them.
 */
async function saveFill(client: pg.Client): Promise<void> {
  await client.query('begin');
  await client.query(
    `with added as (
       insert into contacts (workspace_id, local, domain, name, source, date)
       select $1, split_part(address, '@', 1), split_part(address, '@', 2) collate "C",
              initcap(translate(split_part(address, '@', 1), '._', '  ')), 'website', '2026-03-09'
       from fill order by 3, 2
       returning id, local, domain
     )
     insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
     select $1, min(id), max(id), string_agg(local || '@' || domain, E'\\n') from added group by id / ${idsPerBlock}`,
    [workspaceId],
  );
  await client.query(
    `insert into suppressions (workspace_id, local, domain, reason)
     select $1, split_part(address, '@', 1), split_part(address, '@', 2), 'bounced'
     from fill where hashtext(address) % ${suppressedEvery} = 0`,
    [workspaceId],
  );
  await client.query(
    domainDeltaStatement(
      workspaceId,
      `select split_part(address, '@', 2) collate "C" as domain, count(*) as valid, 0 as invalid, 0 as duplicate,
              count(*) filter (where hashtext(address) % ${suppressedEvery} = 0) as valid_suppressed,
              0 as invalid_suppressed, 0 as duplicate_suppressed
       from fill group by 1`,
      { isImport: true },
    ),
  );
  await client.query('commit');
}

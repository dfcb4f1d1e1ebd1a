import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// A dump of the database reads every table, the slots of imports too, and holds them all until it
// is through.

let product: TestApp;
let person: SignedIn;
let dump: pg.Client;
let holder: pg.Client;

beforeAll(async () => {
  product = await openTestApp();
  [dump, holder] = [0, 1].map(() => new pg.Client({ connectionString: product.ownerUrl })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([dump.connect(), holder.connect()]);
});
beforeEach(async () => {
  person = await signUp(product.app);
  await allowSeconds(30);
});
afterAll(async () => {
  await Promise.all([dump.end(), holder.end()]);
  await product.close();
});

const allowSeconds = (timeoutSeconds: number) =>
  sql`insert into settings (workspace_id, import)
      values (${person.workspaceId}, ${JSON.stringify({ timeoutSeconds })}::jsonb)`.execute(
    product.owner.system,
  );

const slotTables = [1, 2, 3, 4].flatMap((slot) =>
  ['staging', 'judged', 'sums', 'dead_domains'].map((name) => `import_${name}_${slot}`),
);
const beginDump = () => dump.query(`begin; lock table ${slotTables.join(', ')} in access share mode`);
const endDump = () => dump.query('rollback');

/** As an import leaves rows behind that could not empty its slot at its end. */
async function leaveRows(): Promise<void> {
  for (const slot of [1, 2, 3, 4])
    await holder.query(
      `insert into import_staging_${slot} (line, local, domain, state) values (1, 'left', 'acme.co.uk', 0)`,
    );
}

/** The files of the workspace's imports that are still there. */
const keptFiles = (): string[] =>
  readdirSync(join(product.dataDir, 'files', 'imports', String(person.workspaceId)));

it('is done while a dump runs, without the rows that an earlier import left in its slot', async () => {
  await leaveRows();
  await beginDump();
  try {
    const answer = await importCsv(product.app, person.cookie, 'email\njo@acme.co.uk\nsam@leeds.co.uk\n');
    expect(answer.json()).toMatchObject({ imported: 2, duplicates: 0 });
  } finally {
    await endDump();
  }
});

it('is done when a dump begins after its rows have been staged', async () => {
  await holder.query('begin; lock table contact_search_recent in share mode');
  let importing: ReturnType<typeof importCsv>;
  try {
    importing = importCsv(product.app, person.cookie, 'email\nann@acme.co.uk\n');
    const isHeldUp = async () =>
      (
        await dump.query(
          `select from pg_locks where not granted and relation = 'contact_search_recent'::regclass
             and database = (select oid from pg_database where datname = current_database())`,
        )
      ).rows.length > 0;
    await expect.poll(isHeldUp).toBe(true);
    await beginDump();
  } finally {
    await holder.query('rollback');
  }
  try {
    expect((await importing).json()).toMatchObject({ imported: 1 });
    // Whoever runs an import removes its file after all else.
    expect(keptFiles()).toEqual([]);
  } finally {
    await endDump();
  }
});

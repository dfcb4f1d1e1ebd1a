// Tests of: tracking

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createLinkKeys, messageLinks } from '#features/links/server/index.ts';
import { findRunningPostgres } from '#platform/server/embedded-postgres.ts';
import { makeDataDir, type Product, removeDataDir, startProduct } from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';

// What readers did is in the database before they are answered.

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const secretKey = 'a secret of at least thirty-two characters';
const environment = { SECRET_KEY: secretKey };
let folder: string;
let product: Product;

beforeAll(async () => {
  folder = makeDataDir();
  product = await startProduct(folder, environment);
});
afterAll(async () => {
  await product?.stop();
  removeDataDir(folder);
});

async function query(text: string, values: unknown[] = []): Promise<Record<string, number>> {
  const owner = new pg.Client({ connectionString: (await findRunningPostgres(folder))?.ownerUrl });
  await owner.connect();
  try {
    return (await owner.query(text, values)).rows[0];
  } finally {
    await owner.end();
  }
}

it('no open is lost when the process is killed after its answer, and each is counted once', async () => {
  const { workspaceId } = await signUpAt(product.url);
  const { id: mailingId = 0 } = await query(
    `insert into mailings (workspace_id, kind, status, name, from_name, from_address, subject, html, text, tracks_opens,
       tracks_clicks)
     values ($1, 'campaign', 'completed', 'News', 'Tea', 'news@tea.co.uk', 'News', '', '', true, true)
     returning id::int`,
    [workspaceId],
  );
  await query(
    `insert into sends (workspace_id, mailing_id, id, local, domain, state, handed_at)
     select $1, $2, n, 'reader.' || n, 'tea.co.uk', 'sent', now() - interval '1 hour' from generate_series(1, 50000) n`,
    [workspaceId, mailingId],
  );
  const linksOf = messageLinks(
    { publicUrl: product.url, keys: createLinkKeys([secretKey]) },
    { workspaceId, mailingId, links: [] },
  );
  const answered: number[] = [];
  const readers = 20;
  let next = 0;
  let isOver = false;
  const reading = Array.from({ length: readers }, async () => {
    while (!isOver) {
      const sendId = ++next;
      const answer = await fetch(linksOf(sendId).pixel).catch(() => null);
      if (!answer) return;
      await answer.arrayBuffer().catch(() => undefined);
      answered.push(sendId);
    }
  });
  while (answered.length < 200) await sleep(5);
  product.child.kill('SIGKILL');
  isOver = true;
  await Promise.all(reading);
  product = await startProduct(folder, environment);
  const missing = await query(
    `select count(*)::int as opens from unnest($1::bigint[]) a(id)
     where not exists (select from tracking_events e where e.send_id = a.id)`,
    [answered],
  );
  expect(missing.opens).toBe(0);
  const books = await query(
    `select (select count(*)::int from tracking_events) as events, (select count(*)::int from tracked_sends) as people,
       (select sum(opened)::int from mailing_hours) as opened`,
  );
  expect(books.events).toBeGreaterThanOrEqual(answered.length);
  expect(books.events).toBeLessThanOrEqual(answered.length + readers);
  expect(books).toMatchObject({ people: books.events, opened: books.events });
});

import { recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { each } from '#platform/server/each-workspace.ts';
import type { Log } from '#platform/server/logging.ts';
import type { DnsFacts } from '../rules/facts.ts';
import { signingKey, waitingKey } from '../rules/keys.ts';
import { publishes } from '../rules/tags.ts';
import type { SendersContext } from './context.ts';
import { needDomain } from './present.ts';
import {
  type DomainRow,
  type KeyRow,
  keepFacts,
  markSeen,
  retireOthers,
  selectDomain,
  selectDue,
  selectKeys,
} from './queries.ts';
import { readDns } from './read-dns.ts';

/** Checks that follow each other faster answer what is known. */
const pauseMs = 10_000;

/** Reads DNS for a domain that somebody looks at, unless it has just been read. */
export async function checkNow(context: SendersContext, workspaceId: number, id: number): Promise<void> {
  const { row, keys } = await context.db.asTenant(workspaceId, (tx) => needDomain(tx, workspaceId, id));
  const isNew = keys.some((key) => row.checkedAt === null || key.madeAt > row.checkedAt);
  if (!isNew && row.checkedAt && Date.now() - row.checkedAt.getTime() < pauseMs) return;
  await checkOne(context, workspaceId, row, keys);
}

/** Reads DNS for every domain of a workspace that is due. */
export async function checkDue(
  context: SendersContext,
  workspaceId: number,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  const ids = await context.db.asTenant(workspaceId, (tx) => selectDue(tx, workspaceId));
  const failed = 'A sender domain could not be checked';
  const about = (domainId: number) => ({ workspaceId, domainId });
  await each(ids, { failed, log, signal, about }, async (id) => {
    const found = await context.db.asTenant(workspaceId, async (tx) => ({
      row: await selectDomain(tx, workspaceId, id),
      keys: await selectKeys(tx, workspaceId, [id]),
    }));
    if (found.row) await checkOne(context, workspaceId, found.row, found.keys);
  });
}

/** No transaction is open while name servers think. */
async function checkOne(
  { db, dns, place }: SendersContext,
  workspaceId: number,
  { id, domain }: DomainRow,
  keys: readonly KeyRow[],
): Promise<void> {
  const selectors = keys.map(({ selector }) => selector);
  const facts = await readDns(dns, domain, selectors, place);
  await db.asTenant(workspaceId, async (tx) => {
    const row = await selectDomain(tx, workspaceId, id, { lock: true });
    if (row) await keep(tx, workspaceId, row, facts);
  });
}

/** Keeps what was read. A key whose record has been seen for the first time begins to sign. */
async function keep(tx: TenantTx, workspaceId: number, row: DomainRow, facts: DnsFacts): Promise<void> {
  const keys = await selectKeys(tx, workspaceId, [row.id]);
  const isSeen = ({ selector, publicKey }: KeyRow) =>
    facts.dkim[selector]?.values.some((value) => publishes(value, publicKey)) ?? false;
  const waiting = waitingKey(keys);
  for (const key of keys) if (key.seenAt === null && isSeen(key)) await markSeen(tx, workspaceId, key);
  if (waiting && isSeen(waiting)) {
    await retireOthers(tx, workspaceId, waiting);
    await recordAudit(tx, workspaceId, {
      actor: 'Email Manager',
      action: 'sender_domain.key_taken',
      subject: `sender_domain:${row.id}`,
      details: { name: row.domain, selector: waiting.selector },
    });
  }
  // Whoever has just published something wants to see it soon.
  const isSettled =
    (!waiting || isSeen(waiting)) && keys.some((key) => key === signingKey(keys) && isSeen(key));
  await keepFacts(tx, workspaceId, row.id, { facts, againInHours: isSettled ? 24 : 1 });
}

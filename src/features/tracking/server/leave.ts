import { suppressOneAddress } from '#features/suppressions/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { TrackingContext } from './context.ts';
import { endWish, insertEvents, insertWish, type OpenWish, selectOpenWishes } from './queries.ts';

/**
 * Somebody leaves. The wish is safe once this answers. As a rule it is carried out by then too;
 * while the suppression list is busy, it is carried out within a minute.
 */
export async function leaveBy(
  { db, sends }: TrackingContext,
  workspaceId: number,
  send: { mailingId: number; sendId: number },
): Promise<boolean> {
  const wish = await db.asTenant(workspaceId, async (tx) => {
    const person = await sends()?.find(tx, workspaceId, send);
    if (!person) return null;
    const { local, domain } = person;
    return { ...send, local, domain, id: await insertWish(tx, workspaceId, { ...send, local, domain }) };
  });
  if (wish === null) return false;
  try {
    await carryOut(db, workspaceId, wish);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'internal') throw error;
  }
  return true;
}

async function carryOut(db: Database, workspaceId: number, wish: OpenWish): Promise<void> {
  await db.asTenant(workspaceId, async (tx) => {
    await suppressOneAddress(
      tx,
      { workspaceId, email: null },
      { email: `${wish.local}@${wish.domain}`, reason: 'unsubscribed' },
    );
    if (!(await endWish(tx, workspaceId, wish.id))) return;
    const { mailingId, sendId } = wish;
    const person = { agent: 'person', device: null, isHuman: true, link: null } as const;
    await insertEvents(tx, workspaceId, [{ mailingId, sendId, kind: 'leave', ...person }]);
  });
}

/** Carries out the wishes that had to wait. */
export async function carryOutWishes(db: Database, workspaceId: number): Promise<void> {
  const open = await db.asTenant(workspaceId, (tx) => selectOpenWishes(tx, workspaceId));
  for (const wish of open) await carryOut(db, workspaceId, wish);
}

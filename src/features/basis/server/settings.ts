import { sql } from 'kysely';
import { recordActivity } from '#features/activities/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import { type Basis, bases } from '#features/contacts/contract.ts';
import { selectCounts } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { BasisSettings } from '../contract.ts';
import { codeOf, mailableAtFirst } from '../rules.ts';
import { selectBasisCounts } from './count-queries.ts';

/** Which bases a workspace mails. */
export async function readMailable(tx: TenantTx, workspaceId: number): Promise<Basis[]> {
  const { rows } = await sql<{ mailable: number[] }>`
    select mailable from basis_settings where workspace_id = ${workspaceId}`.execute(tx);
  const chosen = rows[0]?.mailable;
  return chosen ? bases.filter((basis) => chosen.includes(codeOf(basis))) : [...mailableAtFirst];
}

/** What is chosen, with the number of contacts of each basis. */
export async function readBasisSettings(tx: TenantTx, workspaceId: number): Promise<BasisSettings> {
  const mailable = await readMailable(tx, workspaceId);
  const known = await selectBasisCounts(tx, workspaceId);
  const { total } = await selectCounts(tx, workspaceId);
  const unknown = total - Object.values(known).reduce((sum, contacts) => sum + contacts, 0);
  return { mailable, contacts: { ...known, unknown: Math.max(0, unknown) } };
}

/**
 * Chooses which bases may be mailed. Choosing the same again records nothing. Throws
 * `changed_meanwhile` when others are mailed by now than the caller has seen.
 */
export async function changeMailable(
  tx: TenantTx,
  workspaceId: number,
  actor: string,
  mailable: readonly Basis[],
  seen?: readonly Basis[],
): Promise<BasisSettings> {
  await sql`
    insert into basis_settings (workspace_id, mailable) values (${workspaceId}, ${mailableAtFirst.map(codeOf)}::smallint[])
    on conflict (workspace_id) do update set workspace_id = excluded.workspace_id`.execute(tx);
  const before = await readMailable(tx, workspaceId);
  if (before.join() !== mailable.join()) {
    if (seen && before.join() !== seen.join()) throw changedMeanwhile();
    await sql`
      update basis_settings set mailable = ${mailable.map(codeOf)}::smallint[] where workspace_id = ${workspaceId}`.execute(
      tx,
    );
    await recordAudit(tx, workspaceId, {
      actor,
      action: 'settings.changed',
      subject: 'settings:basis',
      details: { changes: { mailable: { from: before, to: mailable } } },
    });
    await recordActivity(tx, workspaceId, {
      action: 'Settings Updated',
      details: 'Whom you may mail was changed',
      status: 'completed',
      icon: 'settings',
      iconColor: 'primary',
      actor,
    });
  }
  return readBasisSettings(tx, workspaceId);
}

const changedMeanwhile = () =>
  new AppError(
    'changed_meanwhile',
    'Somebody has changed whom you may mail since you looked at it. Nothing was saved.',
  );

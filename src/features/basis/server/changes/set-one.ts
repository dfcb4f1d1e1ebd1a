import { sql } from 'kysely';
import { recordActivity } from '#features/activities/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import { holdRemovals } from '#features/bin/server/index.ts';
import type { Contact } from '#features/contacts/contract.ts';
import { findContact } from '#features/contacts/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { SaidBasis } from '../../contract.ts';
import { basisLabels } from '../../rules.ts';
import { holdBases } from '../count-queries.ts';
import { closeChange, openChange } from './change-queries.ts';
import { sayBases } from './piece-queries.ts';
import { refuseUntrue } from './said.ts';

/**
 * Says the basis of one contact. Saying the same again leaves no trace. Throws `changed_meanwhile`
 * when something else is said of it by now than the caller has seen.
 */
export async function setOne(
  tx: TenantTx,
  workspaceId: number,
  caller: Caller,
  id: number,
  { expected, ...said }: SaidBasis & { expected?: SaidBasis | undefined },
): Promise<Contact> {
  refuseUntrue(said);
  await holdRemovals(tx, workspaceId);
  await holdBases(tx, workspaceId);
  const { address, marketing } = await findContact(tx, workspaceId, id);
  if (expected && !isSame(marketing, expected) && !isSame(marketing, said)) throw changedMeanwhile(marketing);
  const actor = caller.email;
  const how = caller.key ? 'api' : 'hand';
  const changeId = await openChange(tx, workspaceId, { ...said, how, changedBy: actor });
  const chosen = sql`select ${id}::bigint as id`;
  await sayBases(tx, workspaceId, { ...said, changeId, chosen, onlyUnknown: false, isWhole: true });
  if ((await closeChange(tx, workspaceId, changeId)) > 0) {
    await recordAudit(tx, workspaceId, {
      actor,
      action: 'contact.basis_set',
      subject: `contact:${id}`,
      details: { email: address, marketingBasis: said.basis },
    });
    await recordActivity(tx, workspaceId, {
      action: 'Email Changed',
      details: `${address}: marketing basis ${basisLabels[said.basis].toLowerCase()}`,
      status: 'completed',
      icon: 'pencil',
      iconColor: 'primary',
      actor,
      subject: `contact-basis:${id}`,
      notify: false,
    });
  }
  return findContact(tx, workspaceId, id);
}

const isSame = (one: SaidBasis, other: SaidBasis): boolean =>
  one.basis === other.basis &&
  (one.source || null) === (other.source || null) &&
  (one.givenOn ?? null) === (other.givenOn ?? null);

const changedMeanwhile = ({ basis }: SaidBasis) =>
  new AppError(
    'changed_meanwhile',
    `Somebody has changed the marketing basis of this contact since you looked at it: ` +
      `${basisLabels[basis].toLowerCase()}. Nothing was saved.`,
  );

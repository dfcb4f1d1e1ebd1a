import { sql } from 'kysely';
import { recordAudit } from '#features/audit/server/index.ts';
import { type TenantTx, tenantStatement } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { attemptsPrefix, endEmailChanges, resetPrefix, secondStepPrefix, trustPrefix } from './proofs.ts';
import { type Db, deleteProofs, deleteSecondSteps } from './queries.ts';
import { deleteSession, deleteSessions } from './session-queries.ts';
import {
  type AccountRow,
  isSuspended,
  selectAccount,
  selectWorkspaceIdsOf,
  updateEmail,
} from './user-queries.ts';

/** What somebody does with their account concerns every workspace they can get into. */
export async function recordForUser(
  db: Db,
  userId: number,
  line: { actor: string; action: string; details?: Record<string, unknown> },
): Promise<void> {
  for (const workspaceId of await selectWorkspaceIdsOf(db, userId)) {
    await sql.raw(tenantStatement(workspaceId)).execute(db);
    await recordAudit(db as TenantTx, workspaceId, { ...line, subject: `user:${userId}` });
  }
}

/** The account of the signed-in user. */
export async function accountOf(db: Db, userId: number): Promise<AccountRow> {
  const account = await selectAccount(db, userId);
  if (!account) throw new AppError('unauthenticated', 'Please sign in.');
  return account;
}

/**
 * Gives a user a proven address. Password links sent to the old address stop working, and so do
 * links that would give the user yet another one.
 */
export async function giveEmail(tx: Db, userId: number, email: string): Promise<void> {
  await updateEmail(tx, userId, email);
  await deleteProofs(tx, resetPrefix, userId);
  await endEmailChanges(tx, userId);
}

/**
 * Ends a user's sessions except the one to keep (null: all of them), and what was begun in them:
 * devices that need no second factor are forgotten, and links to another address stop working. So
 * do sign-ins that wait for their second step. Returns how many sessions ended.
 */
export async function endSessions(tx: Db, userId: number, keepId: number | null): Promise<number> {
  await endEmailChanges(tx, userId);
  await endSteps(tx, userId);
  return deleteSessions(tx, userId, keepId);
}

/** Ends what spares a user the password or the second factor at the next step of signing in. */
export async function endSteps(tx: Db, userId: number): Promise<void> {
  await deleteProofs(tx, trustPrefix, userId);
  await deleteSecondSteps(tx, { prefix: secondStepPrefix, attempts: attemptsPrefix }, userId);
}

/**
 * Ends one of a user's sessions, and the links to another address, which may have been asked for in
 * it. False when it had ended already.
 */
export async function endSession(tx: Db, userId: number, id: number): Promise<boolean> {
  await endEmailChanges(tx, userId);
  return deleteSession(tx, userId, id);
}

/** Told only to somebody who has given the right password. */
export async function refuseSuspended(db: Db, userId: number): Promise<void> {
  if (!(await isSuspended(db, userId))) return;
  throw new AppError(
    'forbidden',
    'This account is suspended. Please ask the administrator of this installation why, and whether it can be opened again.',
  );
}

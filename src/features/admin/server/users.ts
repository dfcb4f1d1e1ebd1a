import { freePlan } from '#features/sign-in/rules/plan.ts';
import { splitName } from '#features/sign-in/rules.ts';
import { endSessions, liftSuspension, recordForUser, suspend } from '#features/sign-in/server/index.ts';
import type { Database, SystemDb } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { AdminUser } from '../contract.ts';
import { recordAction } from './actions.ts';
import {
  countUsers,
  selectUser,
  selectUserFigures,
  selectUsers,
  selectWorkspaceNames,
  type UserFilter,
  type UserRow,
} from './user-queries.ts';

/*
 * What the installation's administrator sees and does about its people.
 *
 * A suspended account cannot begin a session, and the transaction that suspends it deletes all its
 * sessions. A sign-in at that very moment may still write a session, so session look-ups exclude
 * suspended accounts.
 */

/** For every plan: how many have it now, and how many had it at that moment. */
export async function planCounts(
  db: SystemDb,
  at: Date,
): Promise<{ planId: string; users: number; usersThen: number }[]> {
  const { users, newUsers } = await selectUserFigures(db, at);
  return [{ planId: freePlan, users, usersThen: users - newUsers }];
}

/** Who asks, so that they find themselves among the users. */
type Asking = Pick<Caller, 'userId'>;

export async function newestUsers(db: SystemDb, count: number, caller: Asking): Promise<AdminUser[]> {
  const rows = await selectUsers(db, { search: '', status: undefined }, { skip: 0, take: count });
  return rows.map((row) => shown(row, caller));
}

export async function usersLike(
  db: SystemDb,
  { page, ...filter }: UserFilter & { page: { skip: number; take: number } },
  caller: Asking,
): Promise<{ items: AdminUser[]; totalCount: number }> {
  const rows = await selectUsers(db, filter, page);
  return { items: rows.map((row) => shown(row, caller)), totalCount: await countUsers(db, filter) };
}

/** The names of workspaces by id. */
export async function workspaceNames(db: SystemDb, ids: readonly number[]): Promise<Map<number, string>> {
  return new Map((await selectWorkspaceNames(db, [...new Set(ids)])).map(({ id, name }) => [id, name]));
}

/** Closes an account and ends all its sessions. */
export function suspendAccount(
  { system }: Database,
  id: number,
  reason: string | null,
  caller: Caller,
): Promise<AdminUser> {
  return system.transaction().execute(async (tx) => {
    const user = await needUser(tx, id);
    if (String(id) === caller.userId) throw new AppError('conflict', 'You cannot suspend your own account.');
    if (!(await suspend(tx, id, { by: caller.email, reason })))
      throw new AppError('conflict', `${user.email} is suspended already.`);
    const sessionsEnded = await endSessions(tx, id, null);
    const details = { email: user.email, reason, sessionsEnded };
    await keep(tx, user, caller, { own: 'user.suspended', theirs: 'account.suspended', details });
    return shown(await needUser(tx, id), caller);
  });
}

export function liftFromAccount({ system }: Database, id: number, caller: Caller): Promise<AdminUser> {
  return system.transaction().execute(async (tx) => {
    const user = await needUser(tx, id);
    if (!(await liftSuspension(tx, id))) throw new AppError('conflict', `${user.email} is not suspended.`);
    await keep(tx, user, caller, {
      own: 'user.suspension_lifted',
      theirs: 'account.suspension_lifted',
      details: { email: user.email },
    });
    return shown(await needUser(tx, id), caller);
  });
}

/** Answers how many sessions ended. */
export function signOutEverywhere({ system }: Database, id: number, caller: Caller): Promise<number> {
  return system.transaction().execute(async (tx) => {
    const user = await needUser(tx, id);
    const sessionsEnded = await endSessions(tx, id, null);
    await keep(tx, user, caller, {
      own: 'user.signed_out_everywhere',
      theirs: 'account.signed_out_everywhere',
      details: { email: user.email, sessionsEnded },
    });
    return sessionsEnded;
  });
}

/**
 * Recorded for the administrator, and in the audit log of every workspace that the person can
 * enter.
 */
async function keep(
  tx: SystemDb,
  { id }: UserRow,
  caller: Caller,
  { own, theirs, details }: { own: string; theirs: string; details: Record<string, unknown> },
): Promise<void> {
  await recordAction(tx, caller, { action: own, subject: `user:${id}`, details });
  await recordForUser(tx, id, { actor: caller.email, action: theirs, details });
}

async function needUser(db: SystemDb, id: number): Promise<UserRow> {
  const user = await selectUser(db, id);
  if (!user) throw new AppError('not_found', 'There is no such user.');
  return user;
}

function shown(user: UserRow, caller: Asking): AdminUser {
  const { suspendedAt, suspendedBy, suspensionReason } = user;
  return {
    id: String(user.id),
    ...splitName(user.name),
    email: user.email,
    currentPlan: freePlan,
    createdAt: user.createdAt.toISOString(),
    status: suspendedAt === null ? 'active' : 'suspended',
    suspension:
      suspendedAt === null
        ? null
        : { at: suspendedAt.toISOString(), by: suspendedBy ?? '', reason: suspensionReason },
    emailVerified: user.emailVerified,
    twoFactor: user.twoFactor,
    workspaces: user.workspaces,
    lastSeen: user.lastSeenAt?.toISOString() ?? null,
    sessions: user.sessions,
    isYou: String(user.id) === caller.userId,
  };
}

import type { Database } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { splitName } from '../rules.ts';
import { recordForUser } from './account.ts';
import { deleteProofs, deleteSessions } from './account-queries.ts';
import {
  countUsers,
  liftSuspension,
  markSuspended,
  selectUser,
  selectUserFigures,
  selectUsers,
  selectWorkspaceNames,
  type UserFigures,
  type UserFilter,
  type UserRow,
} from './administration-queries.ts';
import type { AuthDatabase } from './auth-database.ts';
import { trustPrefix } from './mailed-links.ts';
import { freePlan } from './plan.ts';
import type { Db } from './queries.ts';

/*
 * What the administrator of the installation sees and does about the people in it.
 *
 * A suspended account cannot begin a session (`refuseSuspended` in suspension.ts), and every session it has is deleted in the transaction that
 * suspends it. A sign-in at that very moment may still write its session: looking sessions up leaves the suspended out.
 */

export interface AdministeredUser extends Omit<UserRow, 'name'> {
  firstName: string;
  lastName: string;
  name: string;
  currentPlan: string;
}

/** Who acts, and what they want kept of it: written in the transaction of the act. */
export interface AdministratorAct {
  actor: { userId: string; email: string };
  record: (tx: Db, what: { subject: string; details: Record<string, unknown> }) => Promise<void>;
}

export interface UserAdministration {
  figures(monthStart: Date): Promise<UserFigures>;
  /** Of every plan: how many have it now, and how many had it at that moment. */
  planCounts(at: Date): Promise<{ planId: string; users: number; usersThen: number }[]>;
  newest(count: number): Promise<AdministeredUser[]>;
  find(
    filter: UserFilter,
    page: { skip: number; take: number },
  ): Promise<{ items: AdministeredUser[]; totalCount: number }>;
  suspend(id: number, reason: string | null, act: AdministratorAct): Promise<AdministeredUser>;
  lift(id: number, act: AdministratorAct): Promise<AdministeredUser>;
  /** The names of workspaces by id. */
  workspaceNames(ids: readonly number[]): Promise<Map<number, string>>;
  /** Answers how many sessions ended. */
  signOutEverywhere(id: number, act: AdministratorAct): Promise<number>;
}

export function createUserAdministration(database: Database, auth: AuthDatabase): UserAdministration {
  const db = database.system;
  return {
    figures: (monthStart) => selectUserFigures(db, monthStart),
    async planCounts(at) {
      const { users, newUsers } = await selectUserFigures(db, at);
      return [{ planId: freePlan, users, usersThen: users - newUsers }];
    },
    newest: async (count) =>
      (await selectUsers(db, { search: '', status: undefined }, { skip: 0, take: count })).map(shown),
    find: async (filter, page) => ({
      items: (await selectUsers(db, filter, page)).map(shown),
      totalCount: await countUsers(db, filter),
    }),
    workspaceNames: async (ids) =>
      new Map((await selectWorkspaceNames(db, [...new Set(ids)])).map(({ id, name }) => [id, name])),
    suspend: (id, reason, act) =>
      auth.transaction().execute(async (tx) => {
        const user = await needUser(tx, id);
        if (String(id) === act.actor.userId)
          throw new AppError('conflict', 'You cannot suspend your own account.');
        if (!(await markSuspended(tx, id, { by: act.actor.email, reason })))
          throw new AppError('conflict', `${user.email} is suspended already.`);
        const sessionsEnded = await endSessions(tx, id);
        const details = { email: user.email, reason, sessionsEnded };
        await keep(tx, id, 'account.suspended', details, act);
        return shown(await needUser(tx, id));
      }),
    lift: (id, act) =>
      auth.transaction().execute(async (tx) => {
        const user = await needUser(tx, id);
        if (!(await liftSuspension(tx, id)))
          throw new AppError('conflict', `${user.email} is not suspended.`);
        await keep(tx, id, 'account.suspension_lifted', { email: user.email }, act);
        return shown(await needUser(tx, id));
      }),
    signOutEverywhere: (id, act) =>
      auth.transaction().execute(async (tx) => {
        const user = await needUser(tx, id);
        const sessionsEnded = await endSessions(tx, id);
        await keep(tx, id, 'account.signed_out_everywhere', { email: user.email, sessionsEnded }, act);
        return sessionsEnded;
      }),
  };
}

/** Devices that need no second factor are forgotten too. */
async function endSessions(tx: Db, id: number): Promise<number> {
  await deleteProofs(tx, trustPrefix, id);
  return deleteSessions(tx, id, null);
}

/** In the administrator's own record, and in the audit log of every workspace that the person can get into. */
async function keep(
  tx: Db,
  id: number,
  action: string,
  details: Record<string, unknown>,
  { actor, record }: AdministratorAct,
): Promise<void> {
  await record(tx, { subject: `user:${id}`, details });
  await recordForUser(tx, id, { actor: actor.email, action, details });
}

async function needUser(db: Db, id: number): Promise<UserRow> {
  const user = await selectUser(db, id);
  if (!user) throw new AppError('not_found', 'There is no such user.');
  return user;
}

const shown = (row: UserRow): AdministeredUser => ({
  ...row,
  ...splitName(row.name),
  currentPlan: freePlan,
});

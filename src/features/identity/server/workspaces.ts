import type { Log } from '#platform/server/logging.ts';
import { workspaceName } from '../rules.ts';
import type { AuthDatabase } from './auth-database.ts';
import { findWorkspaceOf, insertWorkspace, lockUser } from './queries.ts';

/**
 * Called once a new workspace is committed, to lay out what it begins with. A process that dies in that moment never
 * calls it, so whatever it makes must also be made when first needed.
 */
export type WorkspaceCreated = (workspaceId: number, userId: number) => Promise<void> | void;

export interface Workspaces {
  /** The workspace this user works in; makes one when they belong to none. */
  ensureFor(userId: number): Promise<number>;
  /** Tells the rest of the product of a workspace that was committed. Never throws. */
  announce(workspaceId: number, userId: number): Promise<void>;
}

export function createWorkspaces(
  db: AuthDatabase,
  log: Log,
  onWorkspaceCreated: WorkspaceCreated | undefined,
): Workspaces {
  const announce: Workspaces['announce'] = async (workspaceId, userId) => {
    try {
      await onWorkspaceCreated?.(workspaceId, userId);
    } catch (error) {
      // The workspace stands and its owner is at the door: turning them away would help nobody.
      log.error({ err: error, workspaceId }, 'a new workspace could not be laid out');
    }
  };
  return {
    announce,
    ensureFor: (userId) =>
      db.together(async (transaction, afterCommit) => {
        const existing = await findWorkspaceOf(transaction, userId);
        if (existing !== null) return existing;
        const user = await lockUser(transaction, userId);
        if (!user) throw new Error(`there is no user ${userId} to make a workspace for`);
        // Somebody else may have made it while this call waited for the lock.
        const made = await findWorkspaceOf(transaction, userId);
        if (made !== null) return made;
        const workspaceId = await insertWorkspace(transaction, workspaceName(user), userId);
        afterCommit.push(() => announce(workspaceId, userId));
        return workspaceId;
      }),
  };
}

import { sql } from 'kysely';
import { recordAudit } from '#features/audit/server/index.ts';
import { workspaceName } from '#features/sign-in/rules/workspace-name.ts';
import type { Workplaces } from '#features/sign-in/server/index.ts';
import { type Database, type TenantTx, tenantStatement } from '#platform/server/database.ts';
import type { Log } from '#platform/server/logging.ts';
import { endAccessGiven } from './end-access.ts';
import { hasPendingInvitation } from './invitation-queries.ts';
import { markAtWork } from './member-queries.ts';
import { findWorkspaceOf, insertWorkspace, lockPerson } from './workspace-queries.ts';

/**
 * Called once a new workspace is committed, to create its initial content. A process that dies at
 * that moment never calls it, so everything it makes must also be made when first needed.
 */
export type WorkspaceCreated = (workspaceId: number, userId: number) => Promise<void> | void;

export interface Workspaces extends Workplaces {
  /** Tells the rest of the product about a committed workspace. Never throws. */
  announce(workspaceId: number, userId: number): Promise<void>;
}

/** The workspaces in the form that signing in needs: everybody who comes in has one. */
export function createWorkspaces(log: Log, onWorkspaceCreated?: WorkspaceCreated): Workspaces {
  const announce: Workspaces['announce'] = async (workspaceId, userId) => {
    try {
      await onWorkspaceCreated?.(workspaceId, userId);
    } catch (error) {
      // The workspace exists and its owner is coming in. Turning them away would help nobody.
      log.error({ err: error, workspaceId }, 'a new workspace could not be laid out');
    }
  };
  return {
    announce,
    markAtWork,
    isInvited: hasPendingInvitation,
    endAccessGiven,
    async ensureFor(tx, userId, { name, afterCommit }) {
      const existing = await findWorkspaceOf(tx, userId);
      if (existing !== null) return existing;
      const person = await lockPerson(tx, userId);
      if (!person) throw new Error(`there is no user ${userId} to make a workspace for`);
      // Somebody else may have made it while this call waited for the lock.
      const made = await findWorkspaceOf(tx, userId);
      if (made !== null) return made;
      const workspaceId = await insertWorkspace(tx, name ?? workspaceName(person), userId);
      afterCommit.push(() => announce(workspaceId, userId));
      return workspaceId;
    },
  };
}

/**
 * Makes another workspace for somebody, with the first line of its audit log. Call `announce`
 * afterwards.
 */
export function makeWorkspace(
  db: Database,
  { name, userId, actor }: { name: string; userId: number; actor: string },
): Promise<number> {
  return db.system.transaction().execute(async (tx) => {
    const made = await insertWorkspace(tx, name, userId);
    await sql.raw(tenantStatement(made)).execute(tx);
    await recordAudit(tx as TenantTx, made, {
      actor,
      action: 'workspace.created',
      subject: 'workspace',
      details: { name },
    });
    return made;
  });
}

import type { AuthDatabase } from './auth-database.ts';
import type { Db } from './queries.ts';

/**
 * What signing in needs from the feature that keeps workspaces: everybody who is signed in has one.
 * That feature is above this one, so `apps/` passes it in.
 */
export interface Workplaces {
  /**
   * The workspace this person works in. If they belong to none, makes one in this transaction, with
   * this name, or one that fits the person. Functions it adds to `afterCommit` run once the
   * transaction is committed.
   */
  ensureFor(
    tx: Db,
    userId: number,
    making: { name: string | null; afterCommit: (() => Promise<void>)[] },
  ): Promise<number>;
  /** Notes that a person was at work in this workspace just now. */
  markAtWork(db: Db, userId: number, workspaceId: number): Promise<void>;
  /**
   * Ends what this person has given out: the API keys that act for them, and open invitations.
   * Returns what that was, and who else belongs to their workspaces.
   */
  endAccessGiven(db: Db, person: { userId: number; email: string }): Promise<EndedAccess>;
  /** Whether this address has an open invitation. */
  isInvited(db: Db, email: string): Promise<boolean>;
}

export interface EndedAccess {
  apiKeys: number;
  invitations: number;
  /** The workspaces of the person in which others work as well, with their addresses. */
  shared: readonly { workspace: string; others: readonly string[] }[];
}

/** The workspace this person works in, in this call's transaction if there is one. */
export const ensureWorkplace = (
  db: AuthDatabase,
  workplaces: Workplaces,
  userId: number,
  name: string | null = null,
): Promise<number> =>
  db.together((tx, afterCommit) => workplaces.ensureFor(tx, userId, { name, afterCommit }));

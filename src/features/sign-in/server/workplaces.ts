import type { AuthDatabase } from './auth-database.ts';
import type { Db } from './queries.ts';

/**
 * What signing in asks of the feature that keeps workspaces: everybody who is signed in is at work
 * in one. That feature stands above this one, so `apps/` hands it in.
 */
export interface Workplaces {
  /**
   * The workspace this person works in; makes one, in this transaction, when they belong to none.
   * What it adds to `afterCommit` runs once the transaction is committed.
   */
  ensureFor(tx: Db, userId: number, afterCommit: (() => Promise<void>)[]): Promise<number>;
  /** Notes that a person was at work in this workspace just now. */
  markAtWork(db: Db, userId: number, workspaceId: number): Promise<void>;
  /** Whether somebody asked this address to join and still waits for the answer. */
  isInvited(db: Db, email: string): Promise<boolean>;
}

/** The workspace this person works in, in the transaction of this call where one is under way. */
export const ensureWorkplace = (db: AuthDatabase, workplaces: Workplaces, userId: number): Promise<number> =>
  db.together((tx, afterCommit) => workplaces.ensureFor(tx, userId, afterCommit));

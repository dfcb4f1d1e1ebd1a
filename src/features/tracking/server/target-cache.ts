import type { Target } from '#features/links/rules/targets.ts';
import type { Database } from '#platform/server/database.ts';
import { selectTargets } from './target-queries.ts';

type Targets = ReadonlyMap<number, Target>;

/** Mailings that are kept. Few are clicked in at the same time. */
const most = 500;

/**
 * The targets of mailings, from memory as a rule: they never change once they are written, and a
 * mail to a million is clicked in many times a second.
 */
export class TargetCache {
  readonly #db: Database;
  readonly #kept = new Map<string, Promise<Targets>>();

  constructor(db: Database) {
    this.#db = db;
  }

  get(workspaceId: number, mailingId: number): Promise<Targets> {
    const key = `${workspaceId}/${mailingId}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const found = this.#db.asTenant(workspaceId, (tx) => selectTargets(tx, workspaceId, mailingId));
    this.#kept.set(key, found);
    const forget = () => this.#kept.delete(key);
    // A mailing without links may be one that is not committed yet.
    found.then((targets) => targets.size === 0 && forget(), forget);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > most && oldest !== undefined) this.#kept.delete(oldest);
    return found;
  }
}

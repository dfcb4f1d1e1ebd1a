import { Counter, type Registry } from 'prom-client';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { Log } from '#platform/server/logging.ts';
import { lockParts } from '../part-queries.ts';
import { mendFigures, noteReconciled, selectPartsOf, selectUnreconciled } from './book-queries.ts';

/** Parts that are compared in one transaction: some 25,000 sends at most. */
const partsAtOnce = 50;
/** Transactional mailings that are compared together. Each has a part or two. */
const mailingsAtOnce = 50;

/**
 * Compares the figures of parts with the sends that they stand for. They are written in the same
 * statements, so a difference is an error of the product: it is corrected, logged and counted.
 */
export class Books {
  readonly #log: Log;
  readonly #corrected: Counter;

  constructor(log: Log, registry: Registry) {
    this.#log = log;
    this.#corrected = new Counter({
      name: 'send_figures_corrected_total',
      help: 'Parts of mailings whose figures differed from their sends and were corrected',
      registers: [registry],
    });
  }

  /** Compares parts that the transaction has locked. */
  async reconcile(tx: TenantTx, workspaceId: number, parts: readonly number[]): Promise<void> {
    for (const { id, mailingId, was, is } of await mendFigures(tx, workspaceId, parts)) {
      this.#corrected.inc();
      this.#log.error({ workspaceId, mailing: mailingId, part: id, was, is }, 'figures were corrected');
    }
  }

  /** Compares the mailings of a workspace that have ended since the last time, piece by piece. */
  async reconcileEnded(db: Database, workspaceId: number, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const { mailings, parts } = await db.asTenant(workspaceId, async (tx) => {
        const found = await selectUnreconciled(tx, workspaceId, mailingsAtOnce);
        const large = found.findIndex(({ kind }) => kind === 'campaign');
        // A campaign is compared for itself: it may have ten thousand parts.
        const mailings = found.slice(0, large === -1 ? found.length : Math.max(1, large)).map(({ id }) => id);
        return { mailings, parts: await selectPartsOf(tx, workspaceId, mailings) };
      });
      if (mailings.length === 0) return;
      for (let from = 0; from < parts.length; from += partsAtOnce) {
        signal?.throwIfAborted();
        const piece = parts.slice(from, from + partsAtOnce);
        await db.asTenant(workspaceId, async (tx) => {
          await lockParts(tx, workspaceId, piece);
          await this.reconcile(tx, workspaceId, piece);
        });
      }
      await db.asTenant(workspaceId, (tx) => noteReconciled(tx, workspaceId, mailings));
    }
  }
}

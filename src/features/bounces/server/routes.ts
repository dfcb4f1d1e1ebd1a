import type { TrackedSends } from '#features/tracking/server/index.ts';
import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import { answersCall, type Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import type { BounceBook } from './bounces.ts';
import { countMails, selectMails } from './mails/mail-queries.ts';
import { needMail, readByHand, shownMails } from './mails/review.ts';

/** More than anybody counts. */
const mostCounted = 10_000;

export interface BounceRoutes {
  db: Database;
  book: BounceBook;
  sends: () => TrackedSends | undefined;
}

export function registerBounces(router: Router, { db, book, sends }: BounceRoutes): void {
  router.handle(contract.listBounceMails, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, async (tx) => {
      const { state, limit } = query;
      const isOpen = state === 'open';
      const scope = { workspaceId, list: 'bounce mails', of: { state } };
      const { after } = placeById(scope, { ...query, page: 1 });
      const found = await selectMails(tx, workspaceId, { isOpen, after, limit: limit + 1 });
      const { rows, nextCursor } = pageOfRows(scope, found, limit);
      return {
        items: await shownMails(tx, sends(), workspaceId, rows),
        totalCount: await countMails(tx, workspaceId, isOpen, mostCounted),
        nextCursor,
      };
    }),
  );
  router.handle(contract.showBounceMail, ({ workspaceId, params: { id } }) =>
    db.asTenant(workspaceId, async (tx) => {
      const row = await needMail(tx, workspaceId, id);
      const [shown] = await shownMails(tx, sends(), workspaceId, [row]);
      return { ...(shown as contract.BounceMail), source: row.source };
    }),
  );
  router.handle(contract.readBounceMail, async ({ workspaceId, caller: { email }, params: { id }, body }) => {
    const shown = await db.asTenant(
      workspaceId,
      async (tx) => {
        const row = await readByHand(tx, { workspaceId, email }, book, id, body.as);
        const [shown] = await shownMails(tx, sends(), workspaceId, [row]);
        return shown as contract.BounceMail;
      },
      answersCall,
    );
    book.wake(workspaceId);
    return shown;
  });
}

import { reasonInWords } from '#features/sending/rules/reason-words.ts';
import type { TrackedSends } from '#features/tracking/server/index.ts';
import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import type { Router } from '#platform/server/http.ts';
import { mayToo } from '#platform/server/may-too.ts';
import { AppError } from '#platform/shared/errors.ts';
import * as contract from '../contract.ts';
import { countMessages, type MessageRow, selectMessage, selectMessages } from './queries.ts';
import { sendMessages, type TransactionalContext } from './send-messages.ts';

/** More than anybody counts. */
const mostCounted = 10_000;

const shown = ({ id, batch, to, subject, state, reason, notice, createdAt, endedAt }: MessageRow) => ({
  ...{ id, batch, to, subject },
  state: (state === 'handed' ? 'pending' : state) as contract.MessageState,
  // What has an answer does not wait for the others of its call.
  reason: reason === null ? (endedAt === null ? notice : null) : reasonInWords(reason),
  createdAt: createdAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
});

export function registerTransactional(
  router: Router,
  context: TransactionalContext & { sends: () => TrackedSends | undefined },
): void {
  const { db, sending, sends } = context;
  router.handle(contract.sendMessages, async ({ workspaceId, caller, body }) => {
    const answer = await sendMessages(context, { workspaceId, createdBy: caller.email }, body);
    sending.wake();
    return answer;
  });
  router.handle(contract.listSent, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, async (tx) => {
      const { limit } = query;
      const filter = { search: query.search || null, state: query.state ?? null, batch: query.batch ?? null };
      const scope = { workspaceId, list: 'transactional messages', of: filter };
      const { after } = placeById(scope, { ...query, page: 1 });
      const found = await selectMessages(tx, workspaceId, filter, { after, limit: limit + 1 });
      const { rows, nextCursor } = pageOfRows(scope, found, limit);
      const totalCount = await countMessages(tx, workspaceId, filter, mostCounted);
      return { items: rows.map(shown), totalCount, nextCursor };
    }),
  );
  router.handle(contract.showSent, ({ workspaceId, caller, params: { id } }) =>
    db.asTenant(workspaceId, async (tx) => {
      const row = await selectMessage(tx, workspaceId, id);
      if (!row) throw new AppError('not_found', 'This message is not in the log any more.');
      const { batch: mailingId, sendId, reply, attempts } = row;
      const page = mayToo(caller, contract.readsContent)
        ? await sends()?.page(tx, workspaceId, { mailingId, sendId })
        : null;
      return { ...shown(row), html: page ?? null, reply, attempts };
    }),
  );
}

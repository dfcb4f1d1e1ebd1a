import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import PostalMime from 'postal-mime';
import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { Caller, Router } from '#platform/server/http.ts';
import { needScope } from '#platform/server/may-too.ts';
import { AppError } from '#platform/shared/errors.ts';
import { downloadKeptMessage, listKeptMessages, showKeptMessage } from '../../contract.ts';
import { withoutPixel } from '../engine/links.ts';
import { countKept, type KeptRow, selectKept, selectKeptMessage } from './message-queries.ts';

const decompress = promisify(zstdDecompress);
/** More than anybody counts. */
const mostCounted = 100_000;

const shown = ({ createdAt, ...row }: KeptRow) => ({ ...row, createdAt: createdAt.toISOString() });

export function registerOutbox(
  router: Router,
  db: Database,
  hasMailServer: (tx: TenantTx, workspaceId: number) => Promise<boolean>,
): void {
  router.handle(listKeptMessages, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, async (tx) => {
      const filter = { search: query.search || null, mailingId: query.mailingId ?? null };
      const scope = { workspaceId, list: 'kept messages', of: filter };
      const { after } = placeById(scope, { ...query, page: 1 });
      const found = await selectKept(tx, workspaceId, { ...filter, after, limit: query.limit + 1 });
      const { rows, nextCursor } = pageOfRows(scope, found, query.limit);
      const totalCount = await countKept(tx, workspaceId, filter, mostCounted);
      return {
        ...{ items: rows.map(shown), totalCount, nextCursor },
        hasMailServer: await hasMailServer(tx, workspaceId),
      };
    }),
  );
  const read = async (caller: Caller, workspaceId: number, id: number) => {
    const row = await db.asTenant(workspaceId, (tx) => selectKeptMessage(tx, workspaceId, id));
    if (!row) throw new AppError('not_found', 'This message is not kept any more.');
    const { kind, source, ...kept } = row;
    needScope(caller, kind === 'transactional' ? 'send' : 'campaigns:send', 'read this message');
    return { kept, source: await decompress(source) };
  };
  router.handle(showKeptMessage, async ({ workspaceId, caller, params: { id } }) => {
    const { kept, source } = await read(caller, workspaceId, id);
    const { html = '', text = '', headers } = await PostalMime.parse(source);
    return {
      ...shown(kept),
      html: withoutPixel(html),
      text,
      headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    };
  });
  router.handle(downloadKeptMessage, async ({ workspaceId, caller, params: { id }, reply }) => {
    const { source } = await read(caller, workspaceId, id);
    return reply
      .header('content-type', 'message/rfc822')
      .header('content-disposition', `attachment; filename="message-${id}.eml"`)
      .send(source);
  });
}

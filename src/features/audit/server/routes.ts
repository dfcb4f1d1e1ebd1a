import { csvLine } from '#features/csv/rules.ts';
import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import { streamFrom } from '#platform/server/stream-from.ts';
import { type AuditFilter, type AuditLine, auditCalls } from '../contract.ts';
import type { AuditLanguage } from '../rules.ts';
import { type AuditRow, selectAuditLines } from './queries.ts';

/** Lines read at a time for an export. A file of any length needs no more memory than these. */
const exportPage = 2000;

export function registerAudit(router: Router, db: Database, language: AuditLanguage): void {
  const { areas } = language;
  const { listAudit, exportAudit } = auditCalls(areas.map(({ name }) => name));
  const kindsOf = (area: string) => areas.flatMap(({ name, kinds }) => (name === area ? kinds : []));
  const queryOf = (filter: AuditFilter, before: number | null | undefined, limit: number) => ({
    actor: filter.actor?.trim() || null,
    kinds: filter.area ? kindsOf(filter.area) : null,
    subject: filter.subject || null,
    from: filter.from ?? null,
    to: filter.to ?? null,
    before: before ?? null,
    limit,
  });

  router.handle(listAudit, async ({ workspaceId, query }) => {
    const { cursor, limit, ...filter } = query;
    const scope = { workspaceId, list: listAudit.path, of: filter };
    const { after } = placeById(scope, { page: 1, limit, cursor });
    const found = await db.asTenant(workspaceId, (tx) =>
      selectAuditLines(tx, workspaceId, queryOf(filter, after, limit + 1)),
    );
    const { rows, nextCursor } = pageOfRows(scope, found, limit);
    return { items: rows.map(shown), nextCursor };
  });

  router.handle(exportAudit, async ({ workspaceId, query, reply }) => {
    const next = (tx: TenantTx, before?: number) =>
      selectAuditLines(tx, workspaceId, queryOf(query, before, exportPage));
    async function* lines(tx: TenantTx, first: AuditRow[]): AsyncGenerator<string> {
      yield 'time,who,what,action,subject,details\r\n';
      for (let rows = first; rows.length > 0; rows = await next(tx, rows.at(-1)?.id)) {
        yield rows.map((row) => lineOf(language, row)).join('');
        if (rows.length < exportPage) return;
      }
    }
    const bytes = await streamFrom(db, workspaceId, async ({ tx, begin }) => {
      await begin('isolation level repeatable read, read only');
      return lines(tx, await next(tx));
    });
    const today = new Date().toISOString().slice(0, 10);
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="audit-log-${today}.csv"`)
      .header('cache-control', 'no-store')
      .send(bytes);
  });
}

const shown = ({ createdAt, ...row }: AuditRow): AuditLine => ({
  ...row,
  createdAt: createdAt.toISOString(),
});

const lineOf = (language: AuditLanguage, { createdAt, actor, action, subject, details }: AuditRow): string =>
  csvLine([createdAt, actor, language.actionWords(action), action, subject, language.detailWords(details)]);

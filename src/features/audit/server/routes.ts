import { Readable } from 'node:stream';
import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import { type AuditFilter, type AuditLine, auditCalls } from '../contract.ts';
import { type AuditLanguage, csvCell } from '../rules.ts';
import { type AuditRow, selectAuditLines } from './queries.ts';

/** Lines read at a time for an export. A file of any length needs no more memory than these. */
const exportPage = 2000;

export function registerAudit(router: Router, db: Database, language: AuditLanguage): void {
  const { areas } = language;
  const { listAudit, exportAudit } = auditCalls(areas.map(({ name }) => name));
  const kindsOf = (area: string) => areas.flatMap(({ name, kinds }) => (name === area ? kinds : []));
  const page = (workspaceId: number, filter: AuditFilter, before: number | undefined, limit: number) =>
    db.asTenant(workspaceId, (tx) =>
      selectAuditLines(tx, workspaceId, {
        actor: filter.actor?.trim() || null,
        kinds: filter.area ? kindsOf(filter.area) : null,
        subject: filter.subject || null,
        from: filter.from ?? null,
        to: filter.to ?? null,
        before: before ?? null,
        limit,
      }),
    );

  router.handle(listAudit, async ({ workspaceId, query }) => {
    const { cursor, limit, ...filter } = query;
    const scope = { workspaceId, list: listAudit.path, of: filter };
    const { after } = placeById(scope, { page: 1, limit, cursor });
    const { rows, nextCursor } = pageOfRows(
      scope,
      await page(workspaceId, filter, after ?? undefined, limit + 1),
      limit,
    );
    return { items: rows.map(shown), nextCursor };
  });

  router.handle(exportAudit, async ({ workspaceId, query, reply }) => {
    async function* lines(): AsyncGenerator<string> {
      yield 'time,who,what,action,subject,details\r\n';
      let before: number | undefined;
      for (;;) {
        const rows = await page(workspaceId, query, before, exportPage);
        if (rows.length > 0) yield rows.map((row) => csvLine(language, row)).join('');
        before = rows.at(-1)?.id;
        if (rows.length < exportPage) return;
      }
    }
    const today = new Date().toISOString().slice(0, 10);
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="audit-log-${today}.csv"`)
      .header('cache-control', 'no-store')
      .send(Readable.from(lines()));
  });
}

const shown = ({ createdAt, ...row }: AuditRow): AuditLine => ({
  ...row,
  createdAt: createdAt.toISOString(),
});

function csvLine(language: AuditLanguage, { createdAt, actor, action, subject, details }: AuditRow): string {
  const cells = [
    createdAt.toISOString(),
    actor ?? '',
    language.actionWords(action),
    action,
    subject,
    language.detailWords(details),
  ];
  return `${cells.map(csvCell).join(',')}\r\n`;
}

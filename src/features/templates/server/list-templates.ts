import { pageOfRows, placeById } from '#platform/server/cursor.ts';
import type { Database } from '#platform/server/database.ts';
import type { QueryOf, ResponseOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { listTemplates, mostWithContent } from '../contract.ts';
import { presentContent, presentSummary } from './find-template.ts';
import { countTemplates, selectTemplates } from './queries.ts';

/** A page of templates. Throws `invalid_input` when it asks for too much content at once. */
export async function listAll(
  db: Database,
  workspaceId: number,
  { search, category, content, ...query }: QueryOf<typeof listTemplates>,
): Promise<ResponseOf<typeof listTemplates>> {
  refuseTooMuch(content, query.limit);
  const filter = { search, category };
  const scope = { workspaceId, list: listTemplates.path, of: filter };
  const place = placeById(scope, query);
  const { rows, totalCount } = await db.asTenant(workspaceId, async (tx) => ({
    rows: await selectTemplates(tx, workspaceId, filter, { ...place, limit: query.limit + 1, content }),
    totalCount: await countTemplates(tx, workspaceId, filter),
  }));
  const page = pageOfRows(scope, rows, query.limit);
  const items = page.rows.map(({ source = null, htmlContent, textContent = null, ...row }) => ({
    ...presentSummary(row),
    ...(htmlContent === undefined
      ? {}
      : presentContent({ mode: row.mode, source, htmlContent, textContent })),
  }));
  return { items, totalCount, nextCursor: page.nextCursor };
}

function refuseTooMuch(content: boolean, limit: number): void {
  if (!content || limit <= mostWithContent) return;
  const message = `With their content, at most ${mostWithContent} templates come at once. Ask for fewer, or for content=false.`;
  throw new AppError('invalid_input', message, { fields: { limit: message } });
}

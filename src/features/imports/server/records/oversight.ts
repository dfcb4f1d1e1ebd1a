import type { SystemDb } from '#platform/server/database.ts';
import {
  countImportsEverywhere,
  type OverseenImportRow,
  selectImportsEverywhere,
} from './oversight-queries.ts';

/**
 * `open` means uploading, checking or saving right now. A file that was only tried is in no group,
 * because it is not an import yet.
 */
const statusesOf = {
  open: ['uploading', 'checking', 'processing'],
  failed: ['failed'],
  all: ['uploading', 'checking', 'processing', 'failed', 'completed'],
} as const;

interface OverseenImports {
  items: OverseenImportRow[];
  totalCount: number;
  counts: { open: number; failed: number; all: number };
}

/**
 * The imports of all workspaces, for the person who runs the installation. The imported data stays
 * in its workspace.
 */
export async function importsEverywhere(
  db: SystemDb,
  view: keyof typeof statusesOf,
  page: { skip: number; take: number },
): Promise<OverseenImports> {
  const items = await selectImportsEverywhere(db, statusesOf[view], page);
  const rows = await countImportsEverywhere(db);
  const count = (statuses: readonly string[]) =>
    rows.reduce((total, { status, imports }) => total + (statuses.includes(status) ? imports : 0), 0);
  const counts = {
    open: count(statusesOf.open),
    failed: count(statusesOf.failed),
    all: count(statusesOf.all),
  };
  return { items, totalCount: counts[view], counts };
}

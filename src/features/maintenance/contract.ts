import { z } from 'zod';
import { cleanQuery, cleanResult } from '#features/bin/contract.ts';
import { exportCalls } from '#features/exports/contract.ts';
import { orTask } from '#features/tasks/contract.ts';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import { access, endpoint } from '#platform/shared/contract.ts';

const tag = 'Maintenance';
const count = z.number().int();

/** What a cleanup did: the clean's figures, and what else was deleted. */
export const cleanupResult = cleanResult.extend({
  expired: count.describe('Contacts whose time in the bin is over; they went for good.'),
  files: count.describe('Old receipts and files that belonged to nothing any more.'),
});
export type CleanupResult = z.output<typeof cleanupResult>;

export const cleanUp = endpoint({
  method: 'POST',
  path: '/api/maintenance/cleanup',
  access: access.member('editor'),
  summary:
    'Clean the database by the current settings, and tidy away what is kept no longer: the expired bin, old receipts, left-over files.',
  tag,
  query: cleanQuery,
  ...orTask(cleanupResult),
});

/** The calls of a product whose features add these filters. They take no others. */
export const maintenanceCalls = (added: AddedFilters) => ({
  maintenanceExport: endpoint({
    ...exportCalls(added).exportContacts,
    path: '/api/maintenance/export',
    summary: 'The same as `GET /api/emails/export`.',
    tag,
  }),
});

/** The same for callers. The server decides which filters there are. */
export const { maintenanceExport } = maintenanceCalls({});

import { z } from 'zod';
import { exportCalls } from '#features/exports/contract.ts';
import { orTask } from '#features/tasks/contract.ts';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import { access, endpoint, flag } from '#platform/shared/contract.ts';

const tag = 'Maintenance';
const count = z.number().int();

/** What a cleanup did: the clean's figures, and what else was deleted. */
export const cleanupResult = z.object({
  removed: count,
  duplicates: count,
  invalid: count,
  nonUk: count,
  removalId: count.nullable().describe('To restore, and for the receipt.'),
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
  query: z.object({ preview: flag.optional().describe('The same counts, nothing removed.') }),
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

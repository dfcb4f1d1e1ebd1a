import { z } from 'zod';
import { filterWith, selectionWith } from '#features/audience/contract.ts';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import { access, downloadLimits, endpoint, fileTypes, raw } from '#platform/shared/contract.ts';

export const exportFormats = ['csv', 'json', 'xlsx'] as const;

export type ExportFormat = (typeof exportFormats)[number];

const exportFormat = z
  .enum(exportFormats)
  .optional()
  .describe(
    "Absent: the workspace's own, from its settings. More contacts than a file may hold come as a zip of such files.",
  );

const exportInclude = z
  .enum(['verdict', 'lists', 'verdict,lists'])
  .optional()
  .describe(
    '`verdict`: also what the last verification found: verdict, reasons, suggestion, risk, uk, kind and verified (when). Empty ' +
      'where a contact was never verified. A column of the same name that people brought keeps it; ours is then `verification_…`. ' +
      '`lists`: the names of its lists and tags, with `; ` between, or as arrays in JSON.',
  );

export type ExportInclude = z.output<typeof exportInclude>;

/** The calls of a product whose features add these filters. They take no others. */
export const exportCalls = (added: AddedFilters) => ({
  exportContacts: endpoint({
    method: 'GET',
    path: '/api/emails/export',
    access: access.member('viewer', 'contacts:read'),
    summary:
      'The contacts that match the filter as a file, or those named. Where the marketing basis of anybody is known, the file has ' +
      'it as `marketing_basis`, `marketing_basis_source` and `marketing_basis_date`; empty for unknown. An import reads all three.',
    tag: 'Contacts',
    query: filterWith(added, {
      ids: z
        .string()
        .regex(/^\d{1,15}(,\d{1,15}){0,999}$/, {
          error: 'Give up to 1,000 numbers of contacts with commas between.',
        })
        .transform((text) => text.split(',').map(Number))
        .optional()
        .describe('Up to 1,000 contacts by number, with commas between; the filter is then not looked at.'),
      format: exportFormat,
      include: exportInclude,
    }),
    response: raw(...Object.values(fileTypes)),
    limits: downloadLimits,
  }),
  checkExport: endpoint({
    method: 'GET',
    path: '/api/emails/export/check',
    access: access.member('viewer', 'contacts:read'),
    summary: 'What the export of a filter would be, without exporting.',
    tag: 'Contacts',
    query: filterWith(added, { format: exportFormat, include: exportInclude }),
    response: z.object({ fileName: z.string(), contacts: z.number().int(), parts: z.number().int() }),
  }),
  exportSelection: endpoint({
    method: 'POST',
    path: '/api/emails/export',
    access: access.member('viewer', 'contacts:read'),
    summary: 'A selection of contacts as a file; for more of them than fit into an address.',
    tag: 'Contacts',
    query: z.strictObject({ format: exportFormat, include: exportInclude }),
    body: selectionWith(added),
    response: raw(...Object.values(fileTypes)),
    limits: downloadLimits,
    writesLittle: true,
  }),
});

/** The same for callers. The server decides which filters there are. */
export const { exportContacts, checkExport, exportSelection } = exportCalls({});

import { z } from 'zod';
import {
  access,
  cursorField,
  downloadLimits,
  endpoint,
  fileTypes,
  nextCursorField,
  type QueryOf,
  raw,
} from '#platform/shared/contract.ts';

const auditLine = z.object({
  id: z.number().int(),
  actor: z
    .string()
    .nullable()
    .describe('An email address or an API key; null when the product did it by itself.'),
  action: z.string().describe("What was done, as 'member.role_changed'."),
  subject: z.string().describe("What it was done to, as 'member:12'."),
  details: z.record(z.string(), z.unknown()),
  createdAt: z.iso.datetime(),
});
export type AuditLine = z.output<typeof auditLine>;

const day = z.iso.date();

/** The calls of a log whose areas are of this type. */
function callsWith(area: z.ZodType<string, string>) {
  const filter = z.object({
    actor: z.string().max(320).optional().describe('Part of who did it.'),
    area: area.optional(),
    subject: z.string().max(200).optional().describe("Exactly what it was done to, as 'member:12'."),
    from: day.optional().describe('The first day, UK time.'),
    to: day.optional().describe('The last day, UK time.'),
  });
  return {
    listAudit: endpoint({
      method: 'GET',
      path: '/api/audit',
      access: access.member('admin'),
      summary: 'Who did what to which data, newest first.',
      tag: 'Audit log',
      query: filter.extend({
        cursor: cursorField,
        limit: z.coerce.number().int().min(1).max(200).default(50),
      }),
      response: z.object({
        items: z.array(auditLine),
        nextCursor: nextCursorField,
      }),
    }),
    exportAudit: endpoint({
      method: 'GET',
      path: '/api/audit/export',
      access: access.member('admin'),
      summary: 'The same lines as CSV, all of them.',
      tag: 'Audit log',
      query: filter,
      response: raw(fileTypes.csv),
      limits: downloadLimits,
    }),
  };
}

/** The calls of a product whose log has these areas. It accepts no others. */
export const auditCalls = (areas: readonly string[]) => callsWith(z.enum(areas));

/** The same for callers. The server decides which areas there are. */
export const { listAudit, exportAudit } = callsWith(z.string());

export type AuditFilter = QueryOf<typeof exportAudit>;

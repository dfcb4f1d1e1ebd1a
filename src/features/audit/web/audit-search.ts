import { z } from 'zod';
import { textField } from '#platform/web/url-state.ts';
import { auditAreas } from '../rules.ts';

const dayField = z.iso.date().optional().catch(undefined);

/** How the log is narrowed. */
export const auditSearch = z.object({
  actor: textField,
  area: z.enum(auditAreas).optional().catch(undefined),
  from: dayField,
  to: dayField,
});

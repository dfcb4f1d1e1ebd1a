import { z } from 'zod';
import { textField } from '#platform/web/url-state.ts';

const dayField = z.iso.date().optional().catch(undefined);

/** How the log is narrowed. */
export const auditSearch = z.object({
  actor: textField,
  // Which areas there are is for the features to say: the page leaves out one it does not know.
  area: z.string().optional().catch(undefined),
  from: dayField,
  to: dayField,
});

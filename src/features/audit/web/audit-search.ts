import { z } from 'zod';
import { textField } from '#platform/web/url-state.ts';

const dayField = z.iso.date().optional().catch(undefined);

/** How the log is filtered. */
export const auditSearch = z.object({
  actor: textField,
  // The features decide which areas there are. The page drops one it does not know.
  area: z.string().optional().catch(undefined),
  from: dayField,
  to: dayField,
});

import { z } from 'zod';
import { idField } from '#platform/web/url-state.ts';

/** Whether those that were read are shown, and the open mail. */
export const bouncesSearch = z.object({
  state: z.literal('read').optional().catch(undefined),
  open: idField,
});

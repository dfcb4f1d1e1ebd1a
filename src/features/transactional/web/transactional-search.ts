import { z } from 'zod';
import { idField, textField } from '#platform/web/url-state.ts';
import { messageStates } from '../contract.ts';

/** The search, the state that is shown, and the open message. */
export const transactionalSearch = z.object({
  search: textField,
  state: z.enum(messageStates).optional().catch(undefined),
  open: idField,
});

import { z } from 'zod';
import { idField, textField } from '#platform/web/url-state.ts';

/** The search, the campaign by its mailing, and the open message. */
export const messagesSearch = z.object({
  search: textField,
  mailing: z.coerce
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .optional()
    .catch(undefined),
  open: idField,
});

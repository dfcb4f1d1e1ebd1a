import { z } from 'zod';
import { choiceField } from '#platform/web/url-state.ts';

/** The sign-in page's address: which of its two forms, and where to go afterwards. */
export const authSearch = z.object({
  mode: choiceField(['sign-in', 'sign-up']),
  next: z.string().max(2000).optional().catch(undefined),
});

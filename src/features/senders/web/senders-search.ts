import { z } from 'zod';
import { choiceField } from '#platform/web/url-state.ts';

/** Whether the dialog for a new domain is open. */
export const sendersSearch = z.object({ open: choiceField(['', 'new']) });

import { z } from 'zod';
import { choiceField } from '#platform/web/url-state.ts';

/** Whether the dialog for a new key is open. */
export const keysSearch = z.object({ open: choiceField(['', 'new']) });

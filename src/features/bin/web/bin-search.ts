import { z } from 'zod';
import { idField, pageField, textField } from '#platform/web/url-state.ts';

/** The bin's address: where in it, which removal is open, and what is looked for inside. */
export const binSearch = z.object({ page: pageField, removal: idField, search: textField });

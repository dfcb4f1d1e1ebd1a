import { z } from 'zod';
import { idField, pageField, textField } from '#platform/web/url-state.ts';

/** The bin's address: the page, which removal is open, and the search inside it. */
export const binSearch = z.object({ page: pageField, removal: idField, search: textField });

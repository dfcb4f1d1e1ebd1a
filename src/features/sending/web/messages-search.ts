import { z } from 'zod';
import { idField, textField } from '#platform/web/url-state.ts';

/** The search and the open message. */
export const messagesSearch = z.object({ search: textField, open: idField });

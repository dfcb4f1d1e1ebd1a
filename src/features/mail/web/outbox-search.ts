import { z } from 'zod';
import { idField } from '#platform/web/url-state.ts';

/** The mail that is open. */
export const outboxSearch = z.object({ open: idField });

import { z } from 'zod';
import { idField } from '#platform/web/url-state.ts';

/** The open mail. */
export const outboxSearch = z.object({ open: idField });

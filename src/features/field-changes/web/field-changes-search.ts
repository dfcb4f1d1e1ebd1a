import { z } from 'zod';
import { pageField } from '#platform/web/url-state.ts';

export const fieldChangesSearch = z.object({ page: pageField });

import { z } from 'zod';
import { pageField } from '#platform/web/url-state.ts';

export const basisChangesSearch = z.object({ page: pageField });

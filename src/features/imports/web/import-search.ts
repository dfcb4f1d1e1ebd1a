import { z } from 'zod';
import { choiceField, idField, pageField } from '#platform/web/url-state.ts';

/** The query string of the list of imports. */
export const importsSearch = z.object({ page: pageField });

/** Which rejected rows are shown. */
export const leftOutTabs = ['all', 'duplicate', 'invalid', 'nonUk', 'suppressed'] as const;

/** The query string of one import. `line`: only the rows left out of this line. */
export const importSearch = z.object({ rows: choiceField(leftOutTabs), line: idField });

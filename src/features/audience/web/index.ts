import { contactsTopic } from '#features/contacts/web/index.ts';
import { getStats, getUkView } from '#features/rollups/contract.ts';
import type { WebFeature } from '#platform/web/feature.ts';
import { countSelection, listContacts, listFields, listSources } from '../contract.ts';

export { SelectionDialog } from './selection-dialog.tsx';
export { statsOptions } from './stats.ts';

/** The audience has no screen. Other features show its lists, counts and figures. */
export const audienceFeature: WebFeature = {
  pages: [],
  changesWith: {
    [contactsTopic]: [listContacts, countSelection, listSources, listFields, getStats, getUkView],
  },
};
